import { BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { accelerate } from 'three-scene-index';
import { Bvh } from 'three-scene-index/core';
import { snapshotOf } from './snapshot.js';

/** The test edits this line. */
const VERSION = 0;
const kept = import.meta.hot.data;

const OPTIONS = [
  {},
  { batch: { atLeast: 4 } },
  { structure: new Bvh() },
  { batch: { atLeast: 2 } },
  { cullCasters: true },
  { batch: { atLeast: 4 } },
];

kept.scene ??= makeScene();
kept.renderer ??= new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
kept.indices ??= [];
const { scene, renderer, indices } = kept;
const camera = new PerspectiveCamera(60, 1, 0.1, 100);
camera.position.z = 30;
if (indices.length === 0) {
  renderer.setSize(64, 64);
  renderer.render(scene, camera);
  window.before = snapshotOf(scene);
}
indices.push(accelerate(scene, OPTIONS[VERSION]));

/** Two pictures: meshes join batches in the first. */
window.draw = () => {
  renderer.render(scene, camera);
  renderer.render(scene, camera);
  const { calls, triangles } = renderer.info.render;
  return { calls, triangles, picture: renderer.domElement.toDataURL() };
};
window.alive = () => indices.map((index) => index.has(scene));
window.askFirst = () => indices[0].update();
window.after = () => {
  indices.at(-1).dispose();
  renderer.render(scene, camera);
  return snapshotOf(scene);
};
window.version = VERSION;

function makeScene() {
  const scene = new Scene();
  const geometry = new BoxGeometry();
  const material = new MeshBasicMaterial({ color: 'orange' });
  for (let i = 0; i < 20; i++) {
    const mesh = new Mesh(geometry, material);
    // Every other one is out of view.
    mesh.position.set((i % 5) * 3 - 6, i - 10, i % 2 === 0 ? 0 : 100);
    scene.add(mesh);
  }
  return scene;
}

import.meta.hot.accept();
