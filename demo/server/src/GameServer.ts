import { createServer, type Server as HttpServer } from 'node:http';
import { matchMaker, Server } from '@colyseus/core';
import { RedisDriver } from '@colyseus/redis-driver';
import { WebSocketTransport } from '@colyseus/ws-transport';
import express from 'express';
import { ViewsRoom } from './compare/ViewsRoom.js';
import { Gate, type GateOptions } from './Gate.js';
import { OverviewRoom } from './overview/OverviewRoom.js';
import { MOST_INPUT_BYTES } from './protocol/limits.js';
import { type ClaimOptions, RegionLink } from './regions/RegionLink.js';
import { connectRedis, WatchedPresence } from './regions/redisConnections.js';
import type { RoomOptions } from './room/RoomOptions.js';
import { WorldRoom } from './room/WorldRoom.js';
import { WORLD } from './settings.js';

export interface GameServerOptions {
  /** 0 for any that is free. */
  port: number;
  /** Only this machine by default. */
  host?: string;
  /** How clients reach this process, such as `game.example.com:2567`; by default `host` and `port`. */
  publicAddress?: string | null;
  room: Partial<RoomOptions>;
  /** A folder of static files to serve. */
  page?: string;
  /** The room with plain views, to compare with. */
  hasPlainViews?: boolean;
  /** A room that shows all there is, for the map. */
  hasOverview?: boolean;
  /** Redis, over which the regions of one world find each other; without it there is one region, in memory. */
  redis?: string | null;
  /** How the region is claimed. */
  claim?: ClaimOptions;
  gate?: GateOptions;
}

/** A running server. */
export interface GameServer {
  readonly url: string;
  readonly room: WorldRoom;
  /** Saves the region, disconnects its clients, and releases the region. */
  close(): Promise<void>;
}

/** How long a client may take to send a request, in milliseconds. */
const SLOW = { headersTimeout: 5_000, requestTimeout: 10_000 };

/**
 * Starts a server with one world, or one region of it.
 * @throws Error if the port is in use, if Redis cannot be reached, or if Redis has no snapshot of the region.
 */
export async function startGameServer(options: GameServerOptions): Promise<GameServer> {
  const { room, redis = null, claim = {} } = options;
  const link = redis === null ? null : await RegionLink.claim(redis, WORLD, room.region ?? 0, claim);
  try {
    return await startWith(link, options);
  } catch (error) {
    await link?.release();
    link?.close();
    throw error;
  }
}

async function startWith(link: RegionLink | null, options: GameServerOptions): Promise<GameServer> {
  const { port, host = '127.0.0.1', room, hasPlainViews = false, hasOverview = false, redis = null } = options;
  const http = createServer(SLOW);
  const gate = new Gate(options.gate ?? {});
  const server = makeServer(http, gate, options);
  const id = redis === null ? 'world' : `region-${room.region ?? 0}`;
  server.define('world', hasPlainViews ? ViewsRoom : WorldRoom);
  // Colyseus does not report a port that is in use.
  const failed = new Promise<never>((_, reject) => http.once('error', reject));
  await Promise.race([server.listen(port, host), failed]);
  gate.guard(http);
  const { roomId } = await matchMaker.createRoom('world', { ...room, link, roomId: id });
  if (hasOverview) {
    server.define('overview', OverviewRoom);
    await matchMaker.createRoom('overview', { world: roomId, roomId: `overview-${roomId}` });
  }
  const world = matchMaker.getLocalRoomById(roomId) as WorldRoom;
  if (link !== null) {
    server.onBeforeShutdown(() => world.end());
    // Only after Colyseus has removed the room from its list: the next process adds one with the same id.
    server.onShutdown(async () => {
      await link.release();
      link.close();
    });
  }
  const address = http.address() as { port: number };
  return {
    url: `http://${host}:${address.port}`,
    room: world,
    close: () => server.gracefullyShutdown(false),
  };
}

function makeServer(http: HttpServer, gate: Gate, options: GameServerOptions): Server {
  const { port, host = '127.0.0.1', page, redis = null, publicAddress = null } = options;
  const transport = new WebSocketTransport({
    server: http,
    maxPayload: MOST_INPUT_BYTES,
    beforeUpgrade: (_, { headers }) =>
      gate.admits(headers.get('origin'), headers.get('host')) ? undefined : new Response(null, { status: 403 }),
  });
  const address = publicAddress ?? (redis === null ? null : `${host}:${port}`);
  // Clients join the rooms that there are: whoever could create some would fill the process with worlds.
  matchMaker.controller.exposedMethods = ['join', 'joinById'];
  matchMaker.controller.getCorsHeaders = (headers) => {
    const origin = headers.get('origin');
    const isAllowed = gate.admits(origin, headers.get('host'));
    return { 'Access-Control-Allow-Origin': isAllowed ? (origin ?? '*') : 'null' };
  };
  return new Server({
    ...(redis === null ? {} : { presence: new WatchedPresence(redis), driver: new RedisDriver(connectRedis(redis)) }),
    ...(address === null ? {} : { publicAddress: address }),
    transport,
    greet: false,
    gracefullyShutdown: false,
    // A region runs in the process that was started for it.
    selectProcessIdToCreateRoom: async () => matchMaker.processId,
    express: (app) => {
      if (page !== undefined) app.use(express.static(page));
    },
  });
}
