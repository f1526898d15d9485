import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createIndex, fromBytes, type SpatialIndex, STRUCTURES, toBytes } from '../../src/standalone.js';
import { checksum } from '../../src/structures/save.js';
import { DISTRIBUTIONS } from '../helpers/distributions.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';
import { VARIANTS } from '../helpers/variants.js';

/** Broken inputs of each kind. */
const FUZZ = 20_000;

function made(name: (typeof STRUCTURES)[number], count: number, seed: number): SpatialIndex {
  const next = random(seed);
  const index = createIndex(name, { capacity: 4 });
  for (let i = 0; i < count; i++) {
    const at = [next() * 50, next() * 50, next() * 50];
    index.add([...at, ...at.map((c) => c + next() * 5)]);
  }
  for (let i = 0; i < count; i += 5) index.remove(i);
  return index;
}

/** `toEqual` takes long over bytes. */
function expectSameBytes(got: Uint8Array, expected: Uint8Array): void {
  expect(Buffer.compare(got, expected)).toBe(0);
}

describe.each(VARIANTS)('a saved $label', ({ name, options }) => {
  it.each(DISTRIBUTIONS)('comes back with the same items under the same ids, boxes $label', ({ make }) => {
    const index = createIndex(name, options);
    const ids = index.addAll(make(8, 120).flat());
    for (let i = 0; i < 40; i++) index.remove(ids[3 * i]);
    const bytes = toBytes(index);
    const copy = fromBytes(bytes);
    expect(validate(copy)).toEqual([]);
    expect(copy.constructor).toBe(index.constructor);
    expect(copy.size).toBe(index.size);
    const boxesOf = (one: SpatialIndex): string[] =>
      [...ids].map((id) => (one.has(id) ? one.getBox(id).join() : 'none'));
    expect(boxesOf(copy)).toEqual(boxesOf(index));
    expect(copy.queryBox([0, 0, 0, 30, 30, 30]).sort().toArray()).toEqual(
      index.queryBox([0, 0, 0, 30, 30, 30]).sort().toArray(),
    );
    // Options and ids are those of the first, whatever happens to the two from here on.
    for (const each of [index, copy]) each.rebuild();
    expect(copy.queryPlanes([]).toArray()).toEqual(index.queryPlanes([]).toArray());
    expectSameBytes(toBytes(copy), toBytes(index));
    for (let i = 0; i < 70; i++) {
      expect(copy.add([i, i, i, i + 1, i + 1, i + 1])).toBe(index.add([i, i, i, i + 1, i + 1, i + 1]));
    }
    expect(validate(copy)).toEqual([]);
  });
});

it.each(STRUCTURES)('an empty %s, and one of which all was removed, come back', (name) => {
  const index = createIndex(name);
  expect(fromBytes(toBytes(index)).size).toBe(0);
  const id = index.add([0, 0, 0, 1, 1, 1]);
  index.remove(id);
  const copy = fromBytes(toBytes(index).buffer as ArrayBuffer);
  expect(copy.add([0, 0, 0, 1, 1, 1])).toBe(id);
});

it('bytes may lie anywhere, are not changed, and may be changed afterwards', () => {
  const index = made('looseOctree', 100, 1);
  const bytes = toBytes(index);
  for (const offset of [0, 1, 4, 8]) {
    const room = new Uint8Array(bytes.length + 16).fill(7);
    room.set(bytes, offset);
    const part = room.subarray(offset, offset + bytes.length);
    const copy = fromBytes(part);
    expectSameBytes(part, bytes);
    part.fill(0);
    expect(validate(copy)).toEqual([]);
    expectSameBytes(toBytes(copy), bytes);
  }
});

it('bytes may be of Node, or of another realm', () => {
  const index = made('octree', 100, 1);
  const bytes = toBytes(index);
  for (const offset of [0, 1, 4, 8]) {
    const buffer = Buffer.alloc(bytes.length + 8);
    buffer.set(bytes, offset);
    expectSameBytes(toBytes(fromBytes(buffer.subarray(offset, offset + bytes.length))), bytes);
  }
  const theirs = runInNewContext('new Uint8Array(bytes)', { bytes: [...bytes] }) as Uint8Array;
  expect(theirs).not.toBeInstanceOf(Uint8Array);
  expectSameBytes(toBytes(fromBytes(theirs)), bytes);
  expectSameBytes(toBytes(fromBytes(theirs.buffer as ArrayBuffer)), bytes);
});

