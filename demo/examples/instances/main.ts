import * as THREE from 'three';
import { accelerate, InstanceIndex } from 'three-scene-index';

const COUNT = 30_000;
const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas')!, antialias: true, alpha: true });
const camera = new THREE.PerspectiveCamera(45, 1, 0.5, 42);
const scene = new THREE.Scene();
scene.fog = new THREE.Fog(0, 18, 42);
scene.add(new THREE.HemisphereLight('#ffffff', '#7d8a5a', 2.4), new THREE.DirectionalLight('#fff4d6', 1.6));

const blade = new THREE.ConeGeometry(0.09, 1, 3, 1, true).translate(0, 0.5, 0);
const meadow = new THREE.InstancedMesh(blade, new THREE.MeshLambertMaterial(), COUNT);
const object = new THREE.Object3D();
const color = new THREE.Color();
const { seededRandom: random } = THREE.MathUtils;
for (let i = 0; i < COUNT; i++) {
  object.position.setFromCylindricalCoords(50 * Math.sqrt(i / COUNT), 2.39996 * i, 0);
  object.rotation.set(0.5 * random() - 0.25, 6 * random(), 0.5 * random() - 0.25);
  object.scale.set(1, 0.4 + 0.7 * random(), 1);
  object.updateMatrix();
  meadow.setMatrixAt(i, object.matrix);
  meadow.setColorAt(i, color.setHSL(0.22 + 0.1 * random(), 0.5, 0.3 + 0.15 * random()));
}
scene.add(meadow);

accelerate(scene); // draws the instances in view
const instances = new InstanceIndex(meadow); // and this one answers questions about them
const flowers = ['#ff8fb0', '#ffd166', '#c99cff', '#ffffff'];
const raycaster = new THREE.Raycaster();
const brush = new THREE.Sphere(undefined, 1);
const ground = new THREE.Plane(new THREE.Vector3(0, 1, 0));
addEventListener('pointermove', ({ x, y }) => {
  raycaster.setFromCamera(new THREE.Vector2((2 * x) / innerWidth - 1, 1 - (2 * y) / innerHeight), camera);
  if (!raycaster.ray.intersectPlane(ground, brush.center)) return;
  for (const id of instances.querySphere(brush)) meadow.setColorAt(id, color.set(flowers[id % 4]));
  meadow.instanceColor!.needsUpdate = true;
});

const style = getComputedStyle(document.body);
const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
renderer.setAnimationLoop((time) => {
  const angle = still ? 0 : time / 40_000;
  camera.position.setFromCylindricalCoords(30, angle, 3);
  camera.lookAt(30 * Math.sin(angle + 0.8), 0, 30 * Math.cos(angle + 0.8));
  scene.fog!.color.set(style.backgroundColor);
  const seen = instances.cull(camera).length.toLocaleString('en');
  document.querySelector('output')!.value = `${seen} of 30,000 blades in view`;
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
