import type { EditScript } from './EditScript.js';
import { entries } from './sourceText.js';

/** A script as source text, to be pasted into a test. */
export function printScript({ structure, stride, edits }: EditScript): string {
  const lines = edits.map((edit) => `    { ${entries(edit)} },`);
  const pace = stride === undefined ? [] : [`  stride: ${stride},`];
  return [`runScript({`, `  structure: '${structure}',`, ...pace, '  edits: [', ...lines, '  ],', '});'].join('\n');
}
