import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ClientState, matchMaker, Protocol } from '@colyseus/core';
import { Client, type Room } from '@colyseus/sdk';
import { afterAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Player } from '../src/Player.js';
import { readSettings } from '../src/settings.js';
import { startServer } from '../src/startServer.js';
import { OVERVIEW, STEER } from '../src/wire.js';
import type { ZoneRoom } from '../src/ZoneRoom.js';
import { ask, start, until } from './helpers.js';

const server = await start({ ORIGINS: 'https://game.example.com', ENTITIES: '20' });
afterAll(() => server.child.kill());

const name = (value: unknown): string => JSON.stringify({ name: value });
test.each([
  ['without options', 'joinOrCreate/zone-0', {}, '{}', 200],
  ['with a name', 'join/zone-0', {}, name('Änne 1'), 200],
  ['with a long name', 'joinOrCreate/zone-0', {}, name('x'.repeat(17)), 400],
  ['with markup for a name', 'joinOrCreate/zone-0', {}, name('<b>'), 400],
  ['that came through a door, by its own word', 'joinOrCreate/zone-0', {}, '{"from":1}', 400],
  ['with a long body', 'joinOrCreate/zone-0', {}, name('x'.repeat(300)), 413],
  ['in a zone beyond the last', 'joinOrCreate/zone-2', {}, '{}', 520],
  ['in a new room of its own', 'create/zone-0', {}, '{}', 520],
  ['back to a player that is not its own', 'reconnect/zone-0', {}, '{"reconnectionToken":"x"}', 524],
  ['from a page of the same host', 'joinOrCreate/zone-0', { origin: 'http://127.0.0.1:9' }, '{}', 200],
  ['from a listed page', 'joinOrCreate/zone-0', { origin: 'https://game.example.com' }, '{}', 200],
  ['from another page', 'joinOrCreate/zone-0', { origin: 'https://game.example.com.evil.com' }, '{}', 403],
  ['from a page of no host', 'joinOrCreate/zone-0', { origin: 'null' }, '{}', 403],
])('who asks for a seat %s (%s) gets its answer', async (_, path, headers, body, status) => {
  expect((await ask(server.url, path, headers, body)).status).toBe(status);
});

test.each([
  ['http://127.0.0.1:9', 101],
  ['https://evil.example.com', 403],
])('a page of %s that takes a seat gets %i', async (origin, status) => {
  const { seat } = await ask(server.url);
  const url = `${server.url.replace('http', 'ws')}/${seat.processId}/${seat.roomId}?sessionId=${seat.sessionId}`;
  const socket = new WebSocket(url, { origin });
  const answer = new Promise((resolve) => {
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode));
  });
  expect(await answer).toBe(status);
  socket.on('error', () => {}).terminate();
});

test.each<[string, (room: Room) => void, number]>([
  ['what is no direction', (room) => room.sendBytes(STEER, new Uint8Array(3)), 4002],
  ['more than 30 messages', (room) => Array.from({ length: 40 }, () => room.sendBytes(STEER, new Uint8Array(2))), 4002],
  ['for the overview, where there is none', (room) => room.send(OVERVIEW), 4002],
])('a client that sends %s is closed', async (_, send, code) => {
  const room = await new Client(server.url).joinOrCreate('zone-0');
  const closed = new Promise((resolve) => room.onLeave(resolve));
  send(room);
  expect(await closed).toBe(code);
});

