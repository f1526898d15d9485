import * as THREE from 'three';
import { SceneIndex } from 'three-scene-index';

const RANGE = 7;
const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas')!, antialias: true, alpha: true });
const camera = new THREE.PerspectiveCamera(35, 1, 1, 200);
camera.position.set(0, 40, 44);
camera.lookAt(0, 0, 1);

const scene = new THREE.Scene();
const stones = new THREE.Group();
const circle = new THREE.RingGeometry(RANGE - 0.12, RANGE, 96).rotateX(-Math.PI / 2);
const ring = new THREE.Mesh(circle, new THREE.MeshBasicMaterial({ color: '#4f8fd0' }));
const lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: '#ff5c86' }));
lines.frustumCulled = false;
scene.add(stones, ring, lines, new THREE.HemisphereLight('#fff', '#678', 2), new THREE.DirectionalLight('#fff', 2));

const stone = new THREE.DodecahedronGeometry(0.5);
const [far, inRange, near] = ['#8797a6', '#4f8fd0', '#ff5c86'].map((color) => new THREE.MeshLambertMaterial({ color }));
for (let i = 0; i < 700; i++) {
  const mesh = new THREE.Mesh(stone, far);
  mesh.position.setFromCylindricalCoords(22 * Math.sqrt(i / 700), 2.39996 * i, 0); // the golden angle fills a disc
  mesh.scale.setScalar(0.5 + THREE.MathUtils.seededRandom()).multiply({ x: 1, y: 0.7, z: 1 });
  mesh.rotation.y = i;
  stones.add(mesh);
}

const index = new SceneIndex<THREE.Mesh>(stones); // any object may be the root
index.setStatic(stones);
const place = new THREE.Vector3(6, 0, 4);
const ground = new THREE.Plane(new THREE.Vector3(0, 1, 0));
const raycaster = new THREE.Raycaster();
addEventListener('pointermove', ({ x, y }) => {
  raycaster.setFromCamera(new THREE.Vector2((2 * x) / innerWidth - 1, 1 - (2 * y) / innerHeight), camera);
  raycaster.ray.intersectPlane(ground, place);
});

let found: THREE.Mesh[] = [];
renderer.setAnimationLoop(() => {
  for (const mesh of found) mesh.material = far;
  found = index.querySphere(new THREE.Sphere(place, RANGE)); // by their bounds, as all that follows
  for (const mesh of found) mesh.material = inRange;
  const nearest = index.nearest(place, 5);
  for (const { object } of nearest) (object as THREE.Mesh).material = near;
  document.querySelector('output')!.value =
    `${found.length} within ${RANGE} m, the nearest ${nearest[0].distance.toFixed(1)} m away`;

  ring.position.copy(place).setY(0.05);
  lines.geometry.setFromPoints(nearest.flatMap(({ object }) => [place, object.position]));
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
