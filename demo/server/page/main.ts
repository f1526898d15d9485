import { Player } from '../src/Player.js';
import { OVERVIEW, type Place, readPlaces } from '../src/wire.js';
import { drawMap } from './drawMap.js';

/** By the place of the key: what it writes is another thing with Shift, and in other languages. */
const WAYS: Record<string, readonly [number, number]> = {
  ...{ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] },
  ...{ KeyA: [-1, 0], KeyD: [1, 0], KeyW: [0, -1], KeyS: [0, 1] },
};
const canvas = document.querySelector<HTMLCanvasElement>('#map')!;
let overview: Place[] = [];
let received = 0;
let isDrawn = true;
/** The way from the player to where a finger or a mouse holds the map; null where none does. */
let goal: (() => [x: number, z: number]) | null = null;

const show = (id: string, text: string): void => {
  document.getElementById(id)!.textContent = text;
};
const player = new Player(location.origin, {
  entered(room) {
    overview = [];
    show('note', '');
    room.onMessage(OVERVIEW, (bytes: Uint8Array) => {
      overview = readPlaces(bytes, room.state.size).places;
    });
    room.onStateChange.once((state) => state.overview && room.send(OVERVIEW));
  },
  told(_, bytes) {
    received += bytes;
    // With each tick anew: its player moves on, and the finger may rest.
    if (goal) player.steer(...goal());
    if (isDrawn) requestAnimationFrame(draw);
    isDrawn = false;
  },
  lost: (_, reason) => show('note', `Not connected: ${reason}.`),
});
await player.join(0, 'visitor').catch(({ message }) => show('note', `No seat: ${message}.`));

function draw(): void {
  isDrawn = true;
  drawMap(canvas, player, overview);
  const { zone, zones, animals, players, tick } = player.room.state;
  show('zone', `${zone + 1} of ${zones}`);
  show('seen', `${player.seen.size} of ${(animals + players).toLocaleString('en')}`);
  show('tick', `${tick.toFixed(1)} ms`);
}
setInterval(() => {
  show('wire', `${(received / 1000).toFixed(1)} kB/s`);
  received = 0;
}, 1000);

const held = new Set<string>();
function steerOn(type: string, change: (code: string) => void): void {
  canvas.addEventListener(type, (event) => {
    const { code = '', ctrlKey = false, metaKey = false } = event as Partial<KeyboardEvent>;
    if (type !== 'blur' && (!(code in WAYS) || ctrlKey || metaKey)) return;
    event.preventDefault();
    const before = held.size;
    change(code);
    const sum = (axis: 0 | 1): number => [...held].reduce((total, code) => total + WAYS[code][axis], 0);
    if (held.size !== before) player.steer(sum(0), sum(1));
  });
}
for (const type of ['pointerdown', 'pointermove'] as const) {
  canvas.addEventListener(type, ({ offsetX, offsetY, buttons, pointerId, isPrimary }) => {
    if (!isPrimary || buttons !== 1) return;
    if (type === 'pointerdown') canvas.setPointerCapture(pointerId);
    goal = () => {
      const { own, room } = player;
      const unit = room.state.size / canvas.clientWidth;
      return [offsetX * unit - own.x, offsetY * unit - own.z];
    };
  });
}
// The finger is lifted, or taken by the browser for something else.
canvas.addEventListener('lostpointercapture', () => {
  goal = null;
  player.steer(0, 0);
});
steerOn('keydown', (code) => held.add(code));
steerOn('keyup', (code) => held.delete(code));
steerOn('blur', () => held.clear());
canvas.focus();
