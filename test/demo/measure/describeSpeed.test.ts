import { describe, expect, it } from 'vitest';
import { describeSpeed } from '../../../demo/measure/describeSpeed.js';
import { Meter } from '../../../demo/measure/Meter.js';
import { Speed } from '../../../demo/measure/Speed.js';
import { whyBatched, whyCulling, whyIndex } from '../../../demo/ui/parts/whySpeed.js';

const text = (low: number, median: number, high: number, mode: 'index' | 'three' = 'index') => {
  const { figure, unit } = describeSpeed({ low, median, high, isReliable: true }, mode);
  return `${figure} ${unit.replace('\u2060', '')}`;
};

describe('the speed of a way beside plain three', () => {
  it('is being measured until it is reliable', () => {
    const early = { low: 2, median: 2, high: 2, isReliable: false };
    expect(describeSpeed(early, 'index')).toEqual({ figure: '–', unit: 'measuring…' });
    expect(describeSpeed(early, 'three')).toEqual({ figure: '–', unit: 'measuring…' });
  });

  it('is a factor above 1 with its quartiles and the word that fits', () => {
    expect(text(2.5, 2.71, 2.9)).toBe('2.7× faster than plain three (2.5–2.9×)');
    expect(text(19.6, 21.4, 25)).toBe('21× faster than plain three (20–25×)');
    expect(text(1 / 1.5, 1 / 1.3, 1 / 1.2)).toBe('1.3× slower than plain three (1.2–1.5×)');
    expect(text(1 / 34, 1 / 30, 1 / 28)).toBe('30× slower than plain three (28–34×)');
    expect(text(2.71, 2.71, 2.72)).toBe('2.7× faster than plain three (2.7×)');
  });

  it('is the same within three per cent, and where the quartiles do not agree which is faster', () => {
    expect(text(1.01, 1.02, 1.03)).toBe('Same as plain three (1.01–1.03×)');
    expect(text(0.96, 0.98, 0.99)).toBe('Same as plain three (0.96–0.99×)');
    expect(text(0.8, 1.2, 1.5)).toBe('Same as plain three (0.80–1.5×)');
    expect(text(1.02, 1.04, 1.06)).toBe('1.04× faster than plain three (1.02–1.06×)');
    expect(text(1 / 1.06, 1 / 1.04, 1 / 1.02)).toBe('1.04× slower than plain three (1.02–1.06×)');
  });

  it('never reads 1.0× or 10.0×', () => {
    for (let factor = 0.5; factor < 12; factor += 0.004) {
      expect(text(factor * 0.99, factor, factor * 1.01)).not.toMatch(/\b10?\.0[×–]/);
    }
  });

  it('says what the index would do while plain three draws', () => {
    expect(text(3.9, 4, 4.1, 'three')).toBe('4.0× faster with the index (3.9–4.1×)');
    expect(text(0.25, 0.25, 0.25, 'three')).toBe('4.0× slower with the index (4.0×)');
    expect(text(1, 1, 1, 'three')).toBe('Same with the index (1.00×)');
  });
});

describe('a speed', () => {
  const speedOf = (pairs: [number, number][]) => {
    const speed = new Speed();
    for (const [one, other] of pairs) speed.add(one, other);
    return speed.spread;
  };

  it('is the median of ratios of pairs, with quartiles, once there are some', () => {
    expect(speedOf(Array.from({ length: 4 }, () => [2, 6])).isReliable).toBe(false);
    const pairs: [number, number][] = [3, 1, 5, 2, 4].map((factor) => [2, 2 * factor]);
    expect(speedOf(pairs)).toEqual({ low: 2, median: 3, high: 4, isReliable: true });
    // One interruption changes nothing.
    expect(speedOf([...pairs.slice(0, 4), [2, 1000]]).median).toBe(3);
  });

  it('adds up what a coarse clock cannot tell, and makes nothing of less', () => {
    // A clock of whole milliseconds: 0.25 ms against 0.5 ms.
    const coarse: [number, number][] = Array.from({ length: 80 }, (_, i) => [i % 4 === 0 ? 1 : 0, i % 2]);
    expect(speedOf(coarse).median).toBe(2);
    expect(speedOf(Array.from({ length: 80 }, () => [0, 0]))).toEqual({ low: 1, median: 1, high: 1, isReliable: true });
  });
});

describe('the reason', () => {
  const counts = { things: 'objects', total: 2300, inView: 300, calls: 300, batchedCalls: 18 };

  it('is what was counted', () => {
    expect(whyIndex(true, counts)).toBe('2,000 of 2,300 objects are out of view, and not even visited.');
    expect(whyBatched(true, counts)).toBe('18 draw calls in place of 300.');
    expect(whyCulling(true, 410, counts)).toBe('410 boxes tested in place of 2,300.');
  });

  it.each([
    [whyIndex(false, { ...counts, total: 120 }), /^Only 120 objects/],
    [whyIndex(false, { ...counts, inView: 2000 }), /^2,000 of 2,300 objects are in view/],
    [whyIndex(false, counts), /300 draw calls, which plain three makes/],
    [whyBatched(false, { ...counts, batchedCalls: 290 }), /^Few meshes are alike: 290 draw calls in place of 300/],
    [whyBatched(false, counts), /18 draw calls in place of 300, but/],
    [whyCulling(false, 90, { ...counts, total: 80 }), /^Only 80 objects/],
    [whyCulling(false, 2500, { ...counts, inView: 2200 }), /^2,200 of 2,300 objects are in view/],
  ])('says what keeps a way from being faster: %s', (sentence, pattern) => expect(sentence).toMatch(pattern));
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
