/** Speed of the three.js layer against three's own passes over the same scene, and over the same instances, in the same run. */
import {
  BatchedMesh,
  BoxGeometry,
  type BufferGeometry,
  type Camera,
  Euler,
  type Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Quaternion,
  Scene,
  Vector3,
} from 'three';
import { accelerate, InstanceIndex, SceneIndex } from '../../src/index.js';
import { enableSimd } from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { time } from './figures.mjs';
import { print, takeTurns } from './turns.js';

// On a page that code comes between the first two frames; here all is one task.
enableSimd();

const N = Number(process.env.N ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 9);
const WARM_UP = 3;
const UPDATES = 100;

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();
const place = (next: () => number): Vector3 =>
  new Vector3(next() * 1000 - 500, next() * 1000 - 500, next() * 1000 - 500);

/** A row: what three does, and what we do in its place so many times. */
function compare(label: string, plain: () => unknown, ours: () => unknown, before?: (side: number) => void, times = 1) {
  const [a, b] = takeTurns(ROUNDS, WARM_UP, [plain, ours], before);
  return [label, time(a), time(b / times), `${((a * times) / b).toFixed(1)} x faster`];
}

function meshes(): string[][] {
  const next = random(3);
  const scene = new Scene();
  for (let i = 0; i < N; i++) {
    const mesh = new Mesh(geometry, material);
    mesh.position.copy(place(next));
    mesh.scale.setScalar(0.5 + next() * 4);
    scene.add(mesh);
  }
  scene.updateMatrixWorld();
  const index = new SceneIndex(scene);
  const pass = (): void => scene.updateMatrixWorld();
  const update = (): void => index.update();
  const updates = (): void => {
    for (let i = 0; i < UPDATES; i++) update();
  };
  const rows = [compare('matrices, nothing moved', pass, update)];
  for (const share of [0.01, 0.1, 1]) {
    const move = (): void => {
      // The same ones each time.
      for (let i = 0; i < N; i += Math.round(1 / share)) scene.children[i].position.x += i % 2 ? 0.01 : -0.01;
    };
    rows.push(compare(`matrices, ${100 * share} % moved`, pass, update, move));
  }
  index.setStatic(scene);
  return [...rows, compare('matrices, all static', pass, updates, undefined, UPDATES)];
}

/** What a renderer calls before it draws a batch, and what it finds then; a private part of three. */
type Batch = BatchedMesh & {
  _updateDrawParameters(camera: Camera, geometry: BufferGeometry, material: Material): void;
  _multiDrawCount: number;
};

function makeBatch(): Batch {
  const next = random(3);
  const batch = new BatchedMesh(N, 96, 144, material) as Batch;
  batch.sortObjects = false;
  const id = batch.addGeometry(geometry);
  for (let i = 0; i < N; i++) {
    const turn = new Quaternion().setFromEuler(new Euler(6 * next(), 6 * next(), 6 * next()));
    const matrix = new Matrix4().compose(place(next), turn, new Vector3().setScalar(0.5 + 4 * next()));
    batch.setMatrixAt(batch.addInstance(id), matrix);
  }
  return batch;
}

/** What the comparison with other libraries does not ask of instances: after motion, and with levels of detail. */
async function instances(): Promise<string[][]> {
  const batches = [makeBatch(), makeBatch()];
  const [plain, fast] = batches;
  const scene = new Scene().add(fast);
  const index = accelerate(scene);
  while (!Object.hasOwn(fast, '_updateDrawParameters')) {
    scene.updateMatrixWorld();
    await new Promise((resolve) => setTimeout(resolve));
  }
  // As no time passes, its index is built in one update.
  performance.now = () => 0;
  scene.updateMatrixWorld();
  Reflect.deleteProperty(performance, 'now');
  const camera = new PerspectiveCamera(60, 1.6, 0.1, 520);
  camera.position.set(300, 0, 0);
  camera.lookAt(0, 0, 0);
  let turns = 0;
  const turn = (side: number): void => {
    if (side === 0) turns++;
    camera.rotation.z = turns / 10;
    camera.updateMatrixWorld();
  };
  const draw = (batch: Batch) => (): number => {
    batch._updateDrawParameters(camera, geometry, material);
    return batch._multiDrawCount;
  };
  const matrix = new Matrix4();
  const turnAndMove = (side: number): void => {
    turn(side);
    for (let id = turns % 100; id < N; id += 100) {
      batches[side].getMatrixAt(id, matrix);
      matrix.elements[12] += 0.2;
      batches[side].setMatrixAt(id, matrix);
    }
  };
  const rows = [
    compare('draw list of a BatchedMesh, unsorted', draw(plain), draw(fast), turn),
    compare('the same, unsorted, after 1 % moved', draw(plain), draw(fast), turnAndMove),
  ];
  index.dispose();

  // Both look at each instance that is seen.
  const leveled = new InstanceIndex(fast);
  leveled.minPixels = 1e-9;
  const ids = [0, ...[1, 2, 3].map(() => fast.addGeometry(geometry))];
  const chain = ids.map((geometryId, i) => ({ geometryId, pixels: 12 / 2 ** i }));
  const setLevels = (side: number): void => {
    turn(side);
    leveled.setLevels(side === 0 ? [] : chain);
  };
  return [...rows, compare('four levels of detail, beside `minPixels` alone', draw(fast), draw(fast), setLevels)];
}

const how = `Node ${process.version}, medians of ${ROUNDS} rounds`;
print(`Scene of ${N} meshes, ${how}`, ['workload', 'three', 'SceneIndex', 'speed'], meshes());
print(`${N} instances, ${how}`, ['workload', 'three', 'index', 'speed'], await instances());
