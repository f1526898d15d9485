/** Instances in an accelerated scene against the same in plain three, in the same run: draw lists of batches, and picks. */
import {
  BatchedMesh,
  BoxGeometry,
  type BufferGeometry,
  type Camera,
  Euler,
  InstancedMesh,
  type Material,
  Matrix4,
  MeshBasicMaterial,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Scene,
  Vector3,
} from 'three';
import { accelerate, enableSimd, InstanceIndex } from '../../src/index.js';
import { mainPass } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { microseconds, Timings } from './Timings.js';

const N = Number(process.env.N ?? 100_000);
const ROUNDS = 9;
const RAYS = 4;

/** What a renderer calls before it draws a batch, and what it finds then; a private part of three. */
type Batch = BatchedMesh & {
  _updateDrawParameters(camera: Camera, geometry: BufferGeometry, material: Material): void;
  _multiDrawCount: number;
};

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();

function anyMatrix(next: () => number): Matrix4 {
  const place = new Vector3(next() * 1000 - 500, next() * 1000 - 500, next() * 1000 - 500);
  const turn = new Quaternion().setFromEuler(new Euler(6 * next(), 6 * next(), 6 * next()));
  return new Matrix4().compose(place, turn, new Vector3().setScalar(0.5 + 4 * next()));
}

function batch(): Batch {
  const next = random(3);
  const mesh = new BatchedMesh(N, 96, 144, material);
  const id = mesh.addGeometry(geometry);
  for (let i = 0; i < N; i++) mesh.setMatrixAt(mesh.addInstance(id), anyMatrix(next));
  return mesh as Batch;
}

function instanced(): InstancedMesh {
  const next = random(3);
  const mesh = new InstancedMesh(geometry, material, N);
  for (let i = 0; i < N; i++) mesh.setMatrixAt(i, anyMatrix(next));
  return mesh;
}

/** Moves one of a hundred instances a little. */
function move(mesh: Batch | InstancedMesh, round: number): void {
  const matrix = new Matrix4();
  for (let id = (round + 3) % 100; id < N; id += 100) {
    mesh.getMatrixAt(id, matrix);
    matrix.elements[12] += 0.2;
    mesh.setMatrixAt(id, matrix);
  }
  if ('instanceMatrix' in mesh) mesh.instanceMatrix.needsUpdate = true;
}

const camera = new PerspectiveCamera(60, 1.6, 0.1, 520);
camera.position.set(300, 0, 0);
camera.lookAt(0, 0, 0);
camera.updateMatrixWorld();

/** Has indices of instances built in one update, as no time passes in it. */
function updateAtOnce(root: Scene): void {
  performance.now = () => 0;
  root.updateMatrixWorld();
  Reflect.deleteProperty(performance, 'now');
}

enableSimd();
const plain = { batch: batch(), instanced: instanced() };
const fast = { batch: batch(), instanced: instanced() };
const scene = new Scene().add(fast.batch, fast.instanced);
const index = accelerate(scene);
while (!Object.hasOwn(fast.batch, '_updateDrawParameters')) await new Promise((resolve) => setTimeout(resolve));
const raycaster = new Raycaster();
const aim = (i: number): Raycaster => {
  const target = new Vector3(Math.sin(i * 7) * 400, Math.sin(i * 3) * 400, Math.sin(i) * 400);
  raycaster.set(camera.position, target.sub(camera.position).normalize());
  return raycaster;
};
// An index of an instanced mesh is built after the first cast.
aim(0).intersectObject(fast.instanced);
updateAtOnce(scene);

function draw(mesh: Batch): number {
  mesh._updateDrawParameters(camera, geometry, material);
  return mesh._multiDrawCount;
}

function castAt(mesh: BatchedMesh | InstancedMesh): number {
  let hits = 0;
  for (let i = 0; i < RAYS; i++) hits += aim(i).intersectObject(mesh).length;
  return hits;
}

