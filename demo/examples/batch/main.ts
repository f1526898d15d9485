import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { accelerate } from 'three-scene-index';

const COUNT = 2000;
const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas')!, antialias: true, alpha: true });
const camera = new THREE.PerspectiveCamera(40, 1, 1, 200);
camera.position.set(0, 30, 34);
const controls = new OrbitControls(camera, renderer.domElement);
const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
controls.autoRotate = !still;
controls.autoRotateSpeed = 0.4;

const scene = new THREE.Scene();
scene.add(new THREE.HemisphereLight('#ffffff', '#6a5f55', 2), new THREE.DirectionalLight('#ffffff', 1.5));
const shapes = [
  new THREE.BoxGeometry(),
  new THREE.ConeGeometry(0.65, 1.2, 7),
  new THREE.CylinderGeometry(0.5, 0.5, 1, 8),
];

const meshes = Array.from({ length: COUNT }, (_, i) => {
  const distance = Math.sqrt((i + 8) / COUNT);
  const color = new THREE.Color().setHSL(0.11 - 0.14 * distance, 0.75, 0.36 + 0.24 * distance);
  const mesh = new THREE.Mesh(shapes[i % 3], new THREE.MeshLambertMaterial({ color }));
  mesh.position.setFromCylindricalCoords(20 * distance, 2.39996 * i, 0); // the golden angle, as in a sunflower
  mesh.scale.setScalar(0.3 + 0.4 * distance);
  mesh.rotation.y = 2.39996 * i;
  scene.add(mesh);
  return mesh;
});

const index = accelerate(scene, { batch: true }); // meshes that are alike, drawn at once
const input = document.querySelector('input')!;
input.addEventListener('change', () => index.batch(scene, input.checked));

renderer.setAnimationLoop((time) => {
  const phase = still ? 0 : time / 700;
  // The scene is as ever: move its meshes, change or remove them.
  for (const [i, mesh] of meshes.entries()) mesh.position.y = 1.1 * Math.sin(9 * Math.sqrt(i / COUNT) - phase);
  controls.update();
  renderer.render(scene, camera);
  const { calls } = renderer.info.render;
  document.querySelector('output')!.value =
    `${calls.toLocaleString('en')} draw call${calls === 1 ? '' : 's'} for 2,000 meshes`;
});

function resize() {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();
