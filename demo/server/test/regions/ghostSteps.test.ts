import { expect, it } from 'vitest';
import { random } from '../../../../test/helpers/random.js';
import { atWidth, seeds } from '../../../../test/helpers/width.js';
import { Region } from '../../src/protocol/regions/index.js';
import { SentGhosts, stepOf } from '../../src/protocol/regions/SentGhosts.js';
import { boxAt, greet, keep, makeRow } from './regionRow.js';
import { SimulatedNetwork } from './SimulatedNetwork.js';

const MARGIN = 10;
const STEP = stepOf(MARGIN);
const PAYLOAD = Uint8Array.of(1);
const FIRST = { entity: 7, epoch: 1, box: boxAt(95), payload: PAYLOAD };

it.each<[string, Partial<typeof FIRST>, boolean]>([
  ['one at rest', {}, false],
  ['one that moved', { box: boxAt(97.5) }, false],
  ['one that moved as far as 16 bits count', { box: boxAt(95 + STEP * 32767) }, false],
  ['one that moved further', { box: boxAt(95 + STEP * 32768) }, true],
  ['one that grew', { box: [...boxAt(95).slice(0, 5), 52] }, true],
  ['one with another payload', { payload: Uint8Array.of(1) }, true],
  ['one that had another owner', { epoch: 3 }, true],
  ['another one with the same item', { entity: 8 }, true],
])('in full is told %s: %j, %s', (_, change, isInFull) => {
  const sent = new SentGhosts(MARGIN);
  const add = (message: number, confirmed: number, ghost: typeof FIRST): number => {
    sent.begin(message, confirmed);
    sent.add(5, ghost.entity, ghost.epoch, Float64Array.from(ghost.box), ghost.payload);
    sent.end();
    return sent.unconfirmed.length;
  };
  expect(add(1, 0, FIRST)).toBe(1);
  expect(add(2, 0, FIRST)).toBe(1);
  expect(add(3, 1, FIRST)).toBe(0);
  expect(add(4, 1, { ...FIRST, ...change })).toBe(isInFull ? 1 : 0);
});

it('a ghost costs ten bytes once it is known, and is off by a step at most', () => {
  const [a, b] = makeRow(2);
  greet([a, b]);
  const empty = a.export(1).length;
  const next = random(3);
  const boxes = Array.from({ length: 100 }, () => Float64Array.from(boxAt(92 + 7 * next())));
  boxes.forEach((box, entity) => void a.add(entity, box, new Uint8Array(18)));
  greet([a, b]);
  for (const box of boxes) for (let c = 0; c < 6; c++) box[c] += c % 3 === 1 ? 0 : 0.6180339887;
  a.moveAll(
    [...boxes.keys()],
    boxes.flatMap((box) => [...box]),
  );
  const bytes = a.export(1);
  expect(bytes.length).toBe(empty + 1000);
  b.import(bytes);
  boxes.forEach((box, entity) => {
    const ghost = b.index.getBox(b.itemOf(entity));
    for (let c = 0; c < 6; c++) expect(Math.abs(ghost[c] - box[c])).toBeLessThanOrEqual(STEP);
  });
});

it.each([
  ['a neighbour that has been restarted', 1, 2],
  ['a region that has been restarted', 2, 1],
])('steps from what %s told another process are refused, and change nothing', (_, incarnation, tellers) => {
  const [a, b] = makeRow(2);
  a.add(7, boxAt(95));
  for (let i = 0; i < 2; i++) greet([a, b]);
  const own = incarnation === 1 ? b : Region.restore(b.snapshot(), incarnation);
  // Other processes of the same regions and incarnations, who have told and heard.
  const teller = tellers === 1 ? a : makeRow(2, { incarnation: tellers })[0];
  const hearer = makeRow(2, { incarnation: incarnation })[1];
  if (teller !== a) teller.add(7, boxAt(95));
  for (let i = 0; i < 2; i++) greet([teller, hearer]);
  const { version } = own.index;
  expect(() => own.import(teller.export(1))).toThrow('Region.import: no ghost was told of in slot 0');
  expect(own.index.version).toBe(version);
});

type Told = Map<number, [box: number[], payload: number]>;

/** What a neighbour is told of now. */
const inSight = (truth: Told): Told =>
  new Map(
    [...truth].filter(([, [box]]) => box[3] >= 100 - MARGIN).map(([e, [box, payload]]) => [e, [[...box], payload]]),
  );

const ROUNDS = atWidth(2_000, 200);

it.each(seeds(6, 2))('after each message ghosts are as they were when it was sent, seed %i', (seed) => {
  const next = random(seed);
  const upTo = (n: number): number => Math.floor(next() * n);
  const network = new SimulatedNetwork({ loss: 0.2, doubling: 0.1, delay: 3 }, next);
  let [a, b] = makeRow(2, { ghostLifetime: 1e6 });
  let snapshot = keep(b);
  const truth: Told = new Map();
  const sent = new WeakMap<Uint8Array, Told>();
  // Multiples of a step, so that they arrive exactly.
  const randomBox = (): number[] => {
    const [x, z, size] = [80 + upTo(76) / 4, upTo(396) / 4, upTo(5) / 4];
    return [x, 0, z, x + 0.5, 1, z + size];
  };
  let entities = 0;
  let incarnation = 1;
  let taken = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const [entity, now] of truth) {
      const act = upTo(40);
      if (act === 0) {
        a.remove(entity);
        truth.delete(entity);
        continue;
      }
      if (act === 1) now[1] = upTo(256);
      if (act === 2) now[0] = randomBox();
      else if (act < 20) now[0] = now[0].map((x, c) => (c % 3 === 1 ? x + 0.25 : x));
      if (act === 1) a.setPayload(entity, Uint8Array.of(now[1]));
      a.move(entity, now[0]);
    }
    while (truth.size < 20) {
      truth.set(entities, [randomBox(), 0]);
      a.add(entities, truth.get(entities)?.[0] ?? [], Uint8Array.of(0));
      entities++;
    }
    a.tick();
    b.tick();
    const bytes = a.export(1);
    if (a.recovering.length === 0) sent.set(bytes, inSight(truth));
    network.send(1, bytes);
    network.send(0, b.export(0));
    network.deliver((to, message) => {
      if (!(to === 0 ? a : b).import(message) || !sent.has(message)) return;
      taken++;
      const seen = [...b.index.querySphere(0, 0, 0, Number.POSITIVE_INFINITY)].map((item) => {
        return [b.entityOf(item), [[...b.index.getBox(item)], b.payloadOf(b.entityOf(item))[0]]] as const;
      });
      expect(new Map(seen)).toEqual(sent.get(message));
    });
    if (a.isSnapshotWanted) keep(a);
    if (b.isSnapshotWanted || upTo(10) === 0) snapshot = keep(b);
    if (upTo(30) === 0) b = Region.restore(snapshot, ++incarnation);
    if (upTo(60) === 0) a = Region.restore(keep(a), ++incarnation);
  }
  expect(taken).toBeGreaterThan(ROUNDS / 8);
});
