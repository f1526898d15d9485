// What both samples hang their parts with, and the shapes that they share.

import { BoxGeometry, CylinderGeometry, Mesh } from 'three';

export const box = new BoxGeometry();
export const rod = new CylinderGeometry(0.5, 0.5, 1, 12);
export const hexagon = new CylinderGeometry(0.5, 0.5, 1, 6);

/** A part by its size and place; the place is that of its lower end, or of its middle when it has `centred`. */
export function part(
  parent,
  name,
  geometry,
  material,
  [x, y, z],
  [w, h, d],
  { turn = 0, tilt = 0, centred = false } = {},
) {
  const mesh = new Mesh(geometry, material);
  mesh.name = name;
  mesh.position.set(x, centred ? y : y + h / 2, z);
  mesh.rotation.set(tilt, turn, 0, 'YXZ');
  mesh.scale.set(w, h, d);
  parent.add(mesh);
  return mesh;
}
