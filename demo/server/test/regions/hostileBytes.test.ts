import { describe, expect, it } from 'vitest';
import { random } from '../../../../test/helpers/random.js';
import { validate } from '../../../../test/helpers/validate.js';
import { atWidth, seeds } from '../../../../test/helpers/width.js';
import { checksum } from '../../src/protocol/regions/checks.js';
import { Region, RegionMap } from '../../src/protocol/regions/index.js';
import { NO_FAULTS } from './SimulatedNetwork.js';
import { SimulatedWorld } from './SimulatedWorld.js';

const TRIALS = atWidth(800, 150);

/** A world in which messages have all that they can have: ghosts, handovers, claims and answers. */
function busyWorld(seed: number): SimulatedWorld {
  const world = new SimulatedWorld(seed, 2, 2, NO_FAULTS);
  world.populate(40);
  const kept = world.running.map((region) => region.snapshot());
  for (let round = 0; round < 8; round++) {
    if (round === 4) world.regions[3] = Region.restore(kept[3], 2);
    world.network.deliver((to, bytes) => void world.regions[to]?.import(bytes));
    for (const region of world.running) {
      world.moveAll(region, 0.1);
      region.tick();
    }
    if (round < 7) world.sendAll();
  }
  return world;
}

/** Writes the checksum that the bytes should have. */
function seal(bytes: Uint8Array): Uint8Array {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  words.set(checksum(words, 0, words.length - 2), words.length - 2);
  return bytes;
}

/** What can be seen of a region. */
function seen(region: Region): unknown {
  const { index, arrived, departed, silent, recovering, recipients, size } = region;
  return {
    version: index.version,
    arrived: [...arrived],
    departed: [...departed],
    silent,
    recovering,
    recipients,
    size,
  };
}

/** All entities are those of their items, and the index is sound. */
function expectSound(region: Region): void {
  expect(validate(region.index)).toEqual([]);
  expect(region.entities().length).toBe(region.size);
  for (const item of region.index.querySphere(0, 0, 0, Number.POSITIVE_INFINITY)) {
    const entity = region.entityOf(item);
    expect(region.itemOf(entity)).toBe(item);
    expect(region.owns(entity)).toBe(!region.isGhost(item));
    expect(region.payloadOf(entity)).toBeInstanceOf(Uint8Array);
  }
}

