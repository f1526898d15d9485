import {
  BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  IcosahedronGeometry,
  Material,
  MeshLambertMaterial,
  Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

const NEEDLES = ['#41744f', '#4b8155', '#376647', '#5a8a55'];
const LEAVES = ['#6d9a3c', '#85a944', '#578a3f', '#a6ab45', '#c9973d'];
const BARK = ['#6b5140', '#57453a'];

/** Geometries and materials of trees, one metre high and shared by all. */
export class TreeShapes {
  readonly trunk = flat(new CylinderGeometry(0.022, 0.036, 0.5, 5, 1, true).translate(0, 0.2, 0));
  readonly conifers = [0, 1, 2].map(conifer);
  readonly crowns = [0, 1, 2].map(crown);
  readonly needles = NEEDLES.map((color) => new MeshLambertMaterial({ color }));
  readonly leaves = LEAVES.map((color) => new MeshLambertMaterial({ color }));
  readonly bark = BARK.map((color) => new MeshLambertMaterial({ color }));

  dispose(): void {
    for (const shared of Object.values(this).flat()) {
      if (shared instanceof BufferGeometry || shared instanceof Material) shared.dispose();
    }
  }
}

/** Three cones above each other, the lower the wider. */
function conifer(variant: number): BufferGeometry {
  const sides = 6 + (variant % 2);
  const tiers = [0, 1, 2].map((tier) => {
    const radius = (0.2 - 0.05 * tier) * (1 - 0.1 * variant);
    return new ConeGeometry(radius, 0.42 - 0.05 * tier, sides, 1, true)
      .rotateY(tier + variant)
      .translate(0, 0.34 + 0.24 * tier, 0);
  });
  return joined(tiers.map(flat));
}

/** A dented ball. */
function crown(variant: number): BufferGeometry {
  const ball = new IcosahedronGeometry(0.3, 1);
  const position = ball.getAttribute('position');
  const corner = new Vector3();
  for (let i = 0; i < position.count; i++) {
    corner.fromBufferAttribute(position, i);
    const { x, y, z } = corner;
    corner.multiplyScalar(
      1 + 0.16 * Math.sin(9 * x + 3 * variant) * Math.cos(8 * z - variant) + 0.08 * Math.sin(14 * y),
    );
    position.setXYZ(i, corner.x, 0.66 + 1.08 * corner.y, corner.z);
  }
  ball.computeVertexNormals();
  return stripped(ball);
}

function joined(parts: BufferGeometry[]): BufferGeometry {
  const whole = mergeGeometries(parts);
  for (const part of parts) part.dispose();
  return whole;
}

/** With face normals. */
function flat(shape: BufferGeometry): BufferGeometry {
  const faces = shape.index ? shape.toNonIndexed() : shape;
  faces.computeVertexNormals();
  return stripped(faces);
}

/** Without attributes that no material here reads. */
function stripped(shape: BufferGeometry): BufferGeometry {
  return shape.deleteAttribute('uv');
}
