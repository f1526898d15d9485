/** Speed of the three.js layer against three's own linear passes over the same scene, in the same run. */
import {
  BoxGeometry,
  Frustum,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector3,
} from 'three';
import { enableSimd, SceneIndex } from '../../src/index.js';
import { random } from '../helpers/random.js';
import { microseconds, Timings } from './Timings.js';

// On a page that code comes between the first two frames; here all is one task.
enableSimd();

const N = Number(process.env.N ?? 100_000);
const ROUNDS = 9;

const next = random(3);
const scene = new Scene();
const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();
for (let i = 0; i < N; i++) {
  const mesh = new Mesh(geometry, material);
  mesh.position.set(next() * 1000 - 500, next() * 1000 - 500, next() * 1000 - 500);
  mesh.scale.setScalar(0.5 + next() * 4);
  scene.add(mesh);
}
const camera = new PerspectiveCamera(60, 1.6, 0.1, 520);
camera.position.set(300, 0, 0);
camera.lookAt(0, 0, 0);
scene.updateMatrixWorld();

const three = new Timings();
const ours = new Timings();
const start = performance.now();
const index = new SceneIndex(scene);
const made = performance.now() - start;

const frustum = new Frustum();
const matrix = new Matrix4();
const seen: Object3D[] = [];
const raycaster = new Raycaster();

/** The loop of WebGLRenderer over the scene, without what it does for what it draws. */
function cullLikeThree(): number {
  camera.updateMatrixWorld();
  frustum.setFromProjectionMatrix(matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
  seen.length = 0;
  const pending: Object3D[] = [scene];
  for (let object = pending.pop(); object !== undefined; object = pending.pop()) {
    if (!object.visible) continue;
    if (
      object.layers.test(camera.layers) &&
      'isMesh' in object &&
      (!object.frustumCulled || frustum.intersectsObject(object as Mesh))
    ) {
      seen.push(object);
    }
    for (const child of object.children) pending.push(child);
  }
  return seen.length;
}

function aim(i: number): Raycaster {
  const target = new Vector3(Math.sin(i * 7) * 400, Math.sin(i * 3) * 400, Math.sin(i) * 400);
  raycaster.set(camera.position, target.sub(camera.position).normalize());
  return raycaster;
}

/** Moves so many of the meshes, the same ones each time, to places of their own. */
function move(share: number): void {
  const step = Math.round(1 / share);
  for (let i = 0; i < N; i += step) scene.children[i].position.x += i % 2 ? 0.01 : -0.01;
}

for (let round = -2; round < ROUNDS; round++) {
  three.add(round, 'matrices, nothing moved', 1, () => Number(scene.updateMatrixWorld()));
  ours.add(round, 'matrices, nothing moved', 1, () => Number(index.update()));
  for (const share of [0.01, 0.1, 1]) {
    const label = `matrices, ${100 * share} % moved`;
    move(share);
    three.add(round, label, 1, () => Number(scene.updateMatrixWorld()));
    move(share);
    ours.add(round, label, 1, () => Number(index.update()));
  }
}
for (let round = -2; round < ROUNDS; round++) {
  index.setStatic(scene);
  index.update();
  three.add(round, 'matrices, all static', 1, () => Number(scene.updateMatrixWorld()));
  ours.add(round, 'matrices, all static', 100, () => {
    for (let i = 0; i < 100; i++) index.update();
    return 0;
  });
  index.setStatic(scene, false);
  index.update();
  three.add(round, 'cull', 1, cullLikeThree);
  ours.add(round, 'cull', 1, () => index.cull(camera, seen).length);
  const hits = three.add(round, 'pick, all hits', 4, () =>
    [0, 1, 2, 3].reduce((n, i) => n + aim(i).intersectObject(scene).length, 0),
  );
  const same = ours.add(round, 'pick, all hits', 4, () =>
    [0, 1, 2, 3].reduce((n, i) => n + index.raycast(aim(i)).length, 0),
  );
  if (hits !== same) throw new Error(`three hits ${hits}, the index ${same}`);
  three.add(round, 'pick, first hit', 4, () =>
    [0, 1, 2, 3].reduce((n, i) => n + aim(i).intersectObject(scene).slice(0, 1).length, 0),
  );
  ours.add(round, 'pick, first hit', 4, () =>
    [0, 1, 2, 3].reduce((n, i) => n + (index.raycastFirst(aim(i)) ? 1 : 0), 0),
  );
}

console.log(
  `\n### Scene of ${N} meshes, ${index.cull(camera).length} seen, Node ${process.version}, medians of ${ROUNDS} rounds\n`,
);
console.log('| | three | SceneIndex | |\n| --- | --- | --- | --- |');
console.log(`| made, once | | ${made.toFixed(0)} ms | |`);
for (const label of three.labels) {
  const [a, b] = [three.median(label), ours.median(label)];
  console.log(`| ${label} | ${microseconds(a)} | ${microseconds(b)} | ${(a / b).toFixed(1)} x faster |`);
}
