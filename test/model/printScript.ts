import type { EditScript } from './EditScript.js';
import { entries } from './sourceText.js';

/** A script as source text, to be pasted into a test. */
export function printScript({ structure, edits }: EditScript): string {
  const lines = edits.map((edit) => `    { ${entries(edit)} },`);
  return [`runScript({`, `  structure: '${structure}',`, '  edits: [', ...lines, '  ],', '});'].join('\n');
}
