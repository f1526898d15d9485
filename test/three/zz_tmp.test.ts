import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Object3D, PerspectiveCamera, Scene } from 'three';
import { it } from 'vitest';
import { SceneIndex } from '../../src/index.js';
import { random } from '../helpers/random.js';
import { boxMesh } from '../helpers/scene.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
it('measure', () => {
  const next = random(1);
  const scene = new Scene();
  for (let i = 0; i < 3000; i++) scene.add(boxMesh(next() * 100 - 50, next() * 100 - 50, next() * 100 - 50));
  const index = new SceneIndex(scene);
  const camera = new PerspectiveCamera(60, 1, 0.1, 80);
  camera.position.z = 40;
  const out: Object3D[] = [];
  const run = (label: string, call: () => void) => {
    for (let i = 0; i < 3000; i++) call();
    let least = Infinity;
    for (let r = 0; r < 6; r++) {
      gc();
      const before = process.memoryUsage().heapUsed;
      for (let i = 0; i < 1500; i++) call();
      least = Math.min(least, (process.memoryUsage().heapUsed - before) / 1500);
    }
    console.log(label, least, out.length);
  };
  run('cull', () => index.cull(camera, out));
  run('update', () => index.update());
});
