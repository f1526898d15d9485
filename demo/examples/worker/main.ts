import * as THREE from 'three';
import { Packed } from 'three-scene-index/core';

const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas')!, antialias: true, alpha: true });
const camera = new THREE.PerspectiveCamera(40, 1, 1, 200);
camera.position.set(0, -50, 62);
camera.lookAt(0, 0, 0);
const scene = new THREE.Scene();
const found = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial({ color: '#ff9d2e' }), 3000);
found.frustumCulled = false;
found.count = 0;
scene.add(found);

const index = new Packed();
const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
worker.addEventListener('message', ({ data: boxes }: MessageEvent<Float64Array>) => {
  const start = performance.now();
  index.addAll(boxes); // id 0 is the first box, and so on
  const milliseconds = (performance.now() - start).toFixed(0);
  show(`${index.size.toLocaleString('en')} boxes of ${(boxes.byteLength / 1e6).toFixed(0)} MB in ${milliseconds} ms`);

  const centers = new Float32Array(3 * index.size);
  for (let id = 0; id < index.size; id++) centers.set(centerOf(index.getBox(id)), 3 * id);
  const stars = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(centers, 3));
  const material = new THREE.PointsMaterial({ color: '#5b8def', size: 1, sizeAttenuation: false, transparent: true });
  material.opacity = 0.6;
  scene.add(new THREE.Points(stars, material));
});

const raycaster = new THREE.Raycaster();
const plane = new THREE.Plane(new THREE.Vector3(0, 0, 1));
const matrix = new THREE.Matrix4();
addEventListener('pointermove', ({ x, y }) => {
  raycaster.setFromCamera(new THREE.Vector2((2 * x) / innerWidth - 1, 1 - (2 * y) / innerHeight), camera);
  const place = raycaster.ray.intersectPlane(plane, new THREE.Vector3());
  if (!place) return;
  const ids = [...index.querySphere(place.x, place.y, 0, 3)].slice(0, 3000);
  for (const [i, id] of ids.entries()) {
    const box = index.getBox(id);
    found.setMatrixAt(i, matrix.makeScale(0.2, 0.2, 0.2).setPosition(...centerOf(box)));
  }
  found.count = ids.length;
  found.instanceMatrix.needsUpdate = true;
  show(`${ids.length.toLocaleString('en')} of ${index.size.toLocaleString('en')} boxes within 3 of the pointer`);
});

const centerOf = ([a, b, c, d, e, f]: Float64Array) => [(a + d) / 2, (b + e) / 2, (c + f) / 2] as const;
function show(text: string) {
  document.querySelector('output')!.value = text;
}
renderer.setAnimationLoop(() => renderer.render(scene, camera));

function resize() {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();
