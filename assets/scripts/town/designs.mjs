// House designs as numbers, and the parts they turn into. A house stands on y = 0 with its front at +z; every house
// of one design shares its geometries and differs in colour.

import { box, extrude, faces, merge } from './solids.mjs';

export const FLOOR = 2.8;
const PLINTH = 0.3;
const EAVES = 0.5;
const SLAB = 0.32;

// ridge 'x': eaves to the street; 'z': gable to the street. `rise`: height of the gable. `wing`: a second, lower
// gable to the front at this x. `timber`, `shop`, `dormers` (x positions), `shutters`: dressing.
export const designs = {
  cottage: { width: 7.6, depth: 6.4, floors: 1, rise: 3.4, ridge: 'x', shutters: true },
  longCottage: { width: 10.5, depth: 6.4, floors: 1, rise: 3.6, ridge: 'x', dormers: [-2.4, 2.4] },
  gable: { width: 6.6, depth: 8, floors: 2, rise: 3.8, ridge: 'z' },
  tallGable: { width: 6.2, depth: 8.4, floors: 3, rise: 4, ridge: 'z', shop: true },
  house: { width: 8.4, depth: 7, floors: 2, rise: 3.4, ridge: 'x', shutters: true },
  wideHouse: { width: 11, depth: 7.4, floors: 2, rise: 3.6, ridge: 'x', dormers: [-3, 0, 3] },
  angle: { width: 11, depth: 7, floors: 2, rise: 3.4, ridge: 'x', wing: 2.6, shutters: true },
  lowAngle: { width: 10, depth: 6.6, floors: 1, rise: 3.4, ridge: 'x', wing: -2.1 },
  timbered: { width: 7, depth: 8, floors: 2, rise: 4.2, ridge: 'z', timber: true },
  wideTimbered: { width: 9.6, depth: 7.4, floors: 2, rise: 4.2, ridge: 'x', timber: true, shop: true },
  town: { width: 9, depth: 8, floors: 3, rise: 3.4, ridge: 'x', shop: true, dormers: [-2, 2] },
  slimTown: { width: 7, depth: 8, floors: 3, rise: 3.2, ridge: 'x', shop: true, shutters: true },
  warehouse: { width: 9, depth: 11.5, floors: 3, rise: 4.4, ridge: 'z', plain: true },
  shed: { width: 6, depth: 5, floors: 1, rise: 2.2, ridge: 'x', plain: true },
};

/** { body, roof, chimney, door, trim, panes } and, where the design has them, shutters, beams, awning. */
export function houseParts(design) {
  const { width, depth, floors, rise, ridge, wing, dormers = [], plain } = design;
  const wall = PLINTH + floors * FLOOR;
  const along = ridge === 'x' ? [depth, width] : [width, depth];
  const turn = ridge === 'x' ? Math.PI / 2 : 0;
  const bodies = [prism(...along, wall, rise).rotateY(turn)];
  const roofs = [roof(...along, wall, rise).rotateY(turn)];
  if (wing !== undefined) {
    const shape = [4.4, depth / 2 + 1.6, wall - 0.25, rise * 0.72];
    bodies.push(prism(...shape).translate(wing, 0, depth / 4 + 0.8));
    roofs.push(roof(...shape).translate(wing, 0, depth / 4 + 0.8));
  }
  const windows = windowSpots(design, wall);
  for (const x of dormers) {
    const z = depth / 2 - 1.1;
    bodies.push(prism(1.7, 2, 1.5, 0.7).translate(x, wall, z - 1));
    roofs.push(roof(1.7, 2, 1.5, 0.7, 0.2, 0.16).translate(x, wall, z - 1));
    windows.push({ x, y: wall + 0.45, z, turn: 0, height: 0.95, width: 0.85 });
  }
  const door = doorSpot(design);
  const chimneyX = ridge === 'x' ? width * 0.28 : width * 0.2;
  const chimneyZ = ridge === 'x' ? -depth * 0.16 : -depth * 0.22;
  const parts = {
    body: merge(bodies),
    roof: merge(roofs),
    door: box(plain ? 2.4 : 1.1, plain ? 2.6 : 2.1, 0.3, door.x, PLINTH, door.z),
    trim: merge([...windows.map(frame), ...doorTrim(door, plain)]),
    panes: merge(windows.map(panes)),
  };
  if (!plain) parts.chimney = box(0.8, rise * 0.55 + 0.6, 0.8, chimneyX, wall + rise * 0.5, chimneyZ);
  if (design.shutters) parts.shutters = merge(windows.filter((w) => w.front).map(shutters));
  if (design.timber) parts.beams = beams(design, wall);
  if (design.shop) parts.awning = awning(design);
  return parts;
}

// A house body: a box with a gable, the ridge along z.
function prism(width, length, wall, rise) {
  const w = width / 2;
  return extrude([[-w, 0], [w, 0], [w, wall], [0, wall + rise], [-w, wall]], length);
}

