import { inspect } from 'node:util';
import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are the point
export type Any = any;
/** A value under no type, to hand over what the types forbid. */
export const any = (value: unknown): Any => value;

export type ErrorKind = typeof TypeError | typeof RangeError;
/** Values that are refused alike: the error, words of its message, as a regular expression or null for the value itself. */
export type BadValues = readonly [error: ErrorKind, words: string | null, ...values: unknown[]];
/** A call that is refused. */
export type Refusal<T> = readonly [label: string, error: ErrorKind, words: RegExp, call: (subject: T) => unknown];

/**
 * Each bad value in a call.
 * @param place What messages start with, before a colon or a further name.
 */
export function refusalsOf<T>(
  place: string,
  call: (subject: T, value: Any) => unknown,
  values: readonly BadValues[],
): Refusal<T>[] {
  return values.flatMap(([error, words, ...bad]) =>
    bad.map((value): Refusal<T> => {
      const pattern = new RegExp(`^${escaped(place)}[.:].*${words ?? escaped(String(value))}`, 's');
      return [
        `${place} of ${inspect(value, { breakLength: 999, depth: 1 }).slice(0, 80)}`,
        error,
        pattern,
        (subject) => call(subject, value),
      ];
    }),
  );
}

const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** Fails unless the call throws that error with those words. */
export function expectRefusal(call: () => unknown, error: ErrorKind, words: RegExp | string): void {
  let thrown: unknown;
  try {
    call();
  } catch (caught) {
    thrown = caught;
  }
  expect(thrown).toBeInstanceOf(error);
  expect((thrown as Error).message).toMatch(words);
}
