import * as THREE from 'three';
import { accelerate, queryScreen } from 'three-scene-index';

const canvas = document.querySelector('canvas')!;
const band = document.querySelector<HTMLElement>('.band')!;
const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
const camera = new THREE.PerspectiveCamera(35, 1, 1, 200);
camera.position.set(0, 30, 44);
camera.lookAt(0, 0, 3);

const scene = new THREE.Scene();
scene.add(new THREE.HemisphereLight('#ffffff', '#667788', 2), new THREE.DirectionalLight('#ffffff', 2));
const outline = [0.5, 0, 0.5, 0.2, 0.3, 0.3, 0.15, 0.9, 0.32, 1, 0.15, 1.05, 0.32, 1.3, 0.28, 1.5, 0, 1.7];
const points = Array.from({ length: 9 }, (_, i) => new THREE.Vector2(outline[2 * i], outline[2 * i + 1]));
const pawn = new THREE.LatheGeometry(points, 14);
const plain = new THREE.MeshLambertMaterial({ color: '#8397aa' });
const chosen = new THREE.MeshLambertMaterial({ color: '#ffb224', emissive: '#5a3a00' });
const random = THREE.MathUtils.seededRandom;
for (let i = 0; i < 500; i++) {
  const mesh = new THREE.Mesh(pawn, plain);
  mesh.position.set(1.6 * (i % 25) - 19 + 0.8 * random(), 0, 1.8 * Math.floor(i / 25) - 17 + 0.8 * random());
  scene.add(mesh);
}

const index = accelerate<THREE.Mesh>(scene, { batch: true });
let selected: THREE.Mesh[] = [];
let start: PointerEvent | null = null;
canvas.addEventListener('pointerdown', (event) => {
  canvas.setPointerCapture(event.pointerId);
  start = event;
});
canvas.addEventListener('pointermove', (end) => {
  if (!start) return;
  for (const mesh of selected) mesh.material = plain;
  selected = queryScreen(index, camera, onScreen(start), onScreen(end), 'contain');
  for (const mesh of selected) mesh.material = chosen;
  band.style.inset = `${Math.min(start.y, end.y)}px auto auto ${Math.min(start.x, end.x)}px`;
  band.style.width = `${Math.abs(start.x - end.x)}px`;
  band.style.height = `${Math.abs(start.y - end.y)}px`;
  band.hidden = false;
});
canvas.addEventListener('lostpointercapture', () => {
  start = null;
  band.hidden = true;
});
const onScreen = ({ x, y }: PointerEvent) => new THREE.Vector2((2 * x) / innerWidth - 1, 1 - (2 * y) / innerHeight);

renderer.setAnimationLoop(() => {
  renderer.render(scene, camera);
  document.querySelector('output')!.value = `${selected.length} of ${index.size} selected`;
});

function resize() {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();