// Two slabs leaning on each other. They sit a little into the body, so that no two faces share a plane.
function roof(width, length, wall, rise, eaves = EAVES, slab = SLAB) {
  const w = width / 2 + eaves;
  const eave = wall - 0.05 - (eaves * rise) / (width / 2);
  const ridge = wall + rise - 0.05;
  const outline = [[w, eave], [w, eave + slab], [0, ridge + slab], [-w, eave + slab], [-w, eave], [0, ridge]];
  return extrude(outline, length + 2 * eaves * 0.8);
}

export function doorSpot({ width, depth, wing, shop, plain }) {
  if (wing !== undefined) return { x: -Math.sign(wing) * width * 0.16, z: depth / 2 };
  if (shop) return { x: -width / 2 + 1.3, z: depth / 2 };
  // In the middle, or in the window axis right of it.
  const axes = windowCount(width);
  return { x: plain || axes % 2 ? 0 : width / (2 * axes), z: depth / 2 };
}

const windowCount = (length) => Math.max(1, Math.floor((length - 0.8) / 2.1));

/** { x, y, z, turn, width, height, front }: sill middle and outward direction of every window. */
function windowSpots(design, wall) {
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
      spots.push({ ...size, x: width / 2, z, turn: Math.PI / 2 });
      spots.push({ ...size, x: -width / 2, z, turn: -Math.PI / 2 });
    });
  }
  const attic = { y: wall + rise * 0.2, width: 0.9, height: 1.1 };
  const ends = ridge === 'x' ? [[width / 2, 0, Math.PI / 2], [-width / 2, 0, -Math.PI / 2]] : [[0, depth / 2, 0], [0, -depth / 2, Math.PI]];
  for (const [x, z, turn] of ends) spots.push({ ...attic, x, z, turn });
  return spots;
}

const put = (geometry, { x, y, z, turn }) => geometry.rotateY(turn).translate(x, y, z);

// The back is inside the wall and the underside is never lit: both are left out.
const frame = (w) => put(front(w.width + 0.3, w.height + 0.3, 0.08).translate(0, -0.15, 0), w);

function front(width, height, depth) {
  const [x, y, z] = [width / 2, height, depth];
  const left = [[-x, 0, 0], [-x, 0, z], [-x, y, z], [-x, y, 0]];
  const right = [[x, 0, z], [x, 0, 0], [x, y, 0], [x, y, z]];
  const top = [[-x, y, z], [x, y, z], [x, y, 0], [-x, y, 0]];
  return faces([[[-x, 0, z], [x, 0, z], [x, y, z], [-x, y, z]], left, right, top]);
}

const doorTrim = ({ x, z }, plain) => [
  box(plain ? 2.8 : 1.45, plain ? 2.85 : 2.32, 0.2, x, 0.25, z),
  box(plain ? 3 : 1.7, PLINTH - 0.02, 1.1, x, 0, z + 0.28),
];

// Two panes with the frame showing between them, or more in a shop window.
function panes(w) {
  const count = Math.max(2, Math.round(w.width / 1.1));
  const pane = w.width / count;
  const z = 0.13;
  const quads = Array.from({ length: count }, (_, i) => {
    const [x0, x1] = [pane * i - w.width / 2 + 0.04, pane * (i + 1) - w.width / 2 - 0.04];
    return [[x0, 0, z], [x1, 0, z], [x1, w.height, z], [x0, w.height, z]];
  });
  return put(faces(quads), w);
}

function shutters(w) {
  const x = w.width / 2 + 0.4;
  return merge([-x, x].map((offset) => put(front(0.42, w.height + 0.1, 0.1).translate(offset, -0.05, 0), w)));
}

// Timber on the front and the back: posts between the windows, a belt on every floor, a frame in the gable.
function beams({ width, depth, floors, rise, ridge, shop }, wall) {
  const thick = 0.22;
  const parts = [];
  for (const z of [-depth / 2, depth / 2]) {
    for (let floor = 0; floor <= floors; floor++) {
      const y = floor === floors ? wall - 0.3 : PLINTH + floor * FLOOR - 0.12;
      parts.push(box(width + 0.1, thick, 0.24, 0, y, z));
    }
    const posts = windowCount(width);
    for (let i = 0; i <= posts; i++) {
      const foot = shop && i > 0 && i < posts ? PLINTH + FLOOR : PLINTH;
      parts.push(box(thick, wall - foot, 0.2, (width - thick + 0.08) * (i / posts - 0.5), foot, z));
    }
    if (ridge === 'x') continue;
    const collar = rise * 0.52;
    parts.push(box(width * 0.46, thick, 0.24, 0, wall + collar, z));
    for (const x of [-0.85, 0.85]) parts.push(box(thick, collar, 0.2, x, wall, z));
  }
  return merge(parts);
}

function awning({ width, depth }) {
  const [x0, x1] = [-width / 2 + 2.2, width / 2 - 0.5];
  const [z0, z1, y0, y1] = [depth / 2 - 0.1, depth / 2 + 1.3, 3, 2.45];
  const outline = [[z0, y0], [z0, y0 - 0.12], [z1, y1 - 0.12], [z1, y1]];
  return extrude(outline, x1 - x0).rotateY(-Math.PI / 2).translate((x0 + x1) / 2, 0, 0);
}
