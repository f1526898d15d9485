import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { SceneIndex } from 'three-scene-index';

const COUNT = 1500;
const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas')!, antialias: true, alpha: true });
const camera = new THREE.PerspectiveCamera(40, 1, 1, 200);
camera.position.set(0, 42, 58);
const controls = new OrbitControls(camera, renderer.domElement);
controls.enableDamping = true;

const scene = new THREE.Scene();
const boxes = new THREE.Group();
scene.add(boxes, new THREE.HemisphereLight('#ffffff', '#556677', 2.2), new THREE.DirectionalLight('#ffffff', 1.5));

const geometry = new THREE.BoxGeometry();
const seen = new THREE.MeshLambertMaterial({ color: '#19b8a2' });
const unseen = new THREE.MeshLambertMaterial({ color: '#8b99a6', transparent: true, opacity: 0.22 });
for (let i = 0; i < COUNT; i++) {
  const box = new THREE.Mesh(geometry, unseen);
  // A sunflower: the golden angle fills a disc evenly.
  const radius = 4 + 26 * Math.sqrt(i / COUNT);
  box.position.setFromCylindricalCoords(radius, 2.39996 * i, 0);
  box.position.y = 6 * (THREE.MathUtils.seededRandom() - 0.5) * (1 - radius / 40);
  box.scale.setScalar(0.35 + 0.5 * THREE.MathUtils.seededRandom());
  boxes.add(box);
}

const player = new THREE.PerspectiveCamera(50, 1.6, 1, 24);
const shape = new THREE.CameraHelper(player);
scene.add(player, shape);

const index = new SceneIndex<THREE.Mesh>(boxes);
index.setStatic(boxes);
let visible: THREE.Mesh[] = [];

const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
renderer.setAnimationLoop((time) => {
  player.rotation.y = still ? 0.5 : time / 3000;
  index.update(); // once a frame, after things moved

  for (const box of visible) box.material = unseen;
  visible = index.cull(player, visible);
  for (const box of visible) box.material = seen;
  document.querySelector('output')!.value = `${visible.length} of ${index.size.toLocaleString('en')} in view`;

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