test.each<[string, string | Uint8Array<ArrayBuffer>, number]>([
  ['text', 'steer', 4002],
  ['a direction as text', String.fromCharCode(Protocol.ROOM_DATA_BYTES, STEER, 9, 9), 4002],
  ['nothing', Uint8Array.of(), 4002],
  ['a request', Uint8Array.of(Protocol.ROOM_REQUEST, 1, OVERVIEW), 4002],
  ['what is no message', Uint8Array.of(200), 4002],
  ['more than 64 bytes', new Uint8Array(65), 1009],
])('clients that send %s are closed, with one line in the log', async (_, data, code) => {
  const { url, child, log } = await start({ ENTITIES: '20' });
  for (let client = 0; client < 2; client++) {
    const room = await new Client(url).joinOrCreate('zone-0');
    const closed = new Promise((resolve) => room.onLeave(resolve));
    const { ws } = room.connection.transport as unknown as { ws: WebSocket };
    for (let i = 0; i < 5; i++) ws.send(data);
    expect(await closed).toBe(code);
  }
  expect(log).toEqual([expect.stringMatching(/^refused 1 frame of clients, the last for: \w/)]);
  child.kill();
});

test.each(['0', '65536', '80.5', 'http', ''])('the port %j is refused by name, before anything starts', (PORT) => {
  const main = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));
  const { status, stdout, stderr } = spawnSync('node', [main], { env: { ...process.env, PORT }, encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([1, '', `PORT: must be a whole number from 1 to 65535, got ${PORT}\n`]);
});

test('an address gets so many seats', async () => {
  const { url, child } = await start({ SEATS: '2', PROXY: '1', ENTITIES: '20' });
  const addresses = ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2', '2001:db8::1', '2001:db8::2', '2001:db8::3'];
  const answers: number[] = [];
  for (const address of addresses) answers.push((await ask(url, undefined, { 'x-real-ip': address })).status);
  expect(answers).toEqual([200, 200, 429, 200, 200, 200, 429]);
  child.kill();
});

test('each client is told of what its player sees, and of nothing else, while others come and go', async () => {
  const settings = readSettings({ ZONES: '1', ENTITIES: '300', SIZE: '300', RADIUS: '60' });
  settings.port = 0;
  Object.assign(settings.zone, { rate: 0, every: 1 });
  const { url, server } = await startServer(settings);
  const room = matchMaker.getLocalRoomById('zone-0') as ZoneRoom;
  const { world } = room;
  const clients: { player: Player; view: Set<string>; tick: number }[] = [];
  for (let tick = 1; tick <= 120; tick++) {
    if (tick % 20 === 1) {
      const told = (tick: number): unknown => Object.assign(client, { tick });
      const client = { player: new Player(url, { told }), view: new Set<string>(), tick: 0 };
      await client.player.join(0, `p${tick}`);
      client.player.steer(Math.random() - 0.5, Math.random() - 0.5);
      clients.push(client);
      if (tick > 60) await clients.shift()!.player.room.leave();
      await until(() => room.clients.every(({ state }) => state === ClientState.JOINED));
    }
    for (const { player } of clients) player.places.clear();
    room.step(0.2);
    await until(() => clients.every((client) => client.tick === world.tick));
    const names = new Map([...world.ids].map((id) => [id, room.state.cards.get(`${id}`)!.name]));
    for (const client of clients) {
      const { id } = room.sessions.get(client.player.room.sessionId)!;
      const [x, z] = world.places.subarray(2 * id);
      const distance = (to: number) => Math.hypot(world.places[2 * to] - x, world.places[2 * to + 1] - z);
      const sees = (other: number): boolean => distance(other) <= (client.view.has(names.get(other)!) ? 66 : 60);
      const inView = [...world.ids].filter((other) => other !== id && sees(other)).sort((a, b) => a - b);
      client.view = new Set(inView.map((other) => names.get(other)!));
      const { seen, places, own } = client.player;
      expect([...seen].sort(([a], [b]) => a - b)).toEqual(inView.map((other) => [other, names.get(other)]));
      expect([own.id, new Set(places.keys())]).toEqual([id, new Set([...inView, id])]);
      for (const { id, x, z } of places.values()) {
        expect(Math.hypot(x - world.places[2 * id], z - world.places[2 * id + 1])).toBeLessThan(0.005);
      }
    }
  }
  await server.gracefullyShutdown(false);
});
