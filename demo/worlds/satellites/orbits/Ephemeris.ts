import { type SatRec, sgp4, twoline2satrec } from 'satellite.js';
import { BEGIN_DAY, UNIT } from './frame.js';

/**
 * Seconds between two knots. Between them a cubic through places and velocities is within 8 m of these orbits, at 120 s
 * within 20 m; with none is it nearer than 4 m, as the velocities of the model are not quite the slopes of its places.
 */
const STEP = 60;
/** Numbers of a satellite: place and velocity at the knot before, the same at the knot after. */
const KNOTS = 12;

/**
 * Where satellites are. Their knots are staggered, so that in each frame a few of them are due and the work is even.
 * The place at a time depends on that time alone, not on the frames before.
 *
 * Orbits by SGP4, the model these elements are made for (Hoots and Roehrich, "Spacetrack Report No. 3", 1980), as
 * satellite.js has it.
 */
export class Ephemeris {
  readonly count: number;
  readonly names: readonly string[];
  /** Year and number of the launch, as catalogues write them. */
  readonly launches: readonly string[];
  /** In units of the world, three numbers each. */
  readonly places: Float64Array;
  /** Units a second. */
  readonly velocities: Float64Array;
  seconds = 0;
  readonly #records: SatRec[] = [];
  readonly #knots: Float64Array;
  /** Which knot comes before now, for each satellite; NaN: it has come down. */
  readonly #segments: Float64Array;

  /** @param text Three lines a satellite: its name, and two of elements. */
  constructor(text: string) {
    const lines = text.trimEnd().split('\n');
    const names: string[] = [];
    const launches: string[] = [];
    for (let i = 0; i + 2 < lines.length; i += 3) {
      names.push(lines[i]!);
      launches.push(lines[i + 1]!.slice(9, 17).trim());
      this.#records.push(twoline2satrec(lines[i + 1]!, lines[i + 2]!));
    }
    this.count = names.length;
    this.names = names;
    this.launches = launches;
    this.places = new Float64Array(3 * this.count);
    this.velocities = new Float64Array(3 * this.count);
    this.#knots = new Float64Array(KNOTS * this.count);
    this.#segments = new Float64Array(this.count).fill(Number.NEGATIVE_INFINITY);
    this.moveTo(0);
  }

  /** Radians to the equator, and minutes of a revolution. */
  orbit(satellite: number): { inclination: number; period: number } {
    const { inclo, no } = this.#records[satellite]!;
    return { inclination: inclo, period: (2 * Math.PI) / no };
  }

  /** False after it has burnt up. */
  isUp(satellite: number): boolean {
    return !Number.isNaN(this.#segments[satellite]);
  }

  moveTo(seconds: number): void {
    this.seconds = seconds;
    const segments = this.#segments;
    for (let i = 0; i < this.count; i++) {
      const phase = i / this.count;
      const segment = Math.floor(seconds / STEP - phase);
      if (segment !== segments[i]) this.#setSegment(i, segment);
      this.#interpolate(i, seconds / STEP - phase - segment);
    }
  }

  /** Writes points of one revolution around now, three numbers each, and returns how many. */
  trace(satellite: number, out: Float32Array): number {
    const points = out.length / 3;
    const period = 60 * this.orbit(satellite).period;
    const state = new Float64Array(6);
    for (let i = 0; i < points; i++) {
      const share = i / (points - 1) - 0.5;
      if (!this.#propagate(satellite, this.seconds + share * period, state, 0)) return 0;
      out.set(state.subarray(0, 3), 3 * i);
    }
    return points;
  }

  #setSegment(satellite: number, segment: number): void {
    const segments = this.#segments;
    if (Number.isNaN(segments[satellite])) return;
    const knots = this.#knots;
    const o = KNOTS * satellite;
    const begin = (segment + satellite / this.count) * STEP;
    const follows = segment === segments[satellite]! + 1;
    if (follows) knots.copyWithin(o, o + 6, o + KNOTS);
    const known = follows || this.#propagate(satellite, begin, knots, o);
    segments[satellite] = known && this.#propagate(satellite, begin + STEP, knots, o + 6) ? segment : Number.NaN;
  }

  /** Writes place and velocity at a time; false when there are none. */
  #propagate(satellite: number, seconds: number, out: Float64Array, o: number): boolean {
    const record = this.#records[satellite]!;
    const state = sgp4(record, (BEGIN_DAY - record.jdsatepoch) * 1440 + seconds / 60);
    if (!state || !Number.isFinite(state.position.x)) return false;
    const { position: p, velocity: v } = state;
    // satellite.js has z to the north.
    out[o] = p.x / UNIT;
    out[o + 1] = p.z / UNIT;
    out[o + 2] = -p.y / UNIT;
    out[o + 3] = v.x / UNIT;
    out[o + 4] = v.z / UNIT;
    out[o + 5] = -v.y / UNIT;
    return true;
  }

  /** Cubic Hermite interpolation at this share of the segment. */
  #interpolate(satellite: number, t: number): void {
    const knots = this.#knots;
    const { places, velocities } = this;
    const u = 1 - t;
    const start = u * u * (1 + 2 * t);
    const end = t * t * (3 - 2 * t);
    const leave = u * u * t * STEP;
    const arrive = -t * t * u * STEP;
    const change = (6 * t * u) / STEP;
    for (let c = 0; c < 3; c++) {
      const o = KNOTS * satellite + c;
      const p0 = knots[o]!;
      const v0 = knots[o + 3]!;
      const p1 = knots[o + 6]!;
      const v1 = knots[o + 9]!;
      places[3 * satellite + c] = start * p0 + end * p1 + leave * v0 + arrive * v1;
      velocities[3 * satellite + c] = change * (p1 - p0) + u * (u - 2 * t) * v0 + t * (t - 2 * u) * v1;
    }
  }
}
