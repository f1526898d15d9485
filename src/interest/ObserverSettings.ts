import { checkCount, inWords, ownOptions, refuseName } from '../core/options.js';
import { readVector } from '../core/shapes/vectors.js';

/** Options of an observer: the item it follows, and its view. For `Interest.observe`. */
export interface ObserverOptions {
  /**
   * The item that the observer follows, at the middle of its box. The observer does not see that item. Without an item,
   * `moveTo` moves the observer.
   */
  item?: number;
  /** Initial position x y z of an observer that follows no item. Default the origin. */
  position?: ArrayLike<number>;
  /** Range of sight in world units, measured to the nearest point of an item's box. */
  radius?: number;
  /** Half the size x y z of the box in view, instead of `radius`. */
  halfSize?: ArrayLike<number>;
  /**
   * How much farther an item must go to leave the view. A share of the radius or box, finite and not negative: with 0.1
   * an item that entered at 100 leaves beyond 110. Default 0.
   */
  hysteresis?: number;
  /** Distant items are checked only in every nth tick, from 1. Default 1: in each tick. */
  every?: number;
  /** Items up to this distance are checked in every tick. Not negative; default 0. */
  nearRadius?: number;
  /** The most items in view, from 1: the nearest are seen. Default Infinity. */
  most?: number;
  /** The observer sees items whose mask shares a bit with this mask. Default all bits. */
  mask?: number;
}

export interface ObserverSettings extends Required<Omit<ObserverOptions, 'item'>> {
  /** Undefined for an observer that follows no item. */
  item: number | undefined;
  position: Float64Array;
  halfSize: Float64Array;
}

const WHERE = 'Interest.observe';
const NAMES = ['item', 'position', 'radius', 'halfSize', 'hysteresis', 'every', 'nearRadius', 'most', 'mask'];
const ORIGIN = [0, 0, 0];

/** Checks options, and reads each once; throws a TypeError or RangeError that names the option. */
export function readSettings(options: ObserverOptions): ObserverSettings {
  const own = ownOptions(options, `${WHERE}: options must be`);
  for (const name in own) if (!NAMES.includes(name)) refuseName(name, NAMES, WHERE);
  if ((own.radius === undefined) === (own.halfSize === undefined)) {
    throw new TypeError(`${WHERE}: needs either radius or halfSize`);
  }
  const { item, position = ORIGIN, halfSize = ORIGIN, radius, hysteresis = 0, every = 1, nearRadius = 0 } = own;
  const { most = Number.POSITIVE_INFINITY, mask = -1 } = own;
  if (radius !== undefined) atLeast(radius, 0, `${WHERE}.radius`);
  atLeast(hysteresis, 0, `${WHERE}.hysteresis`);
  atLeast(nearRadius, 0, `${WHERE}.nearRadius`);
  if (hysteresis === Number.POSITIVE_INFINITY) throw new RangeError(`${WHERE}.hysteresis: must be finite`);
  checkCount(every, `${WHERE}.every`);
  if (every === Number.POSITIVE_INFINITY) throw new RangeError(`${WHERE}.every: must be finite`);
  checkCount(most, `${WHERE}.most`);
  const [at, half] = [new Float64Array(3), new Float64Array(3)];
  readVector(position, at, WHERE, 'position');
  readVector(halfSize, half, WHERE, 'halfSize');
  for (const c of half) atLeast(c, 0, `${WHERE}.halfSize`);
  const bits = readMask(mask, WHERE);
  // A negative radius stands for a box. Fields are written by name: reading from an object made of spreads takes
  // several times as long, and each tick of an observer reads from this object.
  const reach = radius ?? -1;
  return { item, position: at, radius: reach, halfSize: half, hysteresis, every, nearRadius, most, mask: bits };
}

/** Checks a mask of 32 bits, whose sign does not count. */
export function readMask(mask: number, where: string): number {
  atLeast(mask, -(2 ** 31), `${where}.mask`);
  if (!Number.isInteger(mask) || mask >= 2 ** 32) {
    throw new RangeError(`${where}.mask: must be a 32-bit integer, got ${mask}`);
  }
  return mask | 0;
}

export function atLeast(value: number, least: number, where: string): void {
  if (typeof value !== 'number') throw new TypeError(`${where}: must be a number, got ${inWords(value)}`);
  if (!(value >= least)) throw new RangeError(`${where}: must be at least ${least}, got ${value}`);
}
