import { createServer } from 'node:http';
import { matchMaker, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import express from 'express';
import { ViewsRoom } from './compare/ViewsRoom.js';
import { OverviewRoom } from './overview/OverviewRoom.js';
import { MOST_INPUT_BYTES } from './protocol/limits.js';
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
}

/** A running server. */
export interface GameServer {
  readonly url: string;
  readonly room: WorldRoom;
  close(): Promise<void>;
}

/** Starts a server with one world, presence and driver in memory. */
export async function startGameServer(options: GameServerOptions): Promise<GameServer> {
  const { port, host = '127.0.0.1', room, page, hasPlainViews = false, hasOverview = false } = options;
  const http = createServer();
  const transport = new WebSocketTransport({ server: http, maxPayload: MOST_INPUT_BYTES });
  const server = new Server({
    transport,
    greet: false,
    gracefullyShutdown: false,
    express: (app) => {
      if (page !== undefined) app.use(express.static(page));
    },
  });
  server.define('world', hasPlainViews ? ViewsRoom : WorldRoom, room);
  await server.listen(port, host);
  const { roomId } = await matchMaker.createRoom('world', room);
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
