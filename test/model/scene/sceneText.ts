import { entries } from '../printScript.js';
import type { ActName } from './acts.js';
import { KINDS } from './makeObject.js';
import type { SceneScript, Step } from './SceneScript.js';

/** A script as source text, to become a case of cases.test.ts. */
export function printSceneScript({ setting, steps }: SceneScript): string {
  return `['', '${steps.map(textOf).join(', ')}', { ${entries(setting)} }],`;
}

/** `add kind b [v] @probe` for a new object, `name a b [v] @probe` for all else; what is 0 at the end may be left out. */
function textOf({ do: name, a, b, v, probe }: Step): string {
  const [kind, ...rest] = v;
  if (name === 'add') return `add ${KINDS[kind]} ${b} [${rest.join(' ')}] @${probe}`;
  return `${name} ${a} ${b} [${v.join(' ')}] @${probe}`;
}

/** The steps of such a text. A frame follows each but those that add, if nothing is said. */
export function stepsOf(text: string): Step[] {
  return text.split(/,\s*/).map((words) => {
    const [, name, , kind, places, values = '', probe] =
      /^(\w+)( ([a-z]\w*))?((?: \d+)*)(?: \[(.*)\])?(?: @(\d+))?$/i.exec(words) ?? [];
    const [first = 0, second = 0] = places.split(' ').slice(1).map(Number);
    const v = values.split(' ').filter(Boolean).map(Number);
    if (name !== 'add') return { do: name as ActName, a: first, b: second, v, probe: Number(probe ?? 1) };
    return {
      do: name,
      a: 0,
      b: first,
      v: [KINDS.indexOf(kind), ...(v.length > 0 ? v : [0, 0, 0, 0])],
      probe: Number(probe ?? 0),
    };
  });
}
