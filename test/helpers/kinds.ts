import { type BadValue, MINE } from './badValues.js';
import type { Any, ErrorKind } from './refusals.js';

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

const WORDS = /^[A-Za-z]\w*(\.\w+…?)*(\[\d+\])?: ./;
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
    const isNamed =
      message.replace('Spatial', 'Scene').startsWith(where.replace('Spatial', 'Scene')) && WORDS.test(message);
    if (!isNamed && !GONE.test(message)) note(`unnamed: ${message}`);
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
