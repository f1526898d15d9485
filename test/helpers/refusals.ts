import { expect, it } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are the point
export type Any = any;
/** A value under no type, to hand over what the types forbid. */
export const any = (value: unknown): Any => value;

export type ErrorKind = typeof TypeError | typeof RangeError;
/** A value that is refused: its name, the error, and words of the message. */
export type BadGiven = readonly [label: string, error: ErrorKind, words: string, value: unknown];
/** A call that is refused. */
export type Refusal<T> = readonly [label: string, error: ErrorKind, words: RegExp, call: (subject: T) => unknown];

/**
 * Each bad value in a call.
 * @param place What every message starts with, as a regular expression.
 */
export function refusalsOf<T>(
  place: string,
  call: (subject: T, value: Any) => unknown,
  values: readonly BadGiven[],
): Refusal<T>[] {
  return values.map(([label, error, words, value]) => [
    `${place}, ${label}`,
    error,
    new RegExp(`^${place}.*${words}`, 's'),
    (subject) => call(subject, value),
  ]);
}

/**
 * A test for each call: it throws that error with those words, and leaves the subject as it was.
 * @param tell All that can be asked of a subject.
 * @param check Further expectations of a subject that has refused.
 */
export function testRefusals<T>(
  rows: readonly Refusal<T>[],
  make: () => T,
  tell: (subject: T) => unknown = () => null,
  check: (subject: T) => void = () => {},
): void {
  it.each(rows)('%s', (_label, error, words, call) => {
    const subject = make();
    const before = tell(subject);
    expectRefusal(() => call(subject), error, words);
    expect(tell(subject)).toEqual(before);
    check(subject);
  });
}

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
