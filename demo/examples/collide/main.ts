import * as THREE from 'three';
import { PairTracker, SceneIndex } from 'three-scene-index';

const WALL = 8;
const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas')!, antialias: true, alpha: true });
const camera = new THREE.PerspectiveCamera(40, 1, 1, 100);
camera.position.set(15, 11, 27);
camera.lookAt(0, 0, 0);

const scene = new THREE.Scene();
const cubes = new THREE.Group();
const corner = new THREE.Vector3().setScalar(WALL + 0.5);
scene.add(cubes, new THREE.Box3Helper(new THREE.Box3(corner.clone().negate(), corner), '#7f93a6'));
scene.add(new THREE.HemisphereLight('#ffffff', '#556677', 2), new THREE.DirectionalLight('#ffffff', 2));

type Cube = THREE.Mesh<THREE.BoxGeometry, THREE.MeshLambertMaterial>;
const box = new THREE.BoxGeometry();
const [cool, hot] = [new THREE.Color('#3f8fae'), new THREE.Color('#ff7a45')];
const random = () => 2 * THREE.MathUtils.seededRandom() - 1;
for (let i = 0; i < 220; i++) {
  const cube = new THREE.Mesh(box, new THREE.MeshLambertMaterial({ color: cool }));
  cube.position.set(random(), random(), random()).multiplyScalar(WALL);
  cube.userData.velocity = new THREE.Vector3(random(), random(), random()).multiplyScalar(4);
  cubes.add(cube);
}

const index = new SceneIndex<Cube>(cubes);
const tracker = new PairTracker(index);
let met = 0;

const pace = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0.1 : 1;
const timer = new THREE.Timer();
renderer.setAnimationLoop((time) => {
  const seconds = pace * Math.min(timer.update(time).getDelta(), 0.05);
  for (const { position, userData, material } of cubes.children as Cube[]) {
    position.addScaledVector(userData.velocity, seconds);
    for (const axis of ['x', 'y', 'z'] as const) {
      if (position[axis] * Math.sign(userData.velocity[axis]) > WALL) userData.velocity[axis] *= -1;
    }
    material.color.lerp(cool, 3 * seconds);
  }
  index.update();
  tracker.update();
  met += tracker.entered.length;
  for (const { a, b } of tracker.entered) {
    [a.userData.velocity, b.userData.velocity] = [b.userData.velocity, a.userData.velocity];
    for (const cube of [a, b]) cube.material.color.copy(hot);
  }
  document.querySelector('output')!.value = `Pairs touching: ${tracker.pairs.length}, met: ${met.toLocaleString('en')}`;
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
