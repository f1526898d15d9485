import { entries } from '../sourceText.js';
import type { SceneScript } from './SceneScript.js';

/** A script as source text, to be pasted into a test. */
export function printSceneScript({ setting, steps }: SceneScript): string {
  const lines = steps.map((step) => `    { ${entries(step)} },`);
  return ['runSceneScript({', `  setting: { ${entries(setting)} },`, '  steps: [', ...lines, '  ],', '});'].join('\n');
}
