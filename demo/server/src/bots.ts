// Bots walk about, and only count what comes, so that one thread or process can be hundreds of them.

import { once } from 'node:events';
import { workerData } from 'node:worker_threads';
import { Protocol } from '@colyseus/core';
import { WebSocket } from 'ws';
import { STEER, writeSteer } from './wire.js';

const { url, count, zones } = (workerData ?? process.env) as { url: string; count: number; zones: number };
for (let i = 0; i < count; i++) await join(i % zones);

async function join(zone: number): Promise<void> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"bot"}' };
  const seat = await fetch(`${url}/matchmake/joinOrCreate/zone-${zone}`, request);
  const { processId, roomId, sessionId } = (await seat.json()) as Record<string, string>;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/${processId}/${roomId}?sessionId=${sessionId}`);
  socket.on('message', (data: Buffer) => {
    if (data[0] === Protocol.JOIN_ROOM) socket.send(Uint8Array.of(Protocol.JOIN_ROOM));
  });
  const timer = setInterval(() => {
    const angle = Math.random() * 2 * Math.PI;
    socket.send(Uint8Array.of(Protocol.ROOM_DATA_BYTES, STEER, ...writeSteer(Math.cos(angle), Math.sin(angle))));
  }, 2000);
  socket.on('close', () => {
    clearInterval(timer);
    // A bot that went into a door has left, and comes in anew.
    void join(zone);
  });
  await once(socket, 'open');
}
