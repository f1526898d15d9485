/** Where a player wants to go: a direction of length 1 at most, or 0 0 to stand. */
export interface Direction {
  x: number;
  z: number;
}

const FULL = 127;

/** Two bytes with a sign. */
export function writeSteer(x: number, z: number): Uint8Array {
  const scale = FULL / Math.max(1, Math.hypot(x, z));
  return new Uint8Array(Int8Array.of(x * scale, z * scale).buffer);
}

/**
 * Reads what `writeSteer` writes; a longer direction becomes one of length 1.
 * @throws RangeError for anything else, TypeError for what is not bytes.
 */
export function readSteer(bytes: unknown): Direction {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('readSteer: must be bytes');
  if (bytes.length !== 2) throw new RangeError(`readSteer: must be 2 bytes, got ${bytes.length}`);
  if (bytes[0] === 128 || bytes[1] === 128) throw new RangeError('readSteer: -128 is no direction');
  const [x, z] = new Int8Array(Uint8Array.from(bytes).buffer);
  const length = Math.max(FULL, Math.hypot(x, z));
  return { x: x / length, z: z / length };
}
