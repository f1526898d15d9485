import { type BufferGeometry, CylinderGeometry, IcosahedronGeometry, MeshLambertMaterial, Vector3 } from 'three';

const LEAVES = ['#6d9a3c', '#85a944', '#578a3f'];
const BARK = ['#6b5140', '#57453a'];

/** Geometries and materials of trees, one metre high and shared by all. */
export class TreeShapes {
  readonly trunk = withFlatFaces(new CylinderGeometry(0.022, 0.036, 0.5, 5, 1, true).translate(0, 0.2, 0));
  readonly crowns = [0, 1, 2].map(crown);
  readonly leaves = LEAVES.map((color) => new MeshLambertMaterial({ color }));
  readonly bark = BARK.map((color) => new MeshLambertMaterial({ color }));

  dispose(): void {
    for (const shared of [this.trunk, ...this.crowns, ...this.leaves, ...this.bark]) shared.dispose();
  }
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
  return withFlatFaces(ball);
}

/** Without attributes that no material here reads. */
function withFlatFaces(shape: BufferGeometry): BufferGeometry {
  const faces = shape.index ? shape.toNonIndexed() : shape;
  faces.computeVertexNormals();
  return faces.deleteAttribute('uv');
}
