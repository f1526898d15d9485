import { TilesRenderer } from '3d-tiles-renderer';
import * as THREE from 'three';
import { accelerate } from 'three-scene-index';

const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector('canvas')!, antialias: true, alpha: true });
const camera = new THREE.PerspectiveCamera(50, 1, 1, 900);
const scene = new THREE.Scene();
scene.fog = new THREE.Fog(0, 250, 800);
scene.add(new THREE.HemisphereLight('#eaf4ff', '#6d6a60', 2.2));
scene.add(new THREE.DirectionalLight('#fff1d6', 2.2).translateX(0.8).translateZ(0.5));

const tiles = new TilesRenderer('../../assets/tiles/tileset.json');
tiles.group.rotation.x = -Math.PI / 2; // 3D Tiles have z up
tiles.autoDisableRendererCulling = false; // the index culls
tiles.setCamera(camera);
scene.add(tiles.group);

const index = accelerate(scene, { batch: true }); // tiles that come are taken in, those that go are left out

const style = getComputedStyle(document.body);
const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
renderer.setAnimationLoop((time) => {
  const angle = still ? 0.6 : time / 15_000;
  camera.position.set(330 * Math.sin(angle), 130, 210 * Math.cos(angle));
  camera.lookAt(60 * Math.sin(2 * angle), 0, 0);
  camera.updateMatrixWorld();
  tiles.update();

  scene.fog!.color.set(style.backgroundColor);
  renderer.render(scene, camera);
  const { calls } = renderer.info.render;
  const [meshes, shown] = [index.size.toLocaleString('en'), tiles.visibleTiles.size];
  document.querySelector('output')!.value =
    `${shown} tiles of ${meshes} meshes, ${calls} draw call${calls === 1 ? '' : 's'}`;
});

function resize() {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight);
  tiles.setResolutionFromRenderer(camera, renderer);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();
