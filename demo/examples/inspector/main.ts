import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Inspector } from 'three/addons/inspector/Inspector.js';
import * as THREE from 'three/webgpu';
import { accelerate } from 'three-scene-index';
import { SceneIndexTab } from 'three-scene-index/inspector';

const renderer = new THREE.WebGPURenderer({ canvas: document.querySelector('canvas')!, antialias: true, alpha: true });
const camera = new THREE.PerspectiveCamera(50, 1, 0.5, 160);
camera.position.set(26, 19, 38);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 2, 8);
const scene = new THREE.Scene();
const sun = new THREE.DirectionalLight('#fff2dd', 2.4);
sun.position.set(3, 5, 2);
scene.add(new THREE.HemisphereLight('#dff3ff', '#33404d', 1.6), sun);

const random = THREE.MathUtils.seededRandom;
const material = (color: THREE.ColorRepresentation) => new THREE.MeshLambertMaterial({ color });
const town = new THREE.Group();
const block = new THREE.BoxGeometry().translate(0, 0.5, 0);
const walls = ['#c8a27c', '#a9b4bd', '#8f9f7f', '#b98b7b', '#d6c7a8'].map(material);
for (let i = 0; i < 3600; i++) {
  const house = new THREE.Mesh(block, walls[Math.floor(5 * random())]);
  house.name = `house ${i}`;
  house.position.set(3 * (i % 60) - 90, 0, 3 * Math.floor(i / 60) - 90);
  house.scale.set(2, 1 + 6 * random() ** 3, 2);
  town.add(house);
}

const balls = new THREE.Group();
const ball = new THREE.IcosahedronGeometry(0.45, 1);
const paints = ['#2f8fd3', '#e2574c', '#f2b134'].map(material);
for (let i = 0; i < 900; i++) {
  balls.add(new THREE.Mesh(ball, paints[i % 3]));
  balls.children[i].name = `ball ${i}`;
}
scene.add(town, balls);

const index = accelerate(scene, { batch: true });
index.setStatic(town);

const inspector = new Inspector();
renderer.inspector = inspector;
const tab = new SceneIndexTab(index, camera);
inspector.addTab(tab).setActiveTab(tab);
inspector.domElement.querySelector<HTMLElement>('.profiler-toggle')!.click(); // opens the panel

renderer.setAnimationLoop((time) => {
  balls.children.forEach((mesh, i) => {
    const [turn, swarm] = [i + time / (4000 + 20 * (i % 100)), i % 12];
    mesh.position.set(30 * (swarm % 4) - 45, 8 + 2 * Math.sin(3 * turn), 30 * Math.floor(swarm / 4) - 30);
    mesh.position.add({ x: 9 * Math.sin(turn), y: (i % 7) / 2, z: 9 * Math.cos(turn) });
  });
  controls.update();
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
  renderer.render(scene, camera);
});
