import type { SceneScript } from './SceneScript.js';

/** A script as source text, to be pasted into a test. */
export function printSceneScript({ setting, steps }: SceneScript): string {
  const lines = steps.map((step) => `    { ${entries(step)} },`);
  return ['runSceneScript({', `  setting: { ${entries(setting)} },`, '  steps: [', ...lines, '  ],', '});'].join('\n');
}

function entries(value: object): string {
  return Object.entries(value)
    .map(([name, v]) => `${name}: ${text(v)}`)
    .join(', ');
}

function text(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(text).join(', ')}]`;
  if (typeof value === 'string') return `'${value}'`;
  return Object.is(value, -0) ? '-0' : String(value);
}
