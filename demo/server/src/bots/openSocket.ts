import { WebSocket } from 'ws';

/**
 * Reserves a seat in the world, or in the room of a region, and opens a connection to it, as Colyseus' SDK does; resolves
 * with the socket before anything was said on it.
 */
export async function openSocket(url: string, room = 'world'): Promise<WebSocket> {
  const answer = await fetch(`${url}/matchmake/${room === 'world' ? 'join' : 'joinById'}/${room}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (!answer.ok) throw new Error(`openSocket: ${answer.status} ${await answer.text()}`);
  const { processId, roomId, sessionId, publicAddress } = (await answer.json()) as Record<string, string>;
  const address = publicAddress === undefined ? url.replace('http', 'ws') : `ws://${publicAddress}`;
  return new WebSocket(`${address}/${processId}/${roomId}?sessionId=${sessionId}`);
}
