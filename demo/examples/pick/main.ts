import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { accelerate } from 'three-scene-index';

const COUNT = 800;
const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas')!, antialias: true, alpha: true });
const camera = new THREE.PerspectiveCamera(40, 1, 1, 100);
camera.position.set(0, 8, 29);
const controls = new OrbitControls(camera, renderer.domElement);
controls.autoRotate = !matchMedia('(prefers-reduced-motion: reduce)').matches;
controls.autoRotateSpeed = 0.5;

const scene = new THREE.Scene();
scene.add(new THREE.HemisphereLight('#ffffff', '#56708a', 2), new THREE.DirectionalLight('#ffffff', 1.5));
const solids = [new THREE.BoxGeometry(), new THREE.OctahedronGeometry(0.75), new THREE.ConeGeometry(0.6, 1.1, 12)];
const names = ['Box', 'Octahedron', 'Cone'];
const colors = ['#2fa99a', '#3d9fb5', '#4f8fd0', '#6f83dc', '#8f7be0'];
const materials = colors.map((color) => new THREE.MeshLambertMaterial({ color }));
const lit = new THREE.MeshBasicMaterial({ color: '#ffb224' });

for (let i = 0; i < COUNT; i++) {
  const height = (2 * i + 1) / COUNT - 1;
  const mesh = new THREE.Mesh(solids[i % 3], materials[Math.floor(2.499 * (height + 1))]);
  mesh.position.setFromSphericalCoords(9, Math.acos(height), 2.39996 * i); // the golden angle fills a ball evenly
  mesh.scale.setScalar(0.5 + 0.5 * THREE.MathUtils.seededRandom());
  mesh.lookAt(0, 0, 0);
  mesh.name = `${names[i % 3]} ${i}`;
  scene.add(mesh);
}

const index = accelerate<THREE.Mesh>(scene, { batch: true });
const raycaster = new THREE.Raycaster();
const pointer = new THREE.Vector2(2, 2); // beside the screen, until it comes
let hovered: THREE.Mesh | null = null;
let material: THREE.Material | THREE.Material[] = lit;

addEventListener('pointermove', ({ x, y }) => {
  pointer.set((2 * x) / innerWidth - 1, 1 - (2 * y) / innerHeight);
});
renderer.domElement.addEventListener('click', () => hovered?.scale.multiplyScalar(1.6));

renderer.setAnimationLoop(() => {
  controls.update();
  raycaster.setFromCamera(pointer, camera);
  if (hovered) hovered.material = material;
  hovered = index.raycastFirst(raycaster)?.object ?? null; // by triangles, the nearest
  if (hovered) [material, hovered.material] = [hovered.material, lit];
  document.querySelector('output')!.value = hovered?.name ?? `${index.size.toLocaleString('en')} meshes`;
  renderer.render(scene, camera);
});

function resize() {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();
