import { BatchedMesh, BoxGeometry, Color, MathUtils, MeshLambertMaterial, Object3D, Vector3 } from 'three';
import { number } from '../../ui/parts/format.js';
import { NumberedMesh } from '../../views/drawings/NumberedMesh.js';
import type { Route } from '../contract/World.js';

/** Radius of the disk, in metres, and how thick it is in its midst. */
export const RADIUS = 900;
const THICK = 150;
const ARMS = 4;
/** Turns of an arm from the midst to the rim. */
const TWIST = 1.1;
const [CORE, ARM, DUST] = [new Color('#ffd9a0'), new Color('#5f9dff'), new Color('#a2589c')] as const;

/** Round the midst, within the disk, now far from it and now near. */
export const MILLION_ROUTE: Route = {
  seconds: 160,
  eyes: Array.from({ length: 9 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 9;
    return new Vector3(Math.cos(angle), 0, Math.sin(angle))
      .multiplyScalar(350 + 210 * Math.cos(angle))
      .setY(25 - 20 * Math.cos(angle));
  }),
  ahead: 0.06,
};

const box = new BoxGeometry();
const material = new MeshLambertMaterial();
const chance = MathUtils.seededRandom;

/** A galaxy of boxes, each of its own place, turn, size and colour: one mesh, the same each time. */
export function galaxyOf(count: number): BatchedMesh {
  const mesh = new BatchedMesh(count, box.attributes.position!.count, box.index!.count, material);
  // Boxes hide each other, and order costs more than what it spares.
  mesh.sortObjects = false;
  const shape = mesh.addGeometry(box);
  chance(7);
  const at = new Object3D();
  const color = new Color();
  for (let i = 0; i < count; i++) {
    place(at, color);
    mesh.setMatrixAt(mesh.addInstance(shape), at.matrix);
    mesh.setColorAt(i, color);
  }
  return mesh;
}

/** Chooses place and colour of a box: more in the midst and along the arms, smaller away from these. */
function place(at: Object3D, color: Color): void {
  const out = chance() ** 0.7;
  const stray = around() * (0.06 + 0.5 * (1 - out) ** 2);
  const angle = 2 * Math.PI * (Math.floor(ARMS * chance()) / ARMS + TWIST * out + stray);
  const height = THICK * around() * (0.4 + 0.6 * Math.exp(-9 * out));
  at.position.set(RADIUS * out * Math.cos(angle), height, RADIUS * out * Math.sin(angle));
  at.rotation.set(7 * chance(), 7 * chance(), 7 * chance());
  const size = (0.5 + 2.2 * chance() ** 3) * (1.3 - Math.min(1, 4 * Math.abs(stray)));
  at.scale.set(size * (0.5 + chance()), size * (0.5 + chance()), size * (0.5 + chance()));
  at.updateMatrix();
  color.lerpColors(CORE, ARM, Math.min(1, 1.4 * out)).lerp(DUST, Math.min(0.8, 6 * Math.abs(stray) * out));
  color.multiplyScalar(0.6 + 0.6 * chance());
}

/** A number from -1 to 1, most often near 0. */
function around(): number {
  return (chance() + chance() + chance()) / 1.5 - 1;
}

/** Stands for an instance where an object is asked for. It is not in the scene. */
export function boxOf(galaxy: BatchedMesh, id: number): NumberedMesh {
  const mesh = new NumberedMesh(box, material, id);
  mesh.name = `Box ${number(id)}`;
  galaxy.getMatrixAt(id, mesh.matrix);
  mesh.matrix.decompose(mesh.position, mesh.quaternion, mesh.scale);
  mesh.updateMatrixWorld();
  return mesh;
}