const three = new Timings();
const ours = new Timings();
const both = (round: number, label: string, count: number, what: (side: typeof plain) => number): void => {
  const a = three.add(round, label, count, () => what(plain));
  const b = ours.add(round, label, count, () => what(fast));
  if (a !== b) throw new Error(`${label}: three ${a}, the index ${b}`);
};
for (let round = -3; round < ROUNDS; round++) {
  camera.rotation.z += 0.1;
  camera.updateMatrixWorld();
  for (const sorted of [false, true]) {
    plain.batch.sortObjects = fast.batch.sortObjects = sorted;
    both(round, `draw list of a BatchedMesh, ${sorted ? 'sorted' : 'unsorted'}`, 1, (side) => draw(side.batch));
  }
  plain.batch.sortObjects = fast.batch.sortObjects = false;
  for (const { batch } of [plain, fast]) move(batch, round);
  both(round, 'the same, unsorted, after 1 % moved', 1, (side) => draw(side.batch));
  both(round, 'ray at a BatchedMesh, all hits', RAYS, (side) => castAt(side.batch));
  both(round, 'ray at an InstancedMesh, all hits', RAYS, (side) => castAt(side.instanced));
}
const seen = fast.batch._multiDrawCount;
index.dispose();

/** What a pass over a scene with an `InstancedMesh` costs before anything is uploaded, and how many it draws. */
function pass(crowd: Scene): number {
  const [drawn] = mainPass(crowd, camera).drawn;
  return (drawn?.object as InstancedMesh | undefined)?.count ?? 0;
}
const alone = new Scene().add(fast.instanced);
const culling = accelerate(alone);
updateAtOnce(alone);
for (let round = -3; round < ROUNDS; round++) {
  camera.rotation.z += 0.1;
  ours.add(round, 'pass with an InstancedMesh, camera moved', 1, () => pass(alone));
  ours.add(round, 'the same, nothing moved', 1, () => pass(alone));
  move(fast.instanced, round);
  ours.add(round, 'the same, 1 % of the instances moved', 1, () => pass(alone));
}
culling.dispose();
const start = performance.now();
const instances = new InstanceIndex(plain.instanced);
const made = performance.now() - start;
for (let round = -3; round < ROUNDS; round++) {
  ours.add(round, 'cull an InstancedMesh to ids', 1, () => instances.cull(camera).length);
}

/** A batch alone, drawn with and without levels of detail; both look at each instance that is seen. */
const leveled = new InstanceIndex(fast.batch);
const coarse = [0, 1, 2].map(() => fast.batch.addGeometry(geometry));
fast.batch.sortObjects = false;
leveled.minPixels = 1e-9;
const chain = [0, ...coarse].map((geometryId, i) => ({ geometryId, pixels: 12 / 2 ** i }));
for (let round = -3; round < ROUNDS; round++) {
  camera.rotation.z += 0.1;
  camera.updateMatrixWorld();
  leveled.setLevels(chain);
  ours.add(round, 'draw list of a BatchedMesh, unsorted, four levels of detail', 1, () => draw(fast.batch));
  leveled.setLevels([]);
  ours.add(round, 'the same with minPixels alone', 1, () => draw(fast.batch));
}

console.log(`\n### ${N} instances, ${seen} seen, Node ${process.version}, medians of ${ROUNDS} rounds\n`);
console.log('| | three | index | |\n| --- | --- | --- | --- |');
console.log(`| InstanceIndex made, once | | ${made.toFixed(0)} ms | |`);
for (const label of ours.labels) {
  const b = ours.median(label);
  const a = three.labels.includes(label) ? three.median(label) : Number.NaN;
  const cells = Number.isNaN(a)
    ? ['none', microseconds(b), '']
    : [microseconds(a), microseconds(b), `${(a / b).toFixed(1)} x faster`];
  console.log(`| ${[label, ...cells].join(' | ')} |`);
}
