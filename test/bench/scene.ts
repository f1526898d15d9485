/** Speed of the three.js layer against three's own passes over the same scene, and over the same instances, in the same run. */
import {
  BatchedMesh,
  BoxGeometry,
  type BufferGeometry,
  type Camera,
  Euler,
  InstancedMesh,
  type Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Scene,
  Vector3,
} from 'three';
import { accelerate, enableSimd, InstanceIndex, SceneIndex } from '../../src/index.js';
import { mainPass } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { microseconds, print, Timings } from './Timings.js';

// On a page that code comes between the first two frames; here all is one task.
enableSimd();

const N = Number(process.env.N ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 9);
const WARM_UP = 3;
const RAYS = 4;
const UPDATES = 100;

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();
const camera = new PerspectiveCamera(60, 1.6, 0.1, 520);
camera.position.set(300, 0, 0);
camera.lookAt(0, 0, 0);
camera.updateMatrixWorld();
const raycaster = new Raycaster();

const place = (next: () => number): Vector3 =>
  new Vector3(next() * 1000 - 500, next() * 1000 - 500, next() * 1000 - 500);

/** Casts rays, and sums what each finds. */
function cast(found: (raycaster: Raycaster) => number): number {
  let sum = 0;
  for (let i = 0; i < RAYS; i++) {
    const target = new Vector3(Math.sin(i * 7) * 400, Math.sin(i * 3) * 400, Math.sin(i) * 400);
    raycaster.set(camera.position, target.sub(camera.position).normalize());
    sum += found(raycaster);
  }
  return sum;
}

interface Turn {
  /** Calls that one time is of, and those of ours where they are others. */
  readonly count?: number;
  readonly times?: number;
  /** Before each side, not timed. */
  readonly before?: () => void;
}

/** What three does and what we do in its place, row by row. */
class Table {
  readonly #three = new Timings();
  readonly #ours = new Timings();
  #round = 0;

  /** @param rows Called in each round, to add the rows. */
  measure(rows: () => void): void {
    for (this.#round = -WARM_UP; this.#round < ROUNDS; this.#round++) rows();
  }

  add(label: string, three: (() => unknown) | null, ours: () => unknown, turn: Turn = {}): void {
    const { count = 1, times = count, before } = turn;
    before?.();
    const plain = three && this.#three.add(this.#round, label, count, three as () => number);
    before?.();
    const own = this.#ours.add(this.#round, label, times, ours as () => number);
    if (plain !== null && plain !== own) throw new Error(`${label}: three ${plain}, the index ${own}`);
  }

  print(heading: string, ours: string, made: [what: string, milliseconds: number]): void {
    const rows = this.#ours.labels.map((label) => {
      const [a, b] = [this.#three.median(label), this.#ours.median(label)];
      if (Number.isNaN(a)) return [label, 'none', microseconds(b), ''];
      return [label, microseconds(a), microseconds(b), `${(a / b).toFixed(1)} x faster`];
    });
    rows.unshift([made[0], '', `${made[1].toFixed(0)} ms`, '']);
    print(`${heading}, Node ${process.version}, medians of ${ROUNDS} rounds`, ['', 'three', ours, ''], rows);
  }
}

function timed<T>(make: () => T): [made: T, milliseconds: number] {
  const start = performance.now();
  const made = make();
  return [made, performance.now() - start];
}

measureMeshes();
await measureInstances();

function measureMeshes(): void {
  const next = random(3);
  const scene = new Scene();
  for (let i = 0; i < N; i++) {
    const mesh = new Mesh(geometry, material);
    mesh.position.copy(place(next));
    mesh.scale.setScalar(0.5 + next() * 4);
    scene.add(mesh);
  }
  scene.updateMatrixWorld();
  const [index, made] = timed(() => new SceneIndex(scene));
  const pass = (): void => scene.updateMatrixWorld();
  const update = (): void => index.update();
  const table = new Table();
  table.measure(() => {
    table.add('matrices, nothing moved', pass, update);
    for (const share of [0.01, 0.1, 1]) {
      // The same ones each time.
      const before = (): void => {
        for (let i = 0; i < N; i += Math.round(1 / share)) scene.children[i].position.x += i % 2 ? 0.01 : -0.01;
      };
      table.add(`matrices, ${100 * share} % moved`, pass, update, { before });
    }
  });
  const updates = (): void => {
    for (let i = 0; i < UPDATES; i++) update();
  };
  table.measure(() => {
    index.setStatic(scene);
    update();
    table.add('matrices, all static', pass, updates, { times: UPDATES });
    index.setStatic(scene, false);
    update();
  });
  table.print(`Scene of ${N} meshes`, 'SceneIndex', ['made, once', made]);
}

/** What a renderer calls before it draws a batch, and what it finds then; a private part of three. */
type Batch = BatchedMesh & {
  _updateDrawParameters(camera: Camera, geometry: BufferGeometry, material: Material): void;
  _multiDrawCount: number;
};

