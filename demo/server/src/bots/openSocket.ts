import { WebSocket } from 'ws';

/**
 * Reserves a seat in the world and opens a connection to it, as Colyseus' SDK does; resolves with the socket before
 * anything was said on it.
 */
export async function openSocket(url: string): Promise<WebSocket> {
  const answer = await fetch(`${url}/matchmake/join/world`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (!answer.ok) throw new Error(`openSocket: ${answer.status} ${await answer.text()}`);
  const { processId, roomId, sessionId } = (await answer.json()) as Record<string, string>;
  return new WebSocket(`${url.replace('http', 'ws')}/${processId}/${roomId}?sessionId=${sessionId}`);
}
