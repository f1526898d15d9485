import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { acceleratedRaycast, MeshBVH } from 'three-mesh-bvh';
import { accelerate } from 'three-scene-index';

const RAYS = 300;
const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas')!, antialias: true, alpha: true });
const camera = new THREE.PerspectiveCamera(40, 1, 1, 100);
camera.position.set(0, 11, 15);
const controls = new OrbitControls(camera, renderer.domElement);

const scene = new THREE.Scene();
scene.add(new THREE.HemisphereLight('#ffffff', '#667788', 2), new THREE.DirectionalLight('#ffffff', 2));
const knots = Array.from({ length: 9 }, (_, i) => {
  const geometry = new THREE.TorusKnotGeometry(0.9, 0.3, 160, 16, 2 + (i % 3), 3 + (i % 2));
  geometry.boundsTree = new MeshBVH(geometry); // for the triangles of a mesh
  const knot = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: `hsl(${170 + 10 * i}, 40%, 52%)` }));
  knot.raycast = acceleratedRaycast;
  if (i > 0) knot.position.setFromCylindricalCoords(4, (i * Math.PI) / 4, 0);
  return knot;
});
const index = accelerate(scene); // for the meshes of the scene
const raycaster = new THREE.Raycaster();
raycaster.firstHitOnly = true; // of each mesh

const ends = Array.from({ length: 2 * RAYS }, () => new THREE.Vector3());
const tips = ends.filter((_, i) => i % 2 === 1);
const rays = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: '#e09a2a' }));
rays.frustumCulled = false;
rays.raycast = () => {}; // they do not hit each other
scene.add(...knots, rays);

const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
renderer.setAnimationLoop((time) => {
  for (const [i, knot] of knots.entries()) knot.rotation.set(0.4 * i, still ? 0 : time / 4000 + i, 0);
  scene.updateMatrixWorld(); // picks see what moved
  const start = performance.now();
  let count = 0;
  for (const [i, tip] of tips.entries()) {
    const from = ends[2 * i].setFromCylindricalCoords(8, (2 * Math.PI * i) / RAYS, 0.6 * Math.sin(i / 15));
    raycaster.set(from, tip.copy(from).negate().normalize());
    const hit = index.raycastFirst(raycaster);
    tip.copy(hit?.point ?? from);
    if (hit) count++;
  }
  const milliseconds = (performance.now() - start).toFixed(1);
  document.querySelector('output')!.value = `${count} of ${RAYS} rays hit, in ${milliseconds} ms`;
  rays.geometry.setFromPoints(ends);
  controls.update();
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