function makeInstances(): { batch: Batch; instanced: InstancedMesh } {
  const next = random(3);
  const batch = new BatchedMesh(N, 96, 144, material) as Batch;
  const instanced = new InstancedMesh(geometry, material, N);
  const id = batch.addGeometry(geometry);
  for (let i = 0; i < N; i++) {
    const turn = new Quaternion().setFromEuler(new Euler(6 * next(), 6 * next(), 6 * next()));
    const matrix = new Matrix4().compose(place(next), turn, new Vector3().setScalar(0.5 + 4 * next()));
    batch.setMatrixAt(batch.addInstance(id), matrix);
    instanced.setMatrixAt(i, matrix);
  }
  return { batch, instanced };
}

/** Moves one of a hundred instances a little. */
function move(mesh: Batch | InstancedMesh, first: number): void {
  const matrix = new Matrix4();
  for (let id = first % 100; id < N; id += 100) {
    mesh.getMatrixAt(id, matrix);
    matrix.elements[12] += 0.2;
    mesh.setMatrixAt(id, matrix);
  }
  if ('instanceMatrix' in mesh) mesh.instanceMatrix.needsUpdate = true;
}

/** Has indices of instances built in one update, as no time passes in it. */
function updateAtOnce(root: Scene): void {
  performance.now = () => 0;
  root.updateMatrixWorld();
  Reflect.deleteProperty(performance, 'now');
}

async function measureInstances(): Promise<void> {
  const plain = makeInstances();
  const fast = makeInstances();
  const scene = new Scene().add(fast.batch, fast.instanced);
  const index = accelerate(scene);
  while (!Object.hasOwn(fast.batch, '_updateDrawParameters')) {
    scene.updateMatrixWorld();
    await new Promise((resolve) => setTimeout(resolve));
  }
  const castAt = (mesh: Object3D) => (): number => cast((ray) => ray.intersectObject(mesh).length);
  // An index of an instanced mesh is built after the first cast.
  castAt(fast.instanced)();
  updateAtOnce(scene);
  const draw = (mesh: Batch) => (): number => {
    mesh._updateDrawParameters(camera, geometry, material);
    return mesh._multiDrawCount;
  };
  const sort = (isSorted: boolean): void => {
    plain.batch.sortObjects = fast.batch.sortObjects = isSorted;
  };
  let turns = 0;
  const turn = (): void => {
    camera.rotation.z += 0.1;
    camera.updateMatrixWorld();
    turns++;
  };
  const table = new Table();
  table.measure(() => {
    turn();
    for (const isSorted of [false, true]) {
      sort(isSorted);
      const label = `draw list of a BatchedMesh, ${isSorted ? 'sorted' : 'unsorted'}`;
      table.add(label, draw(plain.batch), draw(fast.batch));
    }
    sort(false);
    for (const { batch } of [plain, fast]) move(batch, turns);
    table.add('the same, unsorted, after 1 % moved', draw(plain.batch), draw(fast.batch));
    const rays = { count: RAYS };
    table.add('ray at a BatchedMesh, all hits', castAt(plain.batch), castAt(fast.batch), rays);
    table.add('ray at an InstancedMesh, all hits', castAt(plain.instanced), castAt(fast.instanced), rays);
  });
  const seen = fast.batch._multiDrawCount;
  index.dispose();

  // What a pass over a scene with an `InstancedMesh` costs before anything is uploaded.
  const alone = new Scene().add(fast.instanced);
  const culling = accelerate(alone);
  updateAtOnce(alone);
  const pass = (): unknown => mainPass(alone, camera);
  table.measure(() => {
    turn();
    table.add('pass with an InstancedMesh, camera moved', null, pass);
    table.add('the same, nothing moved', null, pass);
    move(fast.instanced, turns);
    table.add('the same, 1 % of the instances moved', null, pass);
  });
  culling.dispose();
  const [instances, made] = timed(() => new InstanceIndex(plain.instanced));
  table.measure(() => table.add('cull an InstancedMesh to ids', null, () => instances.cull(camera)));

  // A batch alone, drawn with and without levels of detail; both look at each instance that is seen.
  const leveled = new InstanceIndex(fast.batch);
  leveled.minPixels = 1e-9;
  const ids = [0, ...[1, 2, 3].map(() => fast.batch.addGeometry(geometry))];
  const chain = ids.map((geometryId, i) => ({ geometryId, pixels: 12 / 2 ** i }));
  table.measure(() => {
    turn();
    leveled.setLevels(chain);
    table.add('draw list of a BatchedMesh, unsorted, four levels of detail', null, draw(fast.batch));
    leveled.setLevels([]);
    table.add('the same with minPixels alone', null, draw(fast.batch));
  });
  table.print(`${N} instances, ${seen} seen`, 'index', ['InstanceIndex made, once', made]);
}
