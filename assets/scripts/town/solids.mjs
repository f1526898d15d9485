// Flat-shaded solids. Everything stands on y = 0 unless moved, and carries position and face normals only.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  IcosahedronGeometry,
  LatheGeometry,
  PlaneGeometry,
  Shape,
  ShapeGeometry,
  Vector2,
  Vector3,
} from 'three';
import { mergeGeometries, mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';

/** A right angle. */
export const QUARTER = Math.PI / 2;

/** One normal per face; vertices that agree in position and normal are stored once. */
export function flat(geometry) {
  const soup = geometry.index ? geometry.toNonIndexed() : geometry;
  for (const name of ['uv', 'normal']) soup.deleteAttribute(name);
  soup.clearGroups();
  dropSlivers(soup);
  soup.computeVertexNormals();
  return mergeVertices(soup, 1e-4);
}

// Lathes that end on their axis make triangles without area, and those have no normal.
function dropSlivers(soup) {
  const { array } = soup.getAttribute('position');
  const [ab, ac] = [new Vector3(), new Vector3()];
  const kept = [];
  for (let i = 0; i < array.length; i += 9) {
    ab.set(array[i + 3] - array[i], array[i + 4] - array[i + 1], array[i + 5] - array[i + 2]);
    ac.set(array[i + 6] - array[i], array[i + 7] - array[i + 1], array[i + 8] - array[i + 2]);
    if (ab.cross(ac).length() > 1e-6) kept.push(...array.subarray(i, i + 9));
  }
  if (kept.length < array.length) soup.setAttribute('position', new BufferAttribute(new Float32Array(kept), 3));
}

export const merge = (...parts) => mergeGeometries(parts.flat());

/** A box given by its size and the middle of its base. */
export const box = (width, height, depth, x = 0, y = 0, z = 0) =>
  flat(new BoxGeometry(width, height, depth)).translate(x, y + height / 2, z);

// A function, so that nothing is made before it is wanted; the same box every time.
let unit;
export const unitBox = () => (unit ??= box(1, 1, 1));

/** A box on a wall: its back at z = 0 and its underside, which is hardly seen, are left out. */
export function relief(width, height, depth, x = 0, y = 0) {
  const solid = new BoxGeometry(width, height, depth);
  // Six indices a face, in the order +x -x +y -y +z -z.
  const index = Array.from(solid.index.array);
  solid.setIndex([...index.slice(0, 18), ...index.slice(24, 30)]);
  return flat(solid).translate(x, y + height / 2, depth / 2);
}

/** An upright sheet looking to +z. */
export const sheet = (width, height, x, z) => flat(new PlaneGeometry(width, height)).translate(x, height / 2, z);

/** A prism or a truncated cone; `sides` is the number of its faces. */
export const drum = (top, bottom, height, sides, x = 0, y = 0, z = 0) =>
  flat(new CylinderGeometry(top, bottom, height, sides)).translate(x, y + height / 2, z);

export const cone = (radius, height, sides, x = 0, y = 0, z = 0) =>
  flat(new ConeGeometry(radius, height, sides)).translate(x, y + height / 2, z);

/** An outline of [radius, y] pairs, bottom to top along the outside, turned about y. */
export function lathe(outline, sides) {
  const profile = outline.map(([r, y]) => new Vector2(r, y));
  return flat(new LatheGeometry(profile, sides));
}

/** A ball with facets, its corners pushed about by `rough` (a share of the radius); `squash` flattens it. */
export function lump(radius, detail, rng, rough = 0, squash = 1, x = 0, y = 0, z = 0) {
  const ball = mergeVertices(new IcosahedronGeometry(radius, detail).deleteAttribute('uv').deleteAttribute('normal'));
  const position = ball.getAttribute('position');
  for (let i = 0; i < position.count; i++) {
    const k = 1 + rough * (2 * rng.next() - 1);
    position.setXYZ(i, position.getX(i) * k, position.getY(i) * k * squash, position.getZ(i) * k);
  }
  return flat(ball).translate(x, y, z);
}

/** An outline of [x, y] pairs, drawn `depth` deep along z about z = 0; `holes` are outlines too. */
export function extrude(outline, depth, holes = []) {
  const shape = new Shape(outline.map(([x, y]) => new Vector2(x, y)));
  shape.holes = holes.map((hole) => new Shape(hole.map(([x, y]) => new Vector2(x, y))));
  return flat(new ExtrudeGeometry(shape, { depth, bevelEnabled: false })).translate(0, 0, -depth / 2);
}

/** A box with a gable on top, the ridge along z. */
export function gabled(width, wall, rise, length) {
  const [left, right, ridge] = [-width / 2, width / 2, wall + rise];
  const front = [
    [left, 0],
    [right, 0],
    [right, wall],
    [0, ridge],
    [left, wall],
  ];
  return extrude(front, length);
}

/** An outline of [x, z] pairs as a level face looking up. */
export function plate(outline, y) {
  const shape = new Shape(outline.map(([x, z]) => new Vector2(x, -z)));
  return flat(new ShapeGeometry(shape).rotateX(-QUARTER)).translate(0, y, 0);
}

/** A body between two outlines of [x, z] pairs with as many corners: `low` at y = 0, `high` at `height`, closed on top. */
export function loft(low, high, height) {
  const top = high.map(([x, z]) => [x, height, z]);
  const bottom = low.map(([x, z]) => [x, 0, z]);
  const sides = top.map((corner, i) => {
    const k = (i + 1) % top.length;
    return [corner, bottom[i], bottom[k], top[k]];
  });
  return faces([top, ...sides]);
}

/** Loose convex faces, each a list of [x, y, z] counter-clockwise as seen from outside. */
export function faces(polygons) {
  const positions = [];
  for (const polygon of polygons) {
    for (let i = 2; i < polygon.length; i++) positions.push(...polygon[0], ...polygon[i - 1], ...polygon[i]);
  }
  return flat(new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(positions), 3)));
}
