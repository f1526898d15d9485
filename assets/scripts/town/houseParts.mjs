// Turns a house design into geometries, one per part. Every house of one design shares them.

import { FLOOR, PLINTH } from './designs.mjs';
import { door, doorSpot, doorTrim, frame, panes, shutters, windowCount, windowSpots } from './openings.mjs';
import { box, extrude, gabled, merge, QUARTER } from './solids.mjs';

const EAVES = 0.5;
const SLAB = 0.32;

/** { body, roof, chimney, door, trim, panes } and, where the design has them, shutters, beams, awning. */
export function houseParts(design) {
  const { width, depth, floors, rise, ridge, wing, dormers = [], plain } = design;
  const wall = PLINTH + floors * FLOOR;
  const [span, length] = ridge === 'x' ? [depth, width] : [width, depth];
  const turn = ridge === 'x' ? QUARTER : 0;
  const bodies = [gabled(span, wall, rise, length).rotateY(turn)];
  const roofs = [roof(span, wall, rise, length).rotateY(turn)];
  if (wing !== undefined) {
    const shape = [4.4, wall - 0.25, rise * 0.72, depth / 2 + 1.6];
    bodies.push(gabled(...shape).translate(wing, 0, depth / 4 + 0.8));
    roofs.push(roof(...shape).translate(wing, 0, depth / 4 + 0.8));
  }
  const windows = windowSpots(design, wall);
  for (const x of dormers) {
    const z = depth / 2 - 1.1;
    bodies.push(gabled(1.7, 1.5, 0.7, 2).translate(x, wall, z - 1));
    roofs.push(roof(1.7, 1.5, 0.7, 2, 0.2, 0.16).translate(x, wall, z - 1));
    windows.push({ x, y: wall + 0.45, z, turn: 0, height: 0.95, width: 0.85 });
  }
  const entrance = doorSpot(design);
  const chimneyX = ridge === 'x' ? width * 0.28 : width * 0.2;
  const chimneyZ = ridge === 'x' ? -depth * 0.16 : -depth * 0.22;
  const parts = {
    body: merge(bodies),
    roof: merge(roofs),
    door: door(entrance, plain),
    trim: merge([...windows.map(frame), ...doorTrim(entrance, plain)]),
    panes: merge(windows.map(panes)),
  };
  if (!plain) parts.chimney = box(0.8, rise * 0.55 + 0.6, 0.8, chimneyX, wall + rise * 0.5, chimneyZ);
  if (design.shutters) parts.shutters = merge(windows.filter((w) => w.front).map(shutters));
  if (design.timber) parts.beams = beams(design, wall);
  if (design.shop) parts.awning = awning(design);
  return parts;
}

// Two slabs leaning on each other. They sit a little into the body, so that no two faces share a plane.
function roof(width, wall, rise, length, eaves = EAVES, slab = SLAB) {
  const w = width / 2 + eaves;
  const eave = wall - 0.05 - (eaves * rise) / (width / 2);
  const ridge = wall + rise - 0.05;
  const outline = [
    [w, eave],
    [w, eave + slab],
    [0, ridge + slab],
    [-w, eave + slab],
    [-w, eave],
    [0, ridge],
  ];
  return extrude(outline, length + 2 * eaves * 0.8);
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
  const outline = [
    [z0, y0],
    [z0, y0 - 0.12],
    [z1, y1 - 0.12],
    [z1, y1],
  ];
  return extrude(outline, x1 - x0)
    .rotateY(-QUARTER)
    .translate((x0 + x1) / 2, 0, 0);
}
