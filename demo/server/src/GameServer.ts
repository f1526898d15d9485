import { createServer } from 'node:http';
import { matchMaker, Server } from '@colyseus/core';
import { RedisDriver } from '@colyseus/redis-driver';
import { RedisPresence } from '@colyseus/redis-presence';
import { WebSocketTransport } from '@colyseus/ws-transport';
import express from 'express';
import { ViewsRoom } from './compare/ViewsRoom.js';
import { OverviewRoom } from './overview/OverviewRoom.js';
import { MOST_INPUT_BYTES } from './protocol/limits.js';
import { RegionLink } from './regions/RegionLink.js';
import type { RoomOptions } from './room/RoomOptions.js';
import { WorldRoom } from './room/WorldRoom.js';

export interface GameServerOptions {
  /** 0 for any that is free. */
  port: number;
  /** Only this machine by default. */
  host?: string;
  room: Partial<RoomOptions>;
  /** A folder of static files to serve. */
  page?: string;
  /** The room with plain views, to compare with. */
  hasPlainViews?: boolean;
  /** A room that shows all there is, for the map. */
  hasOverview?: boolean;
  /** Redis, over which the regions of one world find each other; without it there is one region, in memory. */
  redis?: string | null;
}

/** A running server. */
export interface GameServer {
  readonly url: string;
  readonly room: WorldRoom;
  close(): Promise<void>;
}

/** Starts a server with one world, or one region of it. */
export async function startGameServer(options: GameServerOptions): Promise<GameServer> {
  const { port, host = '127.0.0.1', room, page, hasPlainViews = false, hasOverview = false, redis = null } = options;
  const http = createServer();
  const transport = new WebSocketTransport({ server: http, maxPayload: MOST_INPUT_BYTES });
  const shared =
    redis === null
      ? {}
      : { presence: new RedisPresence(redis), driver: new RedisDriver(redis), publicAddress: `${host}:${port}` };
  const server = new Server({
    ...shared,
    transport,
    greet: false,
    gracefullyShutdown: false,
    // A region runs in the process that was started for it.
    selectProcessIdToCreateRoom: async () => matchMaker.processId,
    express: (app) => {
      if (page !== undefined) app.use(express.static(page));
    },
  });
  // Clients join the rooms that there are: whoever could create some would fill the process with worlds.
  matchMaker.controller.exposedMethods = ['join', 'joinById'];
  const world = redis === null ? 'world' : `region-${room.region ?? 0}`;
  server.define('world', hasPlainViews ? ViewsRoom : WorldRoom);
  await server.listen(port, host);
  const regional = redis === null ? {} : await RegionLink.open(redis, 'world', room.region ?? 0);
  const { roomId } = await matchMaker.createRoom('world', { ...room, ...regional, roomId: world });
  if (hasOverview) {
    server.define('overview', OverviewRoom);
    await matchMaker.createRoom('overview', { world: roomId });
  }
  const address = http.address() as { port: number };
  return {
    url: `http://${host}:${address.port}`,
    room: matchMaker.getLocalRoomById(roomId) as WorldRoom,
    close: () => server.gracefullyShutdown(false),
  };
}
