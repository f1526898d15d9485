import { readFileSync } from 'node:fs';
import { propagate, twoline2satrec } from 'satellite.js';
import { describe, expect, it } from 'vitest';
import { Ephemeris } from '../../../../demo/worlds/satellites/orbits/Ephemeris.js';
import { BEGIN, UNIT } from '../../../../demo/worlds/satellites/orbits/frame.js';

const lines = readFileSync('assets/satellites.tle', 'utf8').trimEnd().split('\n');
/** Every fiftieth satellite. */
const some = lines.filter((_, i) => Math.floor(i / 3) % 50 === 0);

/** Of each satellite, how far place (km) and velocity (km/s) are from those of the model itself. */
function errors(ephemeris: Ephemeris): { place: number; velocity: number }[] {
  const { places, velocities, seconds } = ephemeris;
  return Array.from({ length: ephemeris.count }, (_, i) => {
    const record = twoline2satrec(some[3 * i + 1]!, some[3 * i + 2]!);
    const { position: p, velocity: v } = propagate(record, new Date(BEGIN.getTime() + 1000 * seconds))!;
    const off = (at: Float64Array, { x, y, z }: typeof p) =>
      Math.hypot(UNIT * at[3 * i]! - x, UNIT * at[3 * i + 1]! - z, UNIT * at[3 * i + 2]! + y);
    return { place: off(places, p), velocity: off(velocities, v) };
  });
}

describe('Ephemeris', () => {
  it('reads names and launches', () => {
    const { names, launches, count } = new Ephemeris(some.join('\n'));
    expect(count).toBe(67);
    expect(names[0]).toBe('VANGUARD 2');
    expect(launches[0]).toBe('59001A');
  });

  it.each([0, 31, 1234.5, 86_400])('is within ten metres of the model after %d seconds', (seconds) => {
    const ephemeris = new Ephemeris(some.join('\n'));
    ephemeris.moveTo(seconds);
    for (const { place, velocity } of errors(ephemeris)) {
      expect(place).toBeLessThan(0.01);
      expect(velocity).toBeLessThan(0.0015);
    }
  });

  it('has the same places at a time, whichever way time came there', () => {
    const [straight, stepped] = [new Ephemeris(some.join('\n')), new Ephemeris(some.join('\n'))];
    for (let t = 0; t <= 600; t += 7.5) stepped.moveTo(t);
    straight.moveTo(600);
    expect(stepped.places).toEqual(straight.places);
    stepped.moveTo(100_000);
    stepped.moveTo(600);
    expect(stepped.places).toEqual(straight.places);
  });

  it('traces a revolution that passes through the present place and ends near its begin', () => {
    const ephemeris = new Ephemeris(some.join('\n'));
    const points = new Float32Array(3 * 101);
    const at = (i: number) => [...points.subarray(3 * i, 3 * i + 3)];
    const distance = (a: number[], b: number[]) => Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
    expect(ephemeris.trace(5, points)).toBe(101);
    expect(distance(at(50), [...ephemeris.places.subarray(15, 18)])).toBeLessThan(1e-5);
    expect(distance(at(0), at(100))).toBeLessThan(0.1);
  });

  it('lets those that have come down rest, and keeps the others', () => {
    const ephemeris = new Ephemeris(lines.join('\n'));
    const up = () => Array.from({ length: ephemeris.count }, (_, i) => ephemeris.isUp(i)).filter(Boolean).length;
    expect(up()).toBe(3333);
    ephemeris.moveTo(30 * 86_400);
    expect(up()).toBeLessThan(3333);
    expect(up()).toBeGreaterThan(3300);
    expect(ephemeris.places.every(Number.isFinite)).toBe(true);
  });
});
