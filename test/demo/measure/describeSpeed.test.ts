import { describe, expect, it } from 'vitest';
import { describeSpeed, type Timing } from '../../../demo/measure/describeSpeed.js';
import { Meter } from '../../../demo/measure/Meter.js';

const reliable = (mean: number): Timing => ({ mean, isReliable: true });
const text = (index: number, three: number, mode: 'index' | 'three' = 'index') => {
  const { figure, unit } = describeSpeed(reliable(index), reliable(three), mode);
  return `${figure} ${unit}`;
};

describe('the speed of the index beside plain three', () => {
  it('is being measured until both are reliable', () => {
    const early = { mean: 1, isReliable: false };
    const waiting = { figure: '–', unit: 'measuring…' };
    expect(describeSpeed(early, reliable(2), 'index')).toEqual(waiting);
    expect(describeSpeed(reliable(2), early, 'index')).toEqual(waiting);
    expect(describeSpeed(early, early, 'three')).toEqual(waiting);
  });

  it('is a factor above 1 with the word that fits', () => {
    expect(text(1, 7.54)).toBe('7.5× faster than plain three');
    expect(text(1, 21.4)).toBe('21× faster than plain three');
    expect(text(1.1, 1)).toBe('1.1× slower than plain three');
    expect(text(30, 1)).toBe('30× slower than plain three');
  });

  it('is the same within three per cent', () => {
    for (const three of [0.975, 1, 1.03]) expect(text(1, three)).toBe('Same as plain three');
    expect(text(1, 1.04)).toBe('1.04× faster than plain three');
    expect(text(1, 0.96)).toBe('1.04× slower than plain three');
  });

  it('never reads 1.0× or 10.0×', () => {
    for (let three = 0.5; three < 12; three += 0.001) expect(text(1, three)).not.toMatch(/\b10?\.0×/);
  });

  it('says what the index would do while plain three culls', () => {
    expect(text(1, 4, 'three')).toBe('4.0× faster with the index');
    expect(text(4, 1, 'three')).toBe('4.0× slower with the index');
    expect(text(1, 1, 'three')).toBe('Same with the index');
  });

  it('makes nothing of times that the clock cannot resolve', () => {
    expect(text(0, 0)).toBe('Same as plain three');
    expect(text(0.001, 0.004)).toBe('Same as plain three');
    expect(text(0, 0.05)).toBe('10× faster than plain three');
  });
});

describe('a meter', () => {
  it('is reliable after some samples beyond the warm-up, and not after a reset', () => {
    const meter = new Meter();
    let samples = 0;
    for (; !meter.isReliable; samples++) meter.add(1);
    expect(samples).toBeGreaterThanOrEqual(8);
    expect(samples).toBeLessThanOrEqual(20);
    meter.reset();
    expect(meter.isReliable).toBe(false);
  });
});
