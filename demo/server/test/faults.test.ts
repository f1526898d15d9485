import { ClientState, CloseCode } from '@colyseus/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GameServer, startGameServer } from '../src/GameServer.js';
import { BAD_MESSAGE, REPLACED } from '../src/protocol/closeCodes.js';
import { MOST_INPUT_BYTES, STEER } from '../src/protocol/limits.js';
import type { WorldRoom } from '../src/room/WorldRoom.js';
import { random } from '../src/world/random.js';
import { Player } from './helpers/Player.js';
import { connectRaw, type RawClient } from './helpers/rawClient.js';
import { until } from './helpers/until.js';

const OPTIONS = {
  size: 100,
  entities: 254,
  radius: 200,
  nearRadius: 200,
  every: 1,
  rate: 0,
  mostMessages: 30,
  graceTicks: 20,
};

let server: GameServer;
let room: WorldRoom;
/** One who behaves, and must notice nothing. */
let witness: Player;

async function start(options = {}): Promise<void> {
  server = await startGameServer({ port: 0, room: { ...OPTIONS, ...options }, gate: { seatsPerAddress: 1000 } });
  room = server.room;
  witness = await Player.join(server.url);
  await tick();
}

/** A step, after which the witness knows of all that there is. */
async function tick(): Promise<void> {
  if (!isSilent) await allJoined();
  room.step(0.05);
  await witness.reached(room.world.tick);
  expect(witness.picture.seen.size).toBe(Math.min(255, room.world.count - 1));
}
let isSilent = false;

/** As many as a player without a client is waited for, and looks for such there are in between. */
async function outwait(): Promise<void> {
  for (let i = 0; i < 65; i++) await tick();
}

const allJoined = (): Promise<void> =>
  until(() => [...room.sessions.values()].every(({ client }) => client.state === ClientState.JOINED));

beforeEach(() => {
  isSilent = false;
});
afterEach(() => server.close());

const isGone = (): boolean => room.sessions.size === 1;
const random32 = random(11);
const rubbish = (): Uint8Array => Uint8Array.from({ length: 1 + random32() * 40 }, () => random32() * 256);

test('who floods is disconnected', async () => {
  await start();
  const { socket, closed } = await connectRaw(server.url);
  for (let i = 0; i < 200; i++) socket.send(Uint8Array.of(17, STEER, 1, 1));
  expect(await closed).toBe(CloseCode.WITH_ERROR);
  await until(isGone);
  await tick();
  expect(room.world.count).toBe(OPTIONS.entities + 1);
});

test('who sends more bytes than a message may have is disconnected', async () => {
  await start();
  const { socket, closed } = await connectRaw(server.url);
  socket.send(new Uint8Array(MOST_INPUT_BYTES + 1));
  expect(await closed).toBe(1009);
  await until(isGone);
  await tick();
});

test.each([
  ['a direction of three bytes', [17, STEER, 1, 1, 1], BAD_MESSAGE],
  ['a direction that is none', [17, STEER, 128, 0], BAD_MESSAGE],
  ['an unknown message', [17, 99, 1, 1], CloseCode.WITH_ERROR],
  ['a message that ends within its name', [13, 0xd9, 200, 65], null],
])('%s disconnects its sender', async (_, bytes, code) => {
  await start();
  const { socket, closed } = await connectRaw(server.url);
  socket.send(Uint8Array.from(bytes));
  const closedWith = await closed;
  if (code !== null) expect(closedWith).toBe(code);
  await until(isGone);
  await tick();
});

test('rubbish of hundreds of clients changes nothing for others', async () => {
  await start({ mostMessages: 1000 });
  for (let round = 0; round < 20; round++) {
    const raws: RawClient[] = await Promise.all(Array.from({ length: 10 }, () => connectRaw(server.url)));
    for (const { socket } of raws) for (let i = 0; i < 20; i++) socket.send(rubbish());
    await tick();
    for (const { socket } of raws) socket.terminate();
    await until(isGone);
  }
  await outwait();
  expect(room.world.count).toBe(OPTIONS.entities + 1);
});

test('who never confirms that it joined is disconnected', async () => {
  await start({ mostSkipped: 20 });
  isSilent = true;
  const { closed } = await connectRaw(server.url, false);
  for (let i = 0; i < 30; i++) await tick();
  // The reason, unless the connection was gone before it was read.
  expect([4408, 1006]).toContain(await closed);
  await until(isGone);
});

/** Ticks in which everything comes or goes, until a condition holds. */
async function tickBusily(holds: () => boolean): Promise<number> {
  const { world } = room;
  let most = 0;
  for (let i = 0; i < 20_000 && !holds(); i++) {
    // Out of sight of all, or back.
    for (const id of world.ids) if (world.kind[id] !== 0) world.teleport(id, i % 2 ? 9000 : 50, 50);
    room.step(0);
    await witness.reached(world.tick);
    for (const { waiting } of room.sessions.values()) most = Math.max(most, waiting);
  }
  expect(holds()).toBe(true);
  return most;
}

test('who never reads is sent nothing more, takes bounded memory, and is disconnected', async () => {
  const closeAbove = 200_000;
  await start({
    size: 10_000,
    entities: 0,
    radius: 150,
    nearRadius: 150,
    skipAbove: 20_000,
    closeAbove,
    mostSkipped: 50,
  });
  crowd();
  const { socket } = await connectRaw(server.url);
  await allJoined();
  gather();
  socket.pause();
  const most = await tickBusily(isGone);
  expect(most).toBeGreaterThan(20_000);
  // Cards go on coming for the ticks that are allowed; of 255 entities they are some 10 kB a tick.
  expect(most).toBeLessThan(closeAbove + 20_000);
  room.step(0);
  await witness.reached(room.world.tick);
  expect(room.world.count).toBe(250);
});