it('bytes that were given away are none', () => {
  const bytes = toBytes(made('octree', 100, 1));
  structuredClone(bytes.buffer, { transfer: [bytes.buffer as ArrayBuffer] });
  expect(() => fromBytes(bytes)).toThrow(/^fromBytes: not a saved index \(0 bytes\)/);
  expect(() => fromBytes(bytes.buffer as ArrayBuffer)).toThrow(/^fromBytes: /);
});

it.each([null, undefined, 'TSIX', 5, [1, 2], {}, new Int32Array(100), new DataView(new ArrayBuffer(200))])(
  '%s are no bytes',
  (value) => {
    expect(() => fromBytes(value as never)).toThrow(TypeError);
  },
);

describe('bytes that are not as they were written', () => {
  const saved = STRUCTURES.map((name, i) => toBytes(made(name, 12, i)));
  const refuse = (bytes: Uint8Array, what: string): void => {
    let error: unknown = null;
    try {
      fromBytes(bytes);
    } catch (thrown) {
      error = thrown;
    }
    if (!(error instanceof RangeError)) expect.fail(`${what}: ${String(error)}`);
  };

  it(`cut off anywhere, or continued: refused`, () => {
    for (const bytes of saved) {
      for (let length = 0; length < bytes.length; length++) refuse(bytes.subarray(0, length), `cut at ${length}`);
      for (const more of [1, 4, 8, 16]) refuse(Uint8Array.from([...bytes, ...new Uint8Array(more)]), `${more} more`);
    }
  });

  it('with one bit turned over, each of all: refused', () => {
    for (const bytes of saved) {
      for (let bit = 0; bit < 8 * bytes.length; bit++) {
        bytes[bit >> 3] ^= 1 << (bit & 7);
        refuse(bytes, `bit ${bit}`);
        bytes[bit >> 3] ^= 1 << (bit & 7);
      }
    }
  });

  it(`of random numbers, ${FUZZ} times, seed 1: refused`, () => {
    const next = random(1);
    for (let i = 0; i < FUZZ; i++) {
      const bytes = Uint8Array.from({ length: Math.floor(next() * 400) }, () => Math.floor(next() * 256));
      // Half of them begin as they should.
      if (i % 2 === 0) bytes.set(saved[0].subarray(0, Math.min(16, bytes.length)));
      refuse(bytes, `${i}`);
    }
  });

  it.each([2, 3])('forged with a checksum that is right, seed %i: refused, or a valid index', (seed) => {
    const next = random(seed);
    let loaded = 0;
    for (let i = 0; i < FUZZ; i++) {
      const bytes = saved[i % saved.length].slice();
      const words = new Int32Array(bytes.buffer);
      const edits = 1 + Math.floor(next() * 3);
      for (let k = 0; k < edits; k++) {
        const value = [0, 1, -1, -2, 7, 2 ** 31 - 1, -(2 ** 31), 0x7ff00000, 0x7ff80000, Math.floor(next() * 2 ** 32)];
        // Headers and ids are where an error would do harm.
        const near = next() < 0.5 ? 24 : words.length - 2;
        words[Math.floor(next() * near)] = value[Math.floor(next() * value.length)];
      }
      words.set(checksum(words), words.length - 2);
      let index: SpatialIndex;
      try {
        index = fromBytes(bytes);
      } catch (error) {
        if (!(error instanceof RangeError)) expect.fail(`${i}: ${String(error)}`);
        continue;
      }
      loaded++;
      const problems = validate(index);
      if (problems.length > 0) expect.fail(`${i}: ${problems[0]}`);
      if (index.queryPlanes([]).length !== index.size) expect.fail(`${i}: not all are found`);
    }
    expect(loaded).toBeGreaterThan(FUZZ / 50);
  });
});
