// Surfaces over a grid of rows and columns. All have as many, so that all scans share one index.

import { ease, mix, noise } from './noise.mjs';

/** Quads around, and from the foot to the top: 34,560 triangles. */
export const COLUMNS = 180;
export const ROWS = 96;
const POINTS = (COLUMNS + 1) * (ROWS + 1);
const TURN = 2 * Math.PI;

/** The surface that rays from the axis meet last, of a solid from 0 up to `top`; `heart`: the middle of its upper end. */
export function sculpted(distance, { top, heart }) {
  return (column, row) => {
    // The seam is at the back.
    const angle = TURN * (column + 0.5);
    // Rays fan out below the lower end of the axis and above the upper one.
    const [low, high] = [0.07, 0.66];
    const tilt = (Math.PI / 2) * (row < low ? row / low - 1 : row > high ? (row - high) / (1 - high) : 0);
    const from = mix(0.02 * top, heart, Math.min(1, Math.max(0, (row - low) / (high - low))));
    const way = [Math.sin(angle) * Math.cos(tilt), Math.sin(tilt), Math.cos(angle) * Math.cos(tilt)];
    const at = (length) => [length * way[0], from + length * way[1], length * way[2]];
    const solid = (length) => {
      const point = at(length);
      return Math.max(distance(point), -point[1]);
    };
    let length = top;
    for (let steps = 0; steps < 300 && length > 0; steps++) {
      const off = solid(length);
      if (off < 0) break;
      length -= Math.max(0.6 * off, 0.001);
    }
    let [inside, outside] = [Math.max(0, length), length + 0.01];
    for (let halving = 0; halving < 12; halving++) {
      const middle = (inside + outside) / 2;
      if (solid(middle) < 0) inside = middle;
      else outside = middle;
    }
    return at(inside);
  };
}

/** A turned pot: its outline is a row of radii and heights, through which a smooth line leads. */
export function turned(outline, relief = () => 0) {
  return (column, row) => {
    const angle = TURN * column;
    const along = row * (outline.length - 1);
    const [radius, height] = smoothAt(outline, along);
    const carved = Math.max(0, radius + relief(angle, height) * Math.min(1, 30 * radius));
    return [carved * Math.sin(angle), height, carved * Math.cos(angle)];
  };
}

/** A Catmull-Rom curve through points. */
function smoothAt(points, along) {
  const i = Math.min(points.length - 2, Math.floor(along));
  const t = along - i;
  const [p, q, r, s] = [-1, 0, 1, 2].map((n) => points[Math.min(points.length - 1, Math.max(0, i + n))]);
  return q.map((b, axis) => {
    const [a, c, d] = [p[axis], r[axis], s[axis]];
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
  });
}

/** A grid of points in space with normals, rough as a scan of stone. */
export function meshOf(surface, { isTube = false, roughness = 0.0009 } = {}) {
  const positions = new Float64Array(3 * POINTS);
  const even = isTube ? evenSteps(surface, LINES) : evenSteps((along, beside) => surface(beside, along), 5);
  for (let row = 0; row <= ROWS; row++) {
    for (let column = 0; column <= COLUMNS; column++) {
      // The last column of a sculpture is the first one again; of a tube, the last row is.
      const place = isTube
        ? surface(even(column / COLUMNS, (row % ROWS) / ROWS), (row % ROWS) / ROWS)
        : surface((column % COLUMNS) / COLUMNS, even(row / ROWS, (column % COLUMNS) / COLUMNS));
      positions.set(place, 3 * (row * (COLUMNS + 1) + column));
    }
  }
  if (volumeOf(positions) < 0) turnOver(positions);
  const smooth = normalsOf(positions);
  for (let o = 0; o < positions.length; o += 3) {
    const [x, y, z] = positions.subarray(o, o + 3);
    const off = roughness * (noise(22 * x, 22 * y, 22 * z) + 0.6 * noise(61 * x, 61 * y, 61 * z));
    // Plinths are flat.
    for (let axis = 0; axis < 3; axis++) positions[o + axis] += off * ease(y / 0.03) * smooth[o + axis];
  }
  return { positions, normals: normalsOf(positions), cavities: cavitiesOf(positions, smooth) };
}

/** Lines of a surface that are measured, and steps of each. */
const LINES = 60;
const STEPS = 320;

/**
 * Moves a coordinate of a surface such that equal steps of it are equally long: where a texture is stretched in one place and
 * not in the next, it would slide on coarser levels of detail.
 * @param reach Lines on each side that count for one: they stay smooth beside each other.
 * @returns the coordinate, 0 to 1, by how far it is along the line beside which it lies.
 */
