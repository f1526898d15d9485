import { describe, expect, it } from 'vitest';
import { OPTION_RANGES } from '../../src/core/optionRanges.js';
import { readOptions } from '../../src/core/options.js';

describe.each([
  ['capacity', 1, 2 ** 20, 1],
  ['maxDepth', 1, 64, 1],
  ['minCellSize', 0, Number.MAX_VALUE, 2 ** 970],
  ['looseness', 1, 8, 2 ** -40],
  ['cellSize', 0, 2 ** 300, 2 ** 250],
])('%s', (name, least, most, step) => {
  const read = (value: number): unknown => readOptions({ [name]: value }, { [name]: 0 }, 'Test', OPTION_RANGES);

  it(`is legal from ${least} to ${most}`, () => {
    expect(read(least)).toEqual({ [name]: least });
    expect(read(most)).toEqual({ [name]: most });
  });

  it('is not legal just beyond', () => {
    expect(() => read(least - Math.min(step, 2 ** -20))).toThrow(RangeError);
    expect(() => read(most + step)).toThrow(RangeError);
  });

  const isWhole = name === 'capacity' || name === 'maxDepth';
  it(isWhole ? 'is a whole number' : 'need not be whole', () => {
    const value = isWhole ? 1.5 : least + 0.5;
    if (isWhole) expect(() => read(value)).toThrow(/must be a whole number/);
    else expect(read(value)).toEqual({ [name]: value });
  });
});
