import type { Player } from '../src/Player.js';
import { DOOR_RADIUS, doorsOf, type Place } from '../src/wire.js';

/** Draws a zone, what a player sees of it, and all else, where the server tells of it. */
export function drawMap(canvas: HTMLCanvasElement, { room, own, seen, places }: Player, all: Place[]): void {
  const { zone, zones, size, radius, animals } = room.state;
  const context = canvas.getContext('2d')!;
  const style = getComputedStyle(canvas);
  const sides = Math.round(canvas.clientWidth * devicePixelRatio);
  if (canvas.width !== sides) canvas.width = canvas.height = sides;
  const pixel = (size * devicePixelRatio) / sides;
  const dots = (points: readonly { x: number; z: number }[], pixels: number, colour: string): void => {
    const r = pixels * pixel;
    context.beginPath();
    for (const { x, z } of points) context.roundRect(x - r, z - r, 2 * r, 2 * r, pixels < 2 ? 0 : r);
    context.fillStyle = context.strokeStyle = style.getPropertyValue(`--${colour}`);
    context.fill();
  };
  context.setTransform(sides / size, 0, 0, sides / size, 0, 0);
  context.clearRect(0, 0, size, size);
  const rest = all.filter(({ id }) => !seen.has(id) && id !== own.id);
  dots(rest, 1.2, 'culled');
  context.globalAlpha = 0.12;
  dots([own], radius / pixel, 'accent');
  context.globalAlpha = 1;
  context.lineWidth = 1.5 * pixel;
  context.stroke();
  const [beasts, others]: Place[][] = [[], []];
  for (const place of places.values()) if (seen.has(place.id)) (place.id < animals ? beasts : others).push(place);
  dots(beasts, 2.5, 'accent');
  dots(others, 4, 'range');
  context.font = `600 ${14 * pixel}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  for (const door of doorsOf(zone, zones, size)) {
    dots([door], DOOR_RADIUS / pixel, 'intersecting');
    const way = door.x === 0 ? 1 : -1;
    context.textAlign = way > 0 ? 'left' : 'right';
    context.fillStyle = style.getPropertyValue('--text');
    context.fillText(`to zone ${door.to + 1}`, door.x + way * (DOOR_RADIUS + 8 * pixel), door.z);
  }
  dots([own], 7.5, 'surface');
  dots([own], 6, 'picked');
}