function evenSteps(surface, reach) {
  const measured = Array.from({ length: LINES }, (_, line) => lengthsAlong(surface, line / LINES));
  const smooth = measured.map((_, line) => {
    const sum = new Float64Array(STEPS + 1);
    for (let beside = -reach; beside <= reach; beside++) {
      const weight = reach === LINES ? 1 : reach + 1 - Math.abs(beside);
      const lengths = measured[(line + beside + LINES) % LINES];
      for (let i = 0; i <= STEPS; i++) sum[i] += weight * lengths[i];
    }
    return sum.map((length) => length / sum[STEPS]);
  });
  return (along, beside) => {
    const line = Math.floor(LINES * beside);
    const [before, after] = [smooth[line % LINES], smooth[(line + 1) % LINES]];
    const at = (i) => mix(before[i], after[i], LINES * beside - line);
    let [low, high] = [0, STEPS];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (at(middle) <= along) low = middle;
      else high = middle;
    }
    return (low + (along - at(low)) / (at(high) - at(low))) / STEPS;
  };
}

/** How long a line is up to each of its steps, as a share. */
function lengthsAlong(surface, line) {
  const lengths = new Float64Array(STEPS + 1);
  let last = surface(0, line);
  for (let i = 1; i <= STEPS; i++) {
    const next = surface(i / STEPS, line);
    lengths[i] = lengths[i - 1] + Math.hypot(...next.map((value, axis) => value - last[axis]));
    last = next;
  }
  // Poles have steps of no length, which still count a little.
  return lengths.map((length, i) => length / lengths[STEPS] + (0.15 * i) / STEPS);
}

/** Corners of all triangles. */
export const INDEX = (() => {
  const index = new Uint16Array(6 * COLUMNS * ROWS);
  for (let row = 0, o = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++, o += 6) {
      const a = row * (COLUMNS + 1) + column;
      const b = a + COLUMNS + 1;
      index.set([a, a + 1, b, b, a + 1, b + 1], o);
    }
  }
  return index;
})();

function turnOver(positions) {
  const copy = positions.slice();
  for (let row = 0; row <= ROWS; row++) {
    for (let column = 0; column <= COLUMNS; column++) {
      const from = 3 * (row * (COLUMNS + 1) + COLUMNS - column);
      positions.set(copy.subarray(from, from + 3), 3 * (row * (COLUMNS + 1) + column));
    }
  }
}

function volumeOf(p) {
  let sum = 0;
  for (let i = 0; i < INDEX.length; i += 3) {
    const [a, b, c] = [3 * INDEX[i], 3 * INDEX[i + 1], 3 * INDEX[i + 2]];
    sum += p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]);
    sum += p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]);
    sum += p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sum;
}

/** Points in the same place have one normal: seams and poles do not show. */
function normalsOf(p) {
  const places = new Map();
  const group = new Uint32Array(POINTS);
  for (let i = 0; i < POINTS; i++) {
    const key = [0, 1, 2].map((axis) => Math.round(1e5 * p[3 * i + axis])).join();
    if (!places.has(key)) places.set(key, i);
    group[i] = places.get(key);
  }
  const sums = new Float64Array(p.length);
  for (let i = 0; i < INDEX.length; i += 3) {
    const [a, b, c] = [3 * INDEX[i], 3 * INDEX[i + 1], 3 * INDEX[i + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const face = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const corner of [a, b, c]) {
      for (let axis = 0; axis < 3; axis++) sums[3 * group[corner / 3] + axis] += face[axis];
    }
  }
  const normals = new Float64Array(p.length);
  for (let i = 0; i < POINTS; i++) {
    const sum = sums.subarray(3 * group[i], 3 * group[i] + 3);
    const length = Math.hypot(...sum) || 1;
    for (let axis = 0; axis < 3; axis++) normals[3 * i + axis] = sum[axis] / length;
  }
  return normals;
}

/** How deep each point lies between those around it, in metres: negative on ridges. */
function cavitiesOf(p, normals) {
  const reach = 3;
  const cavities = new Float64Array(POINTS);
  const at = (column, row) => {
    const c = (column + COLUMNS) % COLUMNS;
    return 3 * (Math.min(ROWS, Math.max(0, row)) * (COLUMNS + 1) + c);
  };
  for (let row = 0; row <= ROWS; row++) {
    for (let column = 0; column <= COLUMNS; column++) {
      const o = at(column, row);
      let sum = 0;
      for (const [dc, dr] of [
        [reach, 0],
        [-reach, 0],
        [0, reach],
        [0, -reach],
      ]) {
        const q = at(column + dc, row + dr);
        for (let axis = 0; axis < 3; axis++) sum += (p[q + axis] - p[o + axis]) * normals[o + axis];
      }
      cavities[row * (COLUMNS + 1) + column] = sum / 4;
    }
  }
  return cavities;
}
