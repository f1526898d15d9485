import type { EditScript } from './EditScript.js';

/** A script as source text, to become a case of repro/scripts.test.ts. */
export function printScript({ structure, edits }: EditScript): string {
  return `['', '${structure}', [${edits.map((edit) => `{ ${entries(edit)} }`).join(', ')}]],`;
}

/** The properties of an object as source text, without its braces. */
export function entries(value: object): string {
  return Object.entries(value)
    .map(([name, v]) => `${name}: ${text(v)}`)
    .join(', ');
}

function text(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(text).join(', ')}]`;
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'boolean') return String(value);
  const number = value as number;
  if (number === Number.POSITIVE_INFINITY) return 'Number.POSITIVE_INFINITY';
  if (number === Number.NEGATIVE_INFINITY) return 'Number.NEGATIVE_INFINITY';
  return Object.is(number, -0) ? '-0' : String(number);
}
