import * as THREE from 'three';
import { SceneIndex, VisibilityTracker } from 'three-scene-index';

type Poster = THREE.Mesh<THREE.PlaneGeometry, THREE.MeshBasicMaterial>;
const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas')!, antialias: true, alpha: true });
const camera = new THREE.PerspectiveCamera(35, 1, 1, 200);
camera.position.set(-14, 10, 54);
camera.lookAt(-1, -1, 4);

const [scene, posters] = [new THREE.Scene(), new THREE.Group()];
const viewer = new THREE.PerspectiveCamera(45, 1.5, 1, 14);
scene.add(posters, viewer, new THREE.CameraHelper(viewer));
const plane = new THREE.PlaneGeometry(1.5, 2);
const blank = new THREE.MeshBasicMaterial({ color: '#8797a6', transparent: true, opacity: 0.25 });
for (let i = 0; i < 400; i++) {
  const x = 1.8 * ((i % 40) - 19.5);
  const poster = new THREE.Mesh(plane, blank);
  poster.position.set(x, 2.3 * (Math.floor(i / 40) - 4.5), 2 * Math.sin(x / 6));
  poster.rotation.y = -0.3 * Math.cos(x / 6);
  posters.add(poster);
}

// In place of TextureLoader.load: a poster, painted rather than fetched.
function load(seed: number) {
  const context = new OffscreenCanvas(96, 128).getContext('2d')!;
  for (let i = 0; i < 6; i++) {
    context.fillStyle = `hsl(${seed * 137 + 25 * i} 50% ${85 - 11 * i}%)`;
    context.fillRect(0, 21 * i + 9 * Math.min(i, 1) * Math.sin(seed * i), 96, 128);
  }
  return Object.assign(new THREE.CanvasTexture(context.canvas), { colorSpace: THREE.SRGBColorSpace });
}

const index = new SceneIndex<Poster>(posters);
index.setStatic(posters);
const tracker = new VisibilityTracker(index, viewer);

renderer.setAnimationLoop((time) => {
  const phase = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0.3 : time / 6000;
  viewer.position.set(24 * Math.sin(phase), 3 * Math.sin(3 * phase), 11);
  tracker.update();
  for (const poster of tracker.entered) poster.material = new THREE.MeshBasicMaterial({ map: load(poster.id) });
  for (const poster of tracker.left) {
    poster.material.map?.dispose();
    poster.material.dispose();
    poster.material = blank;
  }
  document.querySelector('output')!.value = `${tracker.visible.length} of ${index.size} posters loaded`;
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
