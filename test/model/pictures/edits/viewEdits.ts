import * as THREE from 'three';
import { anyPlace, oneOf, pick } from '../../scene/numbers.js';
import { type Edits, HEIGHT, type PictureSide, WIDTH } from '../PictureSide.js';

const hasPoints = ({ objects }: PictureSide): boolean => objects.some((object) => 'isPoints' in object);

/** Lights, cameras, and how the scene as a whole is drawn. */
export const VIEW_EDITS: Edits = {
  light(side, next) {
    const light = side.any(next, (object) => 'isLight' in object) as THREE.Light | null;
    const [share, hue] = [next(), next()];
    if (light === null) return;
    oneOf(
      next,
      () => Object.assign(light, { visible: !light.visible }),
      () => Object.assign(light, { intensity: light.intensity * (0.5 + share) }),
      () => light.color.setHSL(hue, 0.5, 0.8),
      () => Object.assign(light, { castShadow: (light as THREE.DirectionalLight).shadow !== undefined }),
    );
  },
  fog(side, next) {
    const [near, far] = [0.05 * next(), 20 + 20 * next()];
    side.scene.fog = pick(next, [null, new THREE.Fog('#89a', 5, far), new THREE.FogExp2(0xaa9988, near)]);
  },
  background(side, next) {
    const color = new THREE.Color().setHSL(next(), 0.4, 0.5);
    side.scene.background = pick(next, [null, color, color, pick(next, side.textures)]);
  },
  override(side, next) {
    const material = new THREE.MeshNormalMaterial({ flatShading: next() < 0.5 });
    const isOn = next() < 0.5;
    // Their size is of no material but their own, and then anything.
    side.scene.overrideMaterial = isOn && !hasPoints(side) ? material : null;
  },
  overrideOff(side) {
    side.scene.overrideMaterial = null;
  },
  moveCamera(side, next) {
    side.eye.position.copy(anyPlace(next, 24));
    side.eye.position.z += 8;
    side.eye.lookAt(0, 0, 0);
  },
  nudgeCamera(side, next) {
    side.eye.position.add(anyPlace(next, 2));
    side.eye.rotateY(0.2 * (next() - 0.5));
  },
  lens({ camera }, next) {
    camera.fov = 30 + next() * 60;
    camera.near = 0.1 + next() * 3;
    camera.far = 15 + next() * 80;
    if (next() < 0.2) camera.setViewOffset(WIDTH, HEIGHT, next() * 50, next() * 50, WIDTH / 2, HEIGHT / 2);
    else camera.clearViewOffset();
    camera.updateProjectionMatrix();
  },
  otherCamera(side, next) {
    const before = side.eye;
    side.eye = next() < 0.6 ? side.camera : side.flat;
    side.eye.position.copy(before.position);
    side.eye.quaternion.copy(before.quaternion);
    side.eye.layers.mask = before.layers.mask;
  },
  sortObjects({ renderer }, next) {
    renderer.sortObjects = next() < 0.7;
  },
  clipAll({ renderer, planes }, next) {
    renderer.clippingPlanes = next() < 0.5 ? [] : [planes[2]];
    renderer.localClippingEnabled = next() < 0.7;
  },
  shadowMap({ renderer: { shadowMap } }, next) {
    shadowMap.autoUpdate = next() < 0.7;
    shadowMap.needsUpdate = next() < 0.5;
  },
  toneMapping({ renderer }, next) {
    renderer.toneMapping = pick(next, [THREE.NoToneMapping, THREE.LinearToneMapping, THREE.ACESFilmicToneMapping]);
    renderer.toneMappingExposure = 0.5 + next();
  },
  compile: ({ renderer, scene, eye }) => void renderer.compile(scene, eye),
  toTarget(side, next) {
    const target = new THREE.WebGLRenderTarget(100, 80, { samples: next() < 0.5 ? 4 : 0 });
    const camera = side.camera.clone();
    camera.position.copy(anyPlace(next, 10));
    camera.lookAt(0, 0, 0);
    side.renderer.setRenderTarget(target);
    side.renderer.render(side.scene, camera);
    side.renderer.setRenderTarget(null);
    target.dispose();
  },
  severalViews(side, next) {
    const cameras = [0, 1].map((place): THREE.PerspectiveCamera => {
      const camera = side.camera.clone();
      camera.position.copy(anyPlace(next, 12));
      camera.lookAt(0, 0, 0);
      camera.viewport = new THREE.Vector4((place * WIDTH) / 2, 0, WIDTH / 2, HEIGHT);
      camera.updateMatrixWorld();
      return camera;
    });
    side.renderer.render(side.scene, new THREE.ArrayCamera(cameras));
  },
};
