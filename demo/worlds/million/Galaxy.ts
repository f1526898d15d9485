import {
  BatchedMesh,
  BoxGeometry,
  Color,
  Euler,
  InstancedMesh,
  MathUtils,
  Matrix4,
  MeshLambertMaterial,
  Quaternion,
  Vector3,
} from 'three';
import { NumberedMesh } from '../../views/drawings/NumberedMesh.js';
import type { Route } from '../contract/World.js';

/** Radius of the disk, in metres, and how thick it is in its midst. */
export const RADIUS = 900;
const THICK = 150;
const ARMS = 4;
/** Turns of an arm from the midst to the rim. */
const TWIST = 1.1;
const SEED = 7;

const CORE = new Color('#ffd9a0');
const ARM = new Color('#5f9dff');
const DUST = new Color('#a2589c');

export type GalaxyKind = 'batched' | 'instanced';

/** A galaxy of boxes, each of its own place, turn, size and colour: one mesh, the same each time. */
export class Galaxy {
  readonly mesh: BatchedMesh | InstancedMesh;
  readonly count: number;
  /** The shape of all, and its material. */
  readonly box = new BoxGeometry();
  readonly material = new MeshLambertMaterial();

  constructor(kind: GalaxyKind, count: number) {
    this.count = count;
    this.mesh = kind === 'batched' ? this.#batch() : new InstancedMesh(this.box, this.material, count);
    this.mesh.name = 'Galaxy';
    MathUtils.seededRandom(SEED);
    const matrix = new Matrix4();
    const color = new Color();
    for (let i = 0; i < count; i++) {
      place(matrix, color);
      this.mesh.setMatrixAt(i, matrix);
      this.mesh.setColorAt(i, color);
    }
  }

  dispose(): void {
    this.mesh.dispose();
    this.box.dispose();
    this.material.dispose();
  }

  #batch(): BatchedMesh {
    const { attributes, index } = this.box;
    const mesh = new BatchedMesh(this.count, attributes.position!.count, index!.count, this.material);
    const box = mesh.addGeometry(this.box);
    for (let i = 0; i < this.count; i++) mesh.addInstance(box);
    // Boxes hide each other, and order costs more than what it spares.
    mesh.sortObjects = false;
    return mesh;
  }
}

const position = new Vector3();
const quaternion = new Quaternion();
const scale = new Vector3();
const turn = new Euler();

/** Chooses matrix and colour of a box: more in the midst and along the arms, smaller away from these. */
function place(matrix: Matrix4, color: Color): void {
  const chance = MathUtils.seededRandom;
  const out = chance() ** 0.7;
  const stray = around() * (0.06 + 0.5 * (1 - out) ** 2);
  const angle = 2 * Math.PI * (Math.floor(ARMS * chance()) / ARMS + TWIST * out + stray);
  const height = THICK * around() * (0.4 + 0.6 * Math.exp(-9 * out));
  position.set(RADIUS * out * Math.cos(angle), height, RADIUS * out * Math.sin(angle));
  quaternion.setFromEuler(turn.set(7 * chance(), 7 * chance(), 7 * chance()));
  const size = (0.5 + 2.2 * chance() ** 3) * (1.3 - Math.min(1, 4 * Math.abs(stray)));
  scale.set(size * (0.5 + chance()), size * (0.5 + chance()), size * (0.5 + chance()));
  matrix.compose(position, quaternion, scale);
  color.lerpColors(CORE, ARM, Math.min(1, 1.4 * out)).lerp(DUST, Math.min(0.8, 6 * Math.abs(stray) * out));
  color.multiplyScalar(0.6 + 0.6 * chance());
}

/** A number from -1 to 1, most often near 0. */
function around(): number {
  const chance = MathUtils.seededRandom;
  return (chance() + chance() + chance()) / 1.5 - 1;
}

/** Stands for an instance where an object is asked for: its number, its place and its shape. It is not in the scene. */
export class PickedBox extends NumberedMesh {
  override readonly type = 'Instance';
  readonly galaxy: Galaxy;

  constructor(galaxy: Galaxy, number: number) {
    super(galaxy.box, galaxy.material, number);
    this.galaxy = galaxy;
    this.name = `Box ${number.toLocaleString('en')}`;
    galaxy.mesh.getMatrixAt(number, this.matrix);
    this.matrix.decompose(this.position, this.quaternion, this.scale);
    this.matrixWorld.copy(this.matrix);
    this.matrixAutoUpdate = false;
  }

  set isShown(isShown: boolean) {
    if (this.galaxy.mesh instanceof BatchedMesh) this.galaxy.mesh.setVisibleAt(this.number, isShown);
  }
}

/** Round the midst, within the disk and along its arms. */
const EYES: [x: number, y: number, z: number][] = [
  [560, 14, 0],
  [400, 4, 300],
  [60, -12, 460],
  [-260, 8, 320],
  [-300, 40, 40],
  [-120, 55, -110],
  [120, 30, -130],
  [330, -6, -300],
  [560, 10, -260],
];

export const MILLION_ROUTE: Route = {
  seconds: 160,
  eyes: EYES.map(([x, y, z]) => new Vector3(x, y, z)),
  ahead: 0.06,
  dip: 0,
};
