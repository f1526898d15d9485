import {
  BoxGeometry,
  BufferGeometry,
  Color,
  CylinderGeometry,
  Float32BufferAttribute,
  IcosahedronGeometry,
  Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { TILE } from './facades.js';

/** A box that stands on the ground, one metre along each side. */
export const block = (): BufferGeometry => new BoxGeometry().translate(0, 0.5, 0);

/** A roof over a square metre, its ridge along x. */
export function gable(): BufferGeometry {
  const corners = [
    [-0.5, 0, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0, -0.5],
    [-0.5, 0, -0.5],
    [-0.5, 1, 0],
    [0.5, 1, 0],
  ];
  // Two slopes, and two gables.
  const slopes = [0, 1, 5, 0, 5, 4, 2, 3, 4, 2, 4, 5];
  const gables = [3, 0, 4, 1, 2, 5];
  const triangles = [...slopes, ...gables].flatMap((corner) => corners[corner]!);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(triangles, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** A wall with so many windows in a row and above each other on each of its sides: in metres, on the ground. */
export function wallWithWindows(
  [width, height, depth]: readonly [number, number, number],
  rows: number,
  bay: number,
  [startX, startY]: readonly [number, number],
): BufferGeometry {
  const box = new BoxGeometry(width, height, depth).translate(0, height / 2, 0);
  const uv = box.getAttribute('uv');
  for (let i = 0; i < uv.count; i++) {
    // In the order of BoxGeometry: two sides along z, two level ones, two along x.
    const columns = Math.max(1, Math.round((i < 8 ? depth : width) / bay));
    const isLevel = i >= 8 && i < 16;
    // Level sides show a piece of bare wall.
    uv.setXY(
      i,
      isLevel ? 0.01 : (startX + columns * uv.getX(i)) / TILE,
      isLevel ? 0.99 : (startY + rows * uv.getY(i)) / TILE,
    );
  }
  return box;
}

/** A car of one colour, four metres long along x, with dark windows and wheels. */
export function car(): BufferGeometry {
  const body = painted(new BoxGeometry(4.2, 0.62, 1.76).translate(0, 0.66, 0), '#ffffff');
  const cabin = new BoxGeometry(2.3, 0.56, 1.6).translate(-0.15, 1.25, 0);
  const position = cabin.getAttribute('position');
  for (let i = 0; i < position.count; i++) {
    if (position.getY(i) > 1.3) position.setXYZ(i, 0.74 * position.getX(i), position.getY(i), 0.86 * position.getZ(i));
  }
  cabin.computeVertexNormals();
  const roof = painted(new BoxGeometry(1.72, 0.05, 1.4).translate(-0.11, 1.55, 0), '#ffffff');
  const wheels = [-1.35, 1.35].flatMap((x) =>
    [-0.8, 0.8].map((z) =>
      painted(new CylinderGeometry(0.34, 0.34, 0.24, 10).rotateX(Math.PI / 2).translate(x, 0.34, z), '#23262a'),
    ),
  );
  return mergeGeometries([body, painted(cabin, '#2d3a45'), roof, ...wheels]);
}

/** A street lamp without its light, and the light. */
export function lamp(): [post: BufferGeometry, light: BufferGeometry] {
  const foot = new CylinderGeometry(0.11, 0.16, 0.5, 8).translate(0, 0.25, 0);
  const pole = new CylinderGeometry(0.05, 0.07, 4.4, 6).translate(0, 2.5, 0);
  const cap = new CylinderGeometry(0.08, 0.3, 0.18, 8).translate(0, 4.98, 0);
  return [mergeGeometries([foot, pole, cap]), new CylinderGeometry(0.24, 0.14, 0.36, 8).translate(0, 4.72, 0)];
}

/** A bench along x. */
export function bench(): BufferGeometry {
  const slats = [-0.16, 0, 0.16].map((z) => painted(new BoxGeometry(1.7, 0.05, 0.13).translate(0, 0.45, z), '#a9794a'));
  const back = [0.68, 0.86].map((y) => painted(new BoxGeometry(1.7, 0.13, 0.05).translate(0, y, -0.26), '#a9794a'));
  const legs = [-0.7, 0.7].map((x) => painted(new BoxGeometry(0.07, 0.9, 0.5).translate(x, 0.45, -0.06), '#3b4046'));
  return mergeGeometries([...slats, ...back, ...legs]);
}

/** The trunk of a tree one metre high. */
export function trunk(): BufferGeometry {
  return new CylinderGeometry(0.022, 0.036, 0.5, 5, 1, true).translate(0, 0.2, 0);
}

/** The crown of a tree one metre high: a dented ball with flat faces. */
export function crown(variant: number): BufferGeometry {
  const ball = new IcosahedronGeometry(0.3, 1);
  const position = ball.getAttribute('position');
  const corner = new Vector3();
  for (let i = 0; i < position.count; i++) {
    const { x, y, z } = corner.fromBufferAttribute(position, i);
    const dent = 0.16 * Math.sin(9 * x + 3 * variant) * Math.cos(8 * z - variant) + 0.08 * Math.sin(14 * y);
    corner.multiplyScalar(1 + dent);
    position.setXYZ(i, corner.x, 0.66 + 1.08 * corner.y, corner.z);
  }
  ball.computeVertexNormals();
  return ball;
}

/** Gives all vertices a colour, and drops what no material of this world reads. */
function painted(geometry: BufferGeometry, style: string): BufferGeometry {
  const colour = new Color(style);
  const { count } = geometry.getAttribute('position');
  const colours = Array.from({ length: count }, () => colour.toArray()).flat();
  geometry.deleteAttribute('uv');
  return geometry.setAttribute('color', new Float32BufferAttribute(colours, 3));
}
