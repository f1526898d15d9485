import { createServer } from 'node:http';
import { matchMaker, Server } from '@colyseus/core';
import { RedisDriver } from '@colyseus/redis-driver';
import { RedisPresence } from '@colyseus/redis-presence';
import { WebSocketTransport } from '@colyseus/ws-transport';
import express from 'express';
import { makeGate } from './gate.js';
import type { Settings } from './settings.js';
import { openZone, roomOf, ZoneRoom } from './ZoneRoom.js';

/** Starts a process of the world, and opens the first zone that none has open. SIGTERM ends it as Colyseus does. */
export async function startServer(settings: Settings, page?: string): Promise<{ url: string; server: Server }> {
  const { host, port, redis, publicAddress, zone } = settings;
  const http = createServer({ headersTimeout: 5_000, requestTimeout: 10_000 });
  const gate = makeGate(settings.gate);
  // A seat in a zone, whose room is made if there is none, or the way back to one's own; no rooms of other kinds.
  matchMaker.controller.exposedMethods = ['joinOrCreate', 'join', 'joinById', 'reconnect'];
  matchMaker.controller.getCorsHeaders = (headers) => {
    const origin = headers.get('origin') ?? '*';
    return { 'Access-Control-Allow-Origin': gate.admits(headers.get('origin'), headers.get('host')) ? origin : 'null' };
  };
  const server = new Server({
    ...(redis ? { presence: new RedisPresence(redis), driver: new RedisDriver(redis) } : {}),
    ...(publicAddress ? { publicAddress } : {}),
    transport: new WebSocketTransport({
      server: http,
      // Whoever sends a longer message is closed.
      maxPayload: 64,
      WebSocket: gate.GatedSocket,
      beforeUpgrade: (_, { headers }) =>
        gate.admits(headers.get('origin'), headers.get('host')) ? undefined : new Response(null, { status: 403 }),
    }),
    greet: false,
    express: (app) => void (page && app.use(express.static(page))),
  });
  for (let i = 0; i < zone.zones; i++) server.define(roomOf(i), ZoneRoom, { ...zone, zone: i });
  // Colyseus does not report a port that is in use.
  const failed = new Promise<never>((_, reject) => http.once('error', reject));
  await Promise.race([server.listen(port, host), failed]);
  gate.guard(http);
  let first = 0;
  while (first < zone.zones - 1 && (await matchMaker.getRoomById(roomOf(first)))) first++;
  await openZone(first);
  return { url: `http://${host}:${(http.address() as { port: number }).port}`, server };
}
