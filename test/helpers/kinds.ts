import { expect, it } from 'vitest';
import { BAD_VALUES, type BadValue, MINE } from './badValues.js';
import { type Any, type ErrorKind, expectRefusal, type Refusal, refusalsOf } from './refusals.js';

/** What a place of a call takes: null where a value is taken, the error where it is refused; undefined if either will do. */
export type Kind = (value: Any) => ErrorKind | null | undefined;

const [T, R] = [TypeError, RangeError];

/** Numbers of which this holds. */
export const number =
  (isGood: (value: number) => boolean): Kind =>
  (value) =>
    typeof value !== 'number' ? T : isGood(value) ? null : R;
export const within = (min: number, max = Number.POSITIVE_INFINITY): Kind => number((v) => v >= min && v <= max);
export const finite = number(Number.isFinite);
export const some = number((v) => !Number.isNaN(v));
export const optional =
  (kind: Kind): Kind =>
  (value) =>
    value === undefined ? null : kind(value);
/** Values of which this holds, and of no other type. */
export const only =
  (isGood: (value: Any) => boolean): Kind =>
  (value) =>
    isGood(value) ? null : T;
export const a = (...classes: (abstract new (...args: never[]) => object)[]): Kind =>
  only((value) => classes.some((of) => value instanceof of));
export const flag = optional(only((value) => typeof value === 'boolean'));
export const visitor = only((value) => typeof value === 'function');
export const anything: Kind = () => null;
export const whatever: Kind = () => undefined;
/** Options: anything but an object is refused; what is in one has rows of its own. */
export const options: Kind = (value) =>
  value === undefined ? null : typeof value !== 'object' || value === null ? T : undefined;

/** What is like an array of so many numbers, of which this holds. */
export const numbers =
  (isLength: (length: number) => boolean, isGood: (all: number[]) => boolean): Kind =>
  (value) => {
    const length = (typeof value === 'object' || undefined) && value?.length;
    if (typeof length !== 'number') return T;
    if (!isLength(length)) return R;
    const all = Array.from({ length }, (_, i) => value[i]);
    return !all.every((each) => typeof each === 'number') ? T : isGood(all) ? null : R;
  };
export const areFinite = (all: number[]): boolean => all.every(Number.isFinite);

const WORDS = /^[A-Za-z]\w*(\.\w+…?|\[\d+\])*: ./;
/** No message is longer, whatever it is about. */
const MOST = 250;
/** What was disposed is of the right type, only too late. */
const GONE = /: the index was disposed$/;
/** Of a part of the value, or of the object whose part it is. */
const TOLD = /got (undefined|\[object )/;
/** What is short enough to be told in full. */
const isShort = (value: unknown): boolean =>
  value === null || (typeof value !== 'object' && typeof value !== 'function' && String(value).length < 30);

/**
 * Calls with the value, and notes what is wrong with the outcome: it is to be taken or refused as its kind says, by an error
 * that says in a few words who refuses and what it got; what the value itself throws may come through.
 * @param where What messages begin with, or undefined where the runtime may refuse as well.
 * @returns whether it was refused.
 */
export function attempt(
  value: BadValue,
  kind: Kind,
  where: string | undefined,
  call: (made: unknown) => unknown,
  problems: string[],
): boolean {
  const note = (what: string): unknown => problems.push(`${value.label}: ${what.slice(0, MOST)}`);
  let expected: ReturnType<Kind>;
  try {
    expected = kind(value.make());
  } catch {
    // It throws itself whatever it is asked.
  }
  try {
    call(value.make());
    if (expected) note(`taken, in place of a ${expected.name}`);
    return false;
  } catch (error) {
    const { message } = error as Error;
    if (message === MINE || where === undefined) return true;
    if (value.isUnspeakable) return true;
    if (expected === null && !GONE.test(message)) note(`refused: ${message}`);
    const isTyped = expected ? error instanceof expected : error instanceof T || error instanceof R;
    if (!(isTyped || GONE.test(message)) || message.length >= MOST) note(`${(error as Error).name}, ${message}`);
    // What was disposed is refused by the call as a whole.
    const by = GONE.test(message) ? where.replace(/\.index$/, '') : where;
    const isNamed = message.startsWith(by) && WORDS.test(message);
    if (!isNamed) note(`unnamed: ${message}`);
    const made = value.make();
    if (
      isShort(made) &&
      expected === T &&
      !GONE.test(message) &&
      !TOLD.test(message) &&
      !message.includes(String(made))
    )
      note(`not told: ${message}`);
    return true;
  }
}

/** A call, with the kind of value that each of its places takes and a good one, or what makes a good one. */
export interface Signature<Index> {
  name: string;
  places: Place[];
  call(index: Index, ...values: Any[]): unknown;
}
interface Place {
  kind: Kind;
  good: unknown;
}

export const at = (kind: Kind, good?: unknown): Place => ({ kind, good });
export const call = <Index>(name: string, call: Signature<Index>['call'], ...places: Place[]): Signature<Index> => ({
  name,
  places,
  call,
});
/** A call for each part of something. */
export const parts = <Index>(
  of: { [part: string]: Kind },
  make: (part: string, kind: Kind) => Signature<Index>,
): Signature<Index>[] => Object.entries(of).map(([part, kind]) => make(part, kind));

/** Arguments of a call that are refused together. */
export const args = (...all: unknown[]): unknown[] => all;
/** Rows of arguments that are wrong together alone, or by what no other place refuses. */
export const together = <Index>(
  name: string,
  call: (index: Index, ...all: Any[]) => unknown,
  ...rows: [error: ErrorKind, words: string, ...calls: unknown[][]][]
): Refusal<Index>[] => refusalsOf(name, (index, all) => call(index, ...all), rows);

/**
 * A test for each place of each call: every bad value is taken or refused as its kind says.
 * @param changing Names of calls that may succeed and then change the index.
 * @param tell All that can be asked of an index.
 * @param faults What is wrong with one.
 */
export function testPlaces<Index>(
  signatures: Signature<Index>[],
  refused: Refusal<Index>[],
  changing: RegExp,
  make: () => Index,
  tell: (index: Index) => string,
  faults: (index: Index) => string[],
): void {
  const places = signatures.flatMap(({ name, places, call }) =>
    places.map(({ kind }, place) => ({ label: `${name}, argument ${place}`, name, kind, place, places, call })),
  );
  it.each(places)('$label: it is taken or refused as its kind says, and the index is in order', (row) => {
    const problems: string[] = [];
    const changes = changing.test(row.name);
    let index = make();
    let before = tell(index);
    for (const value of BAD_VALUES) {
      const isRefused = attempt(value, row.kind, row.name, (made) => row.call(index, ...filled(row, made)), problems);
      if ((isRefused || !changes) && tell(index) !== before) problems.push(`${value.label}: something changed`);
      if (!changes) continue;
      problems.push(...faults(index).map((text) => `${value.label}: ${text}`));
      index = make();
      before = tell(index);
    }
    problems.push(...faults(index));
    expect(problems.join('\n')).toBe('');
  });

  it.each(refused)('%s: it is refused', (_label, error, words, call) => {
    const index = make();
    const before = tell(index);
    expectRefusal(() => call(index), error, words);
    expect([tell(index), faults(index)]).toEqual([before, []]);
  });
}

/** Good values but for one place. */
function filled({ places, place }: { places: Place[]; place: number }, made: unknown): unknown[] {
  return places.map(({ good }, i) => (i === place ? made : typeof good === 'function' ? good() : good));
}
