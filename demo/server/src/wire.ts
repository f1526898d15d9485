// The messages that go over the wire beside Colyseus' own state.

/** Types of messages: where things are, a direction, the whole zone, the seat behind a door. */
export const [PLACES, STEER, OVERVIEW, DOOR] = [1, 2, 3, 4] as const;
/** How close to the middle of a door one goes through it. */
export const DOOR_RADIUS = 12;
const STEPS = 65_535;

/** The doors of a zone to those beside it, in the middle of its western and eastern sides. */
export function doorsOf(zone: number, zones: number, size: number): { x: number; z: number; to: number }[] {
  const all = [-1, 1].map((way) => ({ x: way < 0 ? 0 : size, z: size / 2, to: zone + way }));
  return all.filter(({ to }) => to >= 0 && to < zones);
}

let words = new Uint16Array(1024);
/**
 * Writes the tick, then id, x and z of a client's own entity and of others, in words of 16 bits. The next message overwrites it.
 * @param places By id, x and z, from 0 to `size`.
 */
export function writePlaces(tick: number, own: number, { ids, length }: Ids, places: Float64Array, size: number) {
  if (words.length < 3 * length + 4) words = new Uint16Array(6 * length);
  words[0] = tick;
  const scale = STEPS / size;
  let n = 1;
  for (let i = -1; i < length; i++) {
    const id = i < 0 ? own : ids[i];
    words[n++] = id;
    words[n++] = places[2 * id] * scale + 0.5;
    words[n++] = places[2 * id + 1] * scale + 0.5;
  }
  return new Uint8Array(words.buffer, 0, 2 * n);
}

export type Place = { id: number; x: number; z: number };
type Ids = { ids: Int32Array; length: number };

/** Reads what `writePlaces` writes. */
export function readPlaces(bytes: Uint8Array, size: number): { tick: number; places: Place[] } {
  // A copy, as words have to begin at an even byte.
  const words = new Uint16Array(bytes.slice().buffer);
  const places: Place[] = [];
  for (let i = 1; i + 2 < words.length; i += 3) {
    places.push({ id: words[i], x: (words[i + 1] / STEPS) * size, z: (words[i + 2] / STEPS) * size });
  }
  return { tick: words[0], places };
}

/** A direction, no longer than 1, as two bytes with a sign. */
export function writeSteer(x: number, z: number): Uint8Array {
  const scale = 127 / Math.max(1, Math.hypot(x, z));
  return new Uint8Array(Int8Array.of(x * scale, z * scale).buffer);
}

/** Reads what `writeSteer` writes, cut to a length of 1; null for anything else. */
export function readSteer(bytes: unknown): [x: number, z: number] | null {
  if (!(bytes instanceof Uint8Array) || bytes.length !== 2) return null;
  const [x, z] = new Int8Array(Uint8Array.from(bytes).buffer);
  const length = Math.max(127, Math.hypot(x, z));
  return [x / length, z / length];
}
