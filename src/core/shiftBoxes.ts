import { inWords } from './inWords.js';

/**
 * Adds x, y and z to both ends of boxes. Infinite sides stay as they are.
 * @throws TypeError or RangeError unless the three are finite numbers, and when a side would grow beyond all numbers.
 */
export function shiftBoxes(boxes: Float64Array, x: number, y: number, z: number, where: string): void {
  const by = [x, y, z];
  if (by.some((c) => typeof c !== 'number')) {
    throw new TypeError(`${where}: x, y and z are numbers, got ${by.map(inWords).join(' ')}`);
  }
  if (!by.every(Number.isFinite)) throw new RangeError(`${where}: must be finite, got ${by.join(' ')}`);
  for (let i = 0; i < boxes.length; i++) {
    const side = boxes[i] + by[i % 3];
    if (Number.isFinite(boxes[i]) && !Number.isFinite(side)) {
      throw new RangeError(`${where}: ${boxes[i]} cannot be moved by ${by[i % 3]}`);
    }
    boxes[i] = side;
  }
}
