// Doors and windows: where they are on a house, and what they are made of.

import { FLOOR, PLINTH } from './designs.mjs';
import { box, merge, QUARTER, relief, sheet } from './solids.mjs';

export function doorSpot({ width, depth, wing, shop, plain }) {
  if (wing !== undefined) return { x: -Math.sign(wing) * width * 0.16, z: depth / 2 };
  if (shop) return { x: -width / 2 + 1.3, z: depth / 2 };
  // In the middle, or in the window axis right of it.
  const axes = windowCount(width);
  return { x: plain || axes % 2 ? 0 : width / (2 * axes), z: depth / 2 };
}

/** Windows in a row on a wall of this length. */
export const windowCount = (length) => Math.max(1, Math.floor((length - 0.8) / 2.1));

/** { x, y, z, turn, width, height, front }: sill middle and outward direction of every window. */
export function windowSpots(design, wall) {
  const { width, depth, floors, rise, ridge, wing, shop, plain } = design;
  const door = doorSpot(design);
  const spots = [];
  const row = (length, place) => {
    const count = windowCount(length);
    for (let i = 0; i < count; i++) place((length * (i + 0.5)) / count - length / 2);
  };
  for (let floor = 0; floor < floors; floor++) {
    const size = { y: PLINTH + floor * FLOOR + 0.95, width: 1, height: 1.35 };
    if (plain) Object.assign(size, { width: 0.9, height: 0.9, y: size.y + 0.5 });
    row(width, (x) => {
      spots.push({ ...size, x, z: -depth / 2, turn: Math.PI });
      const behindWing = wing !== undefined && Math.abs(x - wing) < 3;
      const shopFront = shop && floor === 0;
      const overDoor = floor === 0 && Math.abs(x - door.x) < (plain ? 2 : 1.35);
      if (!behindWing && !shopFront && !overDoor) spots.push({ ...size, x, z: depth / 2, turn: 0, front: true });
    });
    if (wing !== undefined) spots.push({ ...size, x: wing, z: depth / 2 + 1.6, turn: 0, front: true, width: 1.3 });
    if (shop && floor === 0) {
      const [from, to] = [door.x + 1.1, width / 2 - 0.7];
      spots.push({ x: (from + to) / 2, y: PLINTH + 0.5, z: depth / 2, turn: 0, width: to - from, height: 1.7 });
    }
    row(depth, (z) => {
      spots.push({ ...size, x: width / 2, z, turn: QUARTER });
      spots.push({ ...size, x: -width / 2, z, turn: -QUARTER });
    });
  }
  const attic = { y: wall + rise * 0.2, width: 0.9, height: 1.1 };
  for (const k of [1, -1]) {
    if (ridge === 'x') spots.push({ ...attic, x: (k * width) / 2, z: 0, turn: k * QUARTER });
    else spots.push({ ...attic, x: 0, z: (k * depth) / 2, turn: k > 0 ? 0 : Math.PI });
  }
  return spots;
}

const put = (geometry, { x, y, z, turn }) => geometry.rotateY(turn).translate(x, y, z);

export const frame = (w) => put(relief(w.width + 0.3, w.height + 0.3, 0.08, 0, -0.15), w);

/** Two panes with the frame showing between them, or more in a shop window. */
export function panes(w) {
  const count = Math.max(2, Math.round(w.width / 1.1));
  const pitch = w.width / count;
  const pane = (i) => sheet(pitch - 0.08, w.height, pitch * (i + 0.5) - w.width / 2, 0.13);
  return put(merge(Array.from({ length: count }, (_, i) => pane(i))), w);
}

export function shutters(w) {
  const x = w.width / 2 + 0.4;
  return merge([-x, x].map((offset) => put(relief(0.42, w.height + 0.1, 0.1, offset, -0.05), w)));
}

export const door = ({ x, z }, plain) => box(plain ? 2.4 : 1.1, plain ? 2.6 : 2.1, 0.3, x, PLINTH, z);

/** The frame of a door and the step before it. */
export const doorTrim = ({ x, z }, plain) => [
  box(plain ? 2.8 : 1.45, plain ? 2.85 : 2.32, 0.2, x, 0.25, z),
  box(plain ? 3 : 1.7, PLINTH - 0.02, 1.1, x, 0, z + 0.28),
];
