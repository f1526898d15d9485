import * as THREE from 'three';
import { accelerate } from 'three-scene-index';

const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas')!, antialias: true, alpha: true });
const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 55);
const scene = new THREE.Scene();
scene.fog = new THREE.Fog(0, 25, 55);
scene.add(new THREE.HemisphereLight('#dff3ff', '#5a6f80', 1.8), new THREE.DirectionalLight('#fff2dd', 2).translateX(2));

const box = new THREE.BoxGeometry(1.2, 1, 1.2).translate(0, 0.5, 0);
const materials = Array.from({ length: 24 }, (_, i) => {
  return new THREE.MeshLambertMaterial({ color: `hsl(${215 - 2 * i}, 48%, ${34 + 1.7 * i}%)` });
});
for (let i = 0; i < 20_000; i++) {
  const [x, z] = [2 * (i % 200) - 200, 2 * Math.floor(i / 200) - 100];
  const hill = 0.5 + 0.25 * Math.sin(x / 9) + 0.25 * Math.cos(z / 7);
  const mesh = new THREE.Mesh(box, materials[Math.floor(23.9 * hill)]);
  mesh.position.set(x, 0, z);
  mesh.scale.y = 0.3 + 5 * hill + THREE.MathUtils.seededRandom();
  scene.add(mesh);
}

let index: ReturnType<typeof accelerate> | null = accelerate(scene); // all that is needed
index.setStatic(scene); // what rests costs nothing

document.querySelector('input')!.addEventListener('change', () => {
  if (index) index.dispose(); // everything is as it was before
  index = index ? null : accelerate(scene);
  index?.setStatic(scene);
});

const style = getComputedStyle(document.body);
const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
let cost = 0;
renderer.setAnimationLoop((time) => {
  const angle = still ? 0.45 : time / 20_000;
  camera.position.set(120 * Math.sin(angle), 11, 50 * Math.cos(angle));
  camera.lookAt(120 * Math.sin(angle + 0.3), 3, 50 * Math.cos(angle + 0.3));
  scene.fog!.color.set(style.backgroundColor);

  const start = performance.now();
  renderer.render(scene, camera);
  cost += (performance.now() - start - cost) / 20;
  const drawn = renderer.info.render.calls.toLocaleString('en');
  document.querySelector('output')!.value = `${drawn} of 20,000 drawn, ${cost.toFixed(1)} ms a frame`;
});

function resize() {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();
