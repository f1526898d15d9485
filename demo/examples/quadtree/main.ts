import * as THREE from 'three';
import { Quadtree, SceneIndex, SceneIndexHelper, stats } from 'three-scene-index';

const canvas = document.querySelector('canvas')!;
const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
const camera = new THREE.PerspectiveCamera(35, 1, 1, 300);
camera.position.set(0, 58, 38);
camera.lookAt(0, 0, 0);

const scene = new THREE.Scene();
const town = new THREE.Group();
scene.add(town, new THREE.HemisphereLight('#ffffff', '#667788', 2), new THREE.DirectionalLight('#ffffff', 2));

const index = new SceneIndex(town, { structure: new Quadtree({ capacity: 8 }) });
const map = new SceneIndexHelper(index, { flat: true, bounds: 'cell', lightness: 0.5, inset: 0 });
scene.add(map);

const house = new THREE.BoxGeometry(0.8, 1, 0.8).translate(0, 0.5, 0);
const walls = ['#d9a066', '#c8804f', '#b9664a', '#e0bd84'].map((color) => new THREE.MeshLambertMaterial({ color }));
const random = () => 2 * THREE.MathUtils.seededRandom() - 1;
function build(x: number, z: number, spread: number) {
  const mesh = new THREE.Mesh(house, walls[town.children.length % 4]);
  mesh.position.set(x + spread * random() * random(), 0, z + spread * random() * random());
  mesh.scale.y = 0.5 + 2 * random() ** 4;
  town.add(mesh);
}
for (let i = 0; i < 500; i++) {
  const centre = i % 7;
  build(3.4 * centre * Math.cos(2.4 * centre), 3.4 * centre * Math.sin(2.4 * centre), 12);
}

const raycaster = new THREE.Raycaster();
const ground = new THREE.Plane(new THREE.Vector3(0, 1, 0));
const place = new THREE.Vector3();
function buildAt({ x, y, buttons }: PointerEvent) {
  raycaster.setFromCamera(new THREE.Vector2((2 * x) / innerWidth - 1, 1 - (2 * y) / innerHeight), camera);
  if (buttons !== 1 || !raycaster.ray.intersectPlane(ground, place)) return;
  for (let i = 0; i < 4; i++) build(place.x, place.z, 2);
}
canvas.addEventListener('pointerdown', buildAt);
canvas.addEventListener('pointermove', buildAt);

renderer.setAnimationLoop(() => {
  index.update(); // takes in what was built
  map.update();
  document.querySelector('output')!.value = `${index.size} houses in ${stats(index).nodes} nodes`;
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
