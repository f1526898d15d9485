/** What an update takes of the ways to say, or not to say, that objects rest, against three's own matrix pass. */
import { BoxGeometry, Mesh, MeshBasicMaterial, Scene } from 'three';
import { enableSimd, SceneIndex } from '../../src/index.js';
import { random } from '../helpers/random.js';
import { microseconds, Timings } from './Timings.js';

enableSimd();

const COUNTS = process.env.N ? [Number(process.env.N)] : [3000, 20_000];
const ROUNDS = 41;
/** Updates in a row, so that a clock can tell. */
const UPDATES = 16;

function makeScene(count: number): Scene {
  const next = random(3);
  const scene = new Scene();
  const [geometry, material] = [new BoxGeometry(), new MeshBasicMaterial()];
  for (let i = 0; i < count; i++) {
    const mesh = new Mesh(geometry, material);
    mesh.position.set(next() * 1000 - 500, next() * 1000 - 500, next() * 1000 - 500);
    scene.add(mesh);
  }
  scene.updateMatrixWorld();
  return scene;
}

function move(scene: Scene, share: number, i: number): void {
  const step = Math.round(1 / share);
  for (let m = 0; m < scene.children.length; m += step) scene.children[m].position.x += i % 2 ? 0.01 : -0.01;
}

for (const count of COUNTS) {
  const plain = makeScene(count);
  const none = makeScene(count);
  const marked = makeScene(count);
  const flagged = makeScene(count);
  for (const mesh of flagged.children) mesh.static = true;
  const indexOfNone = new SceneIndex(none);
  const indexOfMarked = new SceneIndex(marked);
  indexOfMarked.setStatic(marked);
  const indexOfFlagged = new SceneIndex(flagged);
  const ways: [label: string, scene: Scene, update: () => void][] = [
    ["three's own matrix pass", plain, () => plain.updateMatrixWorld()],
    ['nothing declared', none, () => indexOfNone.update()],
    ['the flag `static` of each mesh', flagged, () => indexOfFlagged.update()],
    ['`setStatic(scene)`', marked, () => indexOfMarked.update()],
  ];
  const timings = new Timings();
  for (let i = 0; i < 60; i++) for (const [, , update] of ways) update();
  for (let round = -5; round < ROUNDS; round++) {
    for (const [label, , update] of ways) {
      timings.add(round, label, UPDATES, () => {
        for (let i = 0; i < UPDATES; i++) update();
        return 0;
      });
    }
    for (const [label, scene, update] of ways.slice(0, 2)) {
      timings.add(round, `${label}, 1 % moves`, UPDATES, () => {
        for (let i = 0; i < UPDATES; i++) {
          move(scene, 0.01, i);
          update();
        }
        return 0;
      });
    }
  }
  console.log(`\n### Updates of ${count} meshes at rest, Node ${process.version}, medians of ${ROUNDS} rounds\n`);
  console.log('| | an update | of three |\n| --- | --- | --- |');
  for (const label of timings.labels) {
    const three = timings.median(label.endsWith('moves') ? `${ways[0][0]}, 1 % moves` : ways[0][0]);
    const time = timings.median(label);
    console.log(`| ${label} | ${microseconds(time)} | ${(time / three).toFixed(3)} |`);
  }
}
