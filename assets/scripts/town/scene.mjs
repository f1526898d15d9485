// The two things every maker does: hang a named group, hang a named mesh. Geometry that many meshes share is made
// once per key; the exporter then writes it once as well.

import { Group, Mesh } from 'three';
import { materials } from './materials.mjs';

/** Options of both: x, y, z, turn (about y, radians), tilt (about x), roll (about z), scale (number or [x, y, z]). */
export function group(parent, name, placement) {
  return place(new Group(), parent, name, placement);
}

export function mesh(parent, name, geometry, material, placement) {
  if (!materials[material]) throw new Error(`town: no material "${material}" for ${name}`);
  return place(new Mesh(geometry, materials[material]), parent, name, placement);
}

function place(object, parent, name, { x = 0, y = 0, z = 0, turn = 0, tilt = 0, roll = 0, scale = 1 } = {}) {
  object.name = name;
  object.position.set(x, y, z);
  object.rotation.set(tilt, turn, roll, 'YXZ');
  if (typeof scale === 'number') object.scale.setScalar(scale);
  else object.scale.set(...scale);
  parent.add(object);
  return object;
}

const cache = new Map();

export function shared(key, make) {
  if (!cache.has(key)) cache.set(key, make());
  return cache.get(key);
}