test('who reads again after a while is told all that it missed', async () => {
  await start({
    size: 10_000,
    entities: 0,
    radius: 150,
    nearRadius: 150,
    skipAbove: 20_000,
    closeAbove: 1e9,
    mostSkipped: 1e9,
  });
  crowd();
  const late = await Player.join(server.url);
  await allJoined();
  gather();
  const { ws } = (late.room.connection as unknown as { transport: { ws: { pause(): void; resume(): void } } })
    .transport;
  const session = room.sessions.get(late.room.sessionId)!;
  room.step(0);
  await late.reached(room.world.tick);
  ws.pause();
  await tickBusily(() => session.skipped > 10);
  ws.resume();
  await until(() => session.waiting === 0);
  room.step(0);
  await late.reached(room.world.tick);
  expect(late.message.isAll).toBe(true);
  expect([...late.picture.seen.keys()].sort()).toEqual([...session.observer!.inView].sort());
  expect([...late.cards.keys()].sort()).toEqual([...late.picture.seen.keys()].sort());
});

/** Entities of all kinds, and both players in their midst. */
function crowd(): void {
  for (let i = 0; i < 249; i++) room.world.add(i, 1 + (i % 4), 50, 50);
}
function gather(): void {
  const { region } = room.world;
  for (const { entity } of room.sessions.values()) room.world.teleport(region.itemOf(entity), 50, 50);
}

/** Runs something once before a method of an object, until it is restored. */
function before<T extends object>(object: T, name: keyof T, act: () => void): () => void {
  const method = object[name] as () => unknown;
  const own = (): unknown => {
    act();
    return method.call(object);
  };
  Object.defineProperty(object, name, { value: own, configurable: true });
  return () => void Reflect.deleteProperty(object, name);
}

const hangBefore = {
  interest: (hang: () => void) => before(room.interest, 'tick', hang),
  patch: (hang: () => void) => before(room, 'broadcastPatch', hang),
};

test.each(['interest', 'patch'] as const)(
  'who disconnects in mid-tick, before the %s, disturbs nobody',
  async (when) => {
    await start();
    for (let round = 0; round < 5; round++) {
      const { socket } = await connectRaw(server.url);
      await tick();
      const session = [...room.sessions.values()].find(({ client }) => client.sessionId !== witness.room.sessionId)!;
      const hang = (): void => {
        session.client.ref.terminate();
        socket.terminate();
      };
      const restore = hangBefore[when](hang);
      await tick();
      restore();
      await until(isGone);
      await tick();
    }
    await outwait();
    expect(room.world.count).toBe(OPTIONS.entities + 1);
  },
);

test('who joins a second time with its ticket goes on in place of the first', async () => {
  await start();
  const before = await Player.join(server.url);
  await tick();
  const { own } = before.picture;
  const after = await Player.join(server.url, 'world', before.ticket);
  expect(await before.closed).toBe(REPLACED);
  await until(() => room.sessions.size === 2);
  await tick();
  await after.reached(room.world.tick);
  expect(after.picture.own).toBe(own);
  await tick();
  await after.reached(room.world.tick);
  const sent = room.bytes;
  await after.room.leave();
  await until(isGone);
  expect(room.bytes).toBe(sent);
  await tick();
  expect(room.world.count).toBe(OPTIONS.entities + 1);
});

test('the player of a dropped connection waits for its client, for a while', async () => {
  await start();
  const before = await Player.join(server.url);
  await tick();
  await before.reached(room.world.tick);
  const { own } = before.picture;
  before.room.connection.close(1001);
  await until(isGone);
  for (let i = 0; i < 15; i++) await tick();
  expect(room.world.count).toBe(OPTIONS.entities + 2);
  const after = await Player.join(server.url, 'world', before.ticket);
  await outwait();
  await after.reached(room.world.tick);
  expect(after.picture.own).toBe(own);
  after.room.connection.close(1001);
  await until(isGone);
  await outwait();
  expect(room.world.count).toBe(OPTIONS.entities + 1);
  await expect(Player.join(server.url, 'world', before.ticket)).rejects.toThrow('the ticket is not valid');
});

test.each([
  ['leaves', (player: Player) => player.room.leave()],
  ['is sent away', async ({ room: { connection } }: Player) => connection.send(Uint8Array.of(17, STEER, 128, 0))],
])('the player of a client that %s is gone', async (_, end) => {
  await start();
  const player = await Player.join(server.url);
  await tick();
  await end(player);
  await until(isGone);
  await tick();
  expect(room.world.count).toBe(OPTIONS.entities + 1);
});

test('a direction that is none disconnects its sender where views are plain, too', async () => {
  server = await startGameServer({ port: 0, room: OPTIONS, hasPlainViews: true });
  const { sessions } = server.room;
  const { socket, closed } = await connectRaw(server.url);
  socket.send(Uint8Array.of(17, STEER, 1, 1, 1));
  expect(await closed).toBe(BAD_MESSAGE);
  await until(() => sessions.size === 0);
});

test('who comes and goes leaves nothing behind', async () => {
  await start();
  for (let round = 0; round < 40; round++) {
    const { socket } = await connectRaw(server.url);
    if (round % 2) await tick();
    socket.terminate();
    await until(isGone);
  }
  await outwait();
  expect(room.interest.observers.size).toBe(1);
  expect(room.world.count).toBe(OPTIONS.entities + 1);
  expect(room.world.index.size).toBe(OPTIONS.entities + 1);
  expect(room.state.cards.size).toBe(OPTIONS.entities + 1);
});
