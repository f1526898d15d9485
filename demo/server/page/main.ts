import { Client, type Room } from '@colyseus/sdk';
import type { Numbers, Watched } from '../src/overview/OverviewRoom.js';
import { PLACES, readPlaces } from '../src/overview/places.js';
import { VIEW } from '../src/protocol/limits.js';
import { Picture } from '../src/protocol/Picture.js';
import { follow } from './follow.js';
import { listenForKeys } from './listenForKeys.js';
import { showNumbers, showText } from './showNumbers.js';
import { type Place, type Viewer, WorldMap } from './WorldMap.js';

const canvas = document.querySelector<HTMLCanvasElement>('#map')!;
const back = document.querySelector<HTMLButtonElement>('#you')!;
const map = new WorldMap(canvas);
const picture = new Picture();
let reach = 0;
let size = 1;
/** Whom the map is about; -1 for one's own player. */
let chosen = -1;
let watched: Watched = { id: -1, seen: [] };
let wireBytes = 0;
let isDrawn = true;

const client = new Client(location.origin);
let world: Room | null = null;
let overview: Room | null = null;

void follow(client, {
  joined(room) {
    world = room;
    room.onMessage(VIEW, (bytes: Uint8Array) => {
      picture.take(bytes);
      wireBytes += bytes.length;
      draw();
    });
    void lookOver(room.roomId);
  },
  lost: () => showText('wire', 'nothing: the connection is lost, trying again'),
  ended: (reason) => showText('wire', `nothing: ${reason}`),
});
listenForKeys(canvas, { sendBytes: (type, bytes) => world?.sendBytes(type, bytes) });

/** Shows the map of the process that the player is in, where the server has one. */
async function lookOver(roomId: string): Promise<void> {
  await overview?.leave().catch(() => {});
  overview = await client.joinById(`overview-${roomId}`).catch(() => null);
  if (overview === null) return showText('seen', 'no map: the server keeps it to itself (OVERVIEW=1)');
  overview.reconnection.enabled = false;
  overview.onMessage(PLACES, (bytes: Uint8Array) => {
    map.places = readPlaces(bytes);
    draw();
  });
  overview.onMessage('watched', (message: Watched) => {
    watched = message;
  });
  overview.onMessage('numbers', (numbers: Numbers) => {
    size = numbers.size;
    reach = numbers.radius / size;
    showNumbers(numbers);
    showText('wire', `${picture.seen.size} · ${(wireBytes / 1000).toFixed(1)} kB/s`);
    wireBytes = 0;
    showViewer();
  });
  choose(-1);
}

canvas.addEventListener('click', ({ clientX, clientY }) => {
  const id = map.playerAt(clientX, clientY);
  if (id >= 0) choose(id === picture.own ? -1 : id);
});
back.addEventListener('click', () => choose(-1));

function choose(id: number): void {
  chosen = id;
  watched = { id, seen: [] };
  overview?.send('watch', id);
  back.hidden = id < 0;
  document.querySelector<HTMLElement>('#wireRow')!.hidden = id >= 0;
  showText('watchedTitle', id < 0 ? 'You' : `Player ${id}`);
  showViewer();
}

/** One's own view is that which came over the wire; another's is what the server says. */
function viewer(): Viewer {
  const seen = new Map<number, Place>();
  if (chosen < 0) {
    for (const [id, { x, z }] of picture.seen) seen.set(id, { x: x / size, z: z / size });
    return { id: picture.own, x: picture.x / size, z: picture.z / size, seen };
  }
  const ids = watched.id === chosen ? watched.seen : [];
  for (const id of ids) {
    const place = map.placeOf(id);
    if (place !== null) seen.set(id, place);
  }
  return { id: chosen, ...(map.placeOf(chosen) ?? { x: -1, z: -1 }), seen };
}

function showViewer(): void {
  showText('seen', `${viewer().seen.size}`);
}

/** Once for all that has come since the last frame. */
function draw(): void {
  if (!isDrawn) return;
  isDrawn = false;
  requestAnimationFrame(() => {
    map.draw(viewer(), reach);
    isDrawn = true;
  });
}