describe.each(seeds(2, 1))('seed %i', (seed) => {
  it('a message that is cut off or damaged is refused, and changes nothing', () => {
    const next = random(seed);
    const world = busyWorld(seed);
    for (let trial = 0; trial < TRIALS; trial++) {
      const to = world.upTo(4);
      const from = world.regions[(to + 1 + world.upTo(3)) % 4];
      const region = world.regions[to];
      if (!(from && region)) throw new Error('all run');
      const bytes = from.export(to);
      const isCut = next() < 0.3;
      const bad = isCut ? bytes.slice(0, Math.floor(next() * bytes.length)) : bytes.slice();
      if (!isCut) bad[Math.floor(next() * bad.length)] ^= 1 << Math.floor(next() * 8);
      const before = seen(region);
      expect(() => region.import(bad)).toThrow(/^Region\.import: /);
      expect(() => region.import(bad)).toThrow(RangeError);
      expect(seen(region)).toEqual(before);
    }
  });

  it('a forged message is refused and changes nothing, or leaves a region in order', () => {
    const next = random(seed);
    let taken = 0;
    for (let trial = 0; trial < TRIALS / 10; trial++) {
      const world = trial % 20 === 0 ? busyWorld(seed + trial) : busyWorld(seed);
      const region = world.regions[1];
      const bytes = world.regions[trial % 2 === 0 ? 0 : 3]?.export(1);
      if (!(bytes && region)) throw new Error('all run');
      for (let i = 0; i < 4; i++) {
        const bad = bytes.slice();
        const view = new DataView(bad.buffer);
        const at = 4 * Math.floor((next() * (bad.length - 8)) / 4);
        const values = [
          0,
          1,
          2,
          3,
          0x7fffffff,
          0xffffffff,
          0x7ff80000,
          0x7ff00000,
          0xfff00000,
          Math.floor(next() * 2 ** 32),
        ];
        view.setUint32(at, values[Math.floor(next() * values.length)], true);
        const before = seen(region);
        try {
          if (region.import(seal(bad))) taken++;
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          expect(seen(region)).toEqual(before);
        }
        expectSound(region);
        region.tick();
        for (const to of region.recipients) region.export(to);
      }
    }
    expect(taken).toBeGreaterThan(TRIALS / 100);
  });

  it('a snapshot that is cut off or damaged is refused; a forged one is, or gives a region in order', () => {
    const next = random(seed);
    const bytes = busyWorld(seed).running[3].snapshot();
    expectSound(Region.restore(bytes, 5));
    for (let trial = 0; trial < TRIALS / 2; trial++) {
      const bad = bytes.slice();
      const at = 4 * Math.floor((next() * (bad.length - 8)) / 4);
      new DataView(bad.buffer).setUint32(at, Math.floor(next() * 2 ** (1 + 31 * next())), true);
      const isSame = bad.every((byte, i) => byte === bytes[i]);
      if (!isSame) expect(() => Region.restore(bad, 5)).toThrow(RangeError);
      expect(() => Region.restore(bytes.slice(0, at), 5)).toThrow(RangeError);
      try {
        expectSound(Region.restore(seal(bad), 5));
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });
});

it('what is no message, or is one for somebody else, is refused by name', () => {
  const map = new RegionMap({ bounds: [0, 0, 9, 9], columns: 3, rows: 1 });
  const [a, b, c] = [0, 1, 2].map((region) => new Region(map, region, { margin: 1, incarnation: 1 }));
  const other = new Region(map, 0, { margin: 2, incarnation: 1 });
  for (const bytes of [null, undefined, 3, 'abc', {}, [], new Float64Array(4)]) {
    expect(() => a.import(bytes as unknown as Uint8Array)).toThrow(TypeError);
    expect(() => a.stored(bytes as unknown as Uint8Array)).toThrow(TypeError);
    expect(() => Region.restore(bytes as unknown as Uint8Array)).toThrow(TypeError);
  }
  expect(() => a.import(new Uint8Array(0))).toThrow('Region.import: 0 bytes are no message of a region');
  expect(() => a.import(b.export(2))).toThrow('Region.import: the message is for region 2, not 0');
  expect(() => b.import(other.export(1))).toThrow('another map, margin or hysteresis');
  expect(() => a.import(a.snapshot())).toThrow('no message of a region');
  expect(() => Region.restore(a.export(1))).toThrow('no snapshot of a region');
  expect(() => a.stored(c.snapshot())).toThrow('Region.stored: a snapshot of region 2, incarnation 1');
  // In memory of Node's, bytes may begin anywhere.
  const odd = new Uint8Array(b.export(0).length + 3).subarray(3);
  odd.set(b.export(0));
  expect(a.import(odd)).toBe(true);
  expect(a.import(odd)).toBe(false);
});

it('in a snapshot what leaves must be given to the region that it goes to', () => {
  const map = new RegionMap({ bounds: [0, 0, 9, 9], columns: 3, rows: 1 });
  const region = new Region(map, 0, { margin: 1, incarnation: 1 });
  region.add(1e9 + 7, [4, 0, 4, 4, 1, 4]);
  region.tick();
  const bytes = region.snapshot();
  expect(Region.restore(bytes, 2).isGhost(0)).toBe(true);
  const view = new DataView(bytes.buffer);
  const places = Array.from({ length: bytes.length / 8 }, (_, i) => 8 * i);
  const [, at] = places.filter((place) => view.getFloat64(place, true) === 1e9 + 7);
  // Item, kind, region and epoch, then the entity.
  expect(view.getUint32(at - 8, true)).toBe(1);
  view.setUint32(at - 8, 2, true);
  expect(() => Region.restore(seal(bytes), 2)).toThrow('entity 1000000007 leaves and is given to nobody');
});
