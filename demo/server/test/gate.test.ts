import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type GameServer, type GameServerOptions, startGameServer } from '../src/GameServer.js';
import { networkOf } from '../src/Gate.js';
import { readTicket, writeTicket } from '../src/protocol/ticket.js';
import { Player } from './helpers/Player.js';
import { until } from './helpers/until.js';

const ROOM = { size: 100, entities: 20, rate: 0 };

let server: GameServer;
const start = async (options: Partial<GameServerOptions> = {}): Promise<void> => {
  server = await startGameServer({ port: 0, ...options, room: { ...ROOM, ...options.room } });
};
afterEach(() => server?.close());

interface Answer {
  status: number;
  text: string;
  seat: { processId: string; roomId: string; sessionId: string };
  headers: Headers;
}

async function ask(path = 'join/world', headers: Record<string, string> = {}, body = '{}'): Promise<Answer> {
  // The platform's fetch would not let a test say from where it comes.
  const sent = { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body)}`, ...headers };
  return new Promise((resolve, reject) => {
    const asked = request(`${server.url}/matchmake/${path}`, { method: 'POST', headers: sent }, async (response) => {
      let text = '';
      for await (const data of response) text += data;
      const seat = text.startsWith('{') ? JSON.parse(text) : {};
      resolve({ status: response.statusCode!, text, seat, headers: new Headers(response.headers as HeadersInit) });
    });
    // A server that does not read the rest closes the connection.
    asked.on('error', reject);
    asked.end(body);
  });
}

/** Takes a seat; resolves with the status of a refusal, or 101. */
async function take({ seat }: Answer, origin?: string): Promise<number> {
  const address = server.url.replace('http', 'ws');
  const options = origin === undefined ? {} : { origin };
  const socket = new WebSocket(`${address}/${seat.processId}/${seat.roomId}?sessionId=${seat.sessionId}`, options);
  const status = await new Promise<number>((resolve) => {
    socket.once('open', () => resolve(101));
    socket.once('unexpected-response', (_, { statusCode }) => resolve(statusCode!));
  });
  socket.on('error', () => {});
  socket.terminate();
  return status;
}

test.each([
  ['of the same host', 'http://127.0.0.1:9', true],
  ['that is listed', 'https://game.example.com', true],
  ['of another host', 'https://evil.example.com', false],
  ['that only begins like a listed one', 'https://game.example.com.evil.com', false],
  ['of another scheme than the listed one', 'http://game.example.com', false],
  ['of no host', 'null', false],
])('a page %s gets a seat, and a connection: %s, %s', async (_, origin, isAllowed) => {
  await start({ gate: { origins: ['https://game.example.com'] } });
  const answer = await ask('join/world', { origin });
  expect(answer.status).toBe(isAllowed ? 200 : 403);
  if (isAllowed) expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  // A seat that another client asked for.
  expect(await take(await ask(), origin)).toBe(isAllowed ? 101 : 403);
});

test('what is no browser says no origin, and gets a seat', async () => {
  await start();
  expect(await take(await ask())).toBe(101);
});

test('the overview is there only where it is asked for', async () => {
  await start();
  expect((await ask('join/overview')).status).not.toBe(200);
  await server.close();
  await start({ hasOverview: true });
  expect((await ask('join/overview')).status).toBe(200);
});

test.each(['create/world', 'joinOrCreate/world', 'reconnect/world', 'joinById/nowhere', 'join/__proto__'])(
  'nobody gets a seat by %s',
  async (path) => {
    await start();
    expect((await ask(path)).status).not.toBe(200);
  },
);

test('who asks for a seat with more than a few bytes, or without saying how many, gets none', async () => {
  await start();
  const options = JSON.stringify({ x: '9'.repeat(5_000_000) });
  const long = await ask('join/world', {}, options).catch(() => null);
  // The connection may be closed before the answer was read.
  expect([413, undefined]).toContain(long?.status);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const head = 'POST /matchmake/join/world HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  expect(`${answer}`).toContain('HTTP/1.1 411');
  socket.destroy();
  for (const path of ['/join/world', '%6aoin/world', 'join/world?x=1']) {
    const answer = await ask(path, {}, options).catch(() => null);
    expect([413, undefined], path).toContain(answer?.status);
  }
  expect((await ask('join/world', {}, '{"a":')).status).toBe(400);
  expect((await ask()).status).toBe(200);
});

test('an address gets so many seats and no more, until the time is over', async () => {
  await start({ gate: { seatsPerAddress: 5 } });
  const answers: Answer[] = [];
  for (let i = 0; i < 8; i++) answers.push(await ask('join/world', { 'x-real-ip': `10.0.0.${i}` }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  expect(answers[7].headers.get('retry-after')).toBe('2');
  while ((await ask()).status === 429) await new Promise((resolve) => setTimeout(resolve, 100));
});

test('behind a proxy the address is the one that the proxy names', async () => {
  await start({ gate: { seatsPerAddress: 1, isBehindProxy: true } });
  for (const [address, status] of [
    ['10.0.0.1', 200],
    ['10.0.0.2', 200],
    ['10.0.0.1', 429],
    ['2001:db8:1:2:3::1', 200],
    ['2001:db8:1:2:4::1', 429],
    ['2001:db8:1:3::1', 200],
  ] as const) {
    expect((await ask('join/world', { 'x-real-ip': address })).status, address).toBe(status);
  }
});

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8'],
  ['::1', ''],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('a seat without a socket is free again after two seconds', async () => {
  await start({ room: { mostClients: 1 } });
  expect((await ask()).status).toBe(200);
  const before = performance.now();
  expect((await ask()).status).not.toBe(200);
  while ((await ask()).status !== 200) await new Promise((resolve) => setTimeout(resolve, 100));
  // Half of what Colyseus gives otherwise.
  expect(performance.now() - before).toBeLessThan(7500);
});

test('whatever is wrong with a ticket, the answer is the same', async () => {
  await start();
  const player = await Player.join(server.url);
  await until(() => player.ticket !== undefined);
  const own = readTicket(player.ticket)!;
  const wrong = {
    'no ticket at all': 'nonsense',
    'too long': '9'.repeat(60),
    'a player that there is not': writeTicket({ ...own, entity: own.entity + 1 }),
    'an entity that is no player': writeTicket({ entity: 1, secret: 1n }),
    'no secret': `${own.entity.toString(16)}.0`,
    'another secret': writeTicket({ ...own, secret: own.secret ^ 1n }),
  };
  for (const [name, ticket] of Object.entries(wrong)) {
    const error = await Player.join(server.url, 'world', ticket).catch((reason) => reason);
    expect([error.code, error.message], name).toEqual([525, 'the ticket is not valid']);
  }
  const again = await Player.join(server.url, 'world', player.ticket);
  await until(() => again.ticket !== undefined);
  expect(again.ticket).toBe(player.ticket);
});
