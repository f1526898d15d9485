import { WebSocket } from 'ws';

/** After so long a seat is asked for again where there are too many who ask, in milliseconds. */
const AGAIN = 500;

/**
 * Reserves a seat in the world, or in the room of a region, and opens a connection to it, as Colyseus' SDK does; resolves
 * with the socket before anything was said on it.
 * @param ticket Of the player to go on with; none for a new one.
 */
export async function openSocket(url: string, room = 'world', ticket?: string): Promise<WebSocket> {
  const answer = await fetch(`${url}/matchmake/${room === 'world' ? 'join' : 'joinById'}/${room}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(ticket === undefined ? {} : { authorization: `Bearer ${ticket}` }),
    },
    body: '{}',
  });
  if (answer.status === 429) {
    await answer.text();
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
    return openSocket(url, room, ticket);
  }
  if (!answer.ok) throw new Error(`openSocket: ${answer.status} ${await answer.text()}`);
  const { processId, roomId, sessionId, publicAddress } = (await answer.json()) as Record<string, string>;
  const address = publicAddress === undefined ? url.replace('http', 'ws') : `ws://${publicAddress}`;
  return new WebSocket(`${address}/${processId}/${roomId}?sessionId=${sessionId}`);
}
