import * as THREE from 'three';
import { pick } from '../../scene/numbers.js';
import type { Edits } from '../runShadows.js';
import { between } from '../ShadowWorld.js';

/** What is done to lights, their shadows, the camera and the renderer. */
export const LIGHT_EDITS: Edits = {
  light(world, next) {
    const step = new THREE.Vector3(between(next, -1, 1), between(next, -0.3, 0.3), between(next, -1, 1));
    world.anyLight(next).position.add(step);
  },
  target: (world, next) => void world.sun.target.position.set(between(next, -2, 2), 0, between(next, -2, 2)),
  sunCamera(world, next) {
    const { camera } = world.sun.shadow;
    const side = between(next, 4, 9);
    Object.assign(camera, { left: -side, right: side, top: side, bottom: -side });
    camera.updateProjectionMatrix();
  },
  near(world, next) {
    const camera = world.anyLight(next).shadow.camera as THREE.PerspectiveCamera;
    camera.near = between(next, 0.3, 1.5);
    camera.updateProjectionMatrix();
  },
  zoom(world, next) {
    const { camera } = world.anyLight(next).shadow;
    camera.zoom = between(next, 0.8, 1.2);
    camera.updateProjectionMatrix();
  },
  cone(world, next) {
    world.spot.angle = between(next, 0.3, 0.8);
  },
  distance(world, next) {
    pick(next, [world.spot, world.lamp]).distance = pick(next, [0, 15, 30]);
  },
  lightMovesInGroup(world, next) {
    pick(next, world.groups).attach(world.anyLight(next));
  },
  colour(world, next) {
    const light = world.anyLight(next);
    light.color.setHex(0xffffff * next());
    light.intensity *= between(next, 0.8, 1.2);
  },
  mapSize(world, next) {
    const { shadow } = world.anyLight(next);
    const size = pick(next, [64, 96, 128, 200]);
    shadow.mapSize.set(size, size);
    // three keeps the size of a cube.
    if (!(shadow.map && 'isPointLightShadow' in shadow)) return;
    shadow.map.dispose();
    shadow.map = null;
  },
  disposeMap: (world, next) => world.anyLight(next).shadow.map?.dispose(),
  dropMap(world, next) {
    const { shadow } = world.anyLight(next);
    shadow.dispose();
    Object.assign(shadow, { map: null, mapPass: null });
  },
  dropMapAlone(world, next) {
    world.anyLight(next).shadow.map = null;
  },
  /** A map of the page's own. */
  otherMap(world, next) {
    const { shadow } = pick(next, [world.sun, world.spot]);
    if (!shadow.map?.depthTexture) return;
    shadow.map.dispose();
    const { depthTexture, width, height } = shadow.map;
    const other = shadow.map.clone();
    other.depthTexture = new THREE.DepthTexture(width, height, depthTexture.type);
    const { format, compareFunction, minFilter, magFilter } = depthTexture;
    Object.assign(other.depthTexture, { format, compareFunction, minFilter, magFilter });
    shadow.map = other;
  },
  otherDepth(world, next) {
    const { map } = pick(next, [world.sun, world.spot]).shadow;
    if (!map?.depthTexture) return;
    const { type, format, compareFunction, minFilter, magFilter } = map.depthTexture;
    map.dispose();
    map.depthTexture = new THREE.DepthTexture(map.width, map.height, type);
    Object.assign(map.depthTexture, { format, compareFunction, minFilter, magFilter });
  },
  lightCasts(world, next) {
    const light = world.anyLight(next);
    light.castShadow = !light.castShadow;
  },
  lightShown(world, next) {
    const light = world.anyLight(next);
    light.visible = !light.visible;
  },
  lightGoes(world, next) {
    const light = world.anyLight(next);
    if (light.parent) light.removeFromParent();
    else world.scene.add(light);
  },
  /** Lights in another order. */
  lightLast: (world, next) => void world.scene.add(world.anyLight(next)),
  bias(world, next) {
    const { shadow } = world.anyLight(next);
    shadow.bias = between(next, -0.01, 0);
    shadow.normalBias = between(next, 0, 0.1);
    shadow.intensity = between(next, 0.4, 1);
  },
  radius(world, next) {
    const { shadow } = world.anyLight(next);
    shadow.radius = between(next, 0.5, 5);
    shadow.blurSamples = pick(next, [4, 8, 12]);
  },
  autoUpdate(world, next) {
    const { shadow } = world.anyLight(next);
    shadow.autoUpdate = !shadow.autoUpdate || next() < 0.4;
  },
  needsUpdate(world, next) {
    world.anyLight(next).shadow.needsUpdate = true;
  },
  allAuto({ shadowMap }, next) {
    shadowMap.autoUpdate = !shadowMap.autoUpdate || next() < 0.5;
  },
  allNeed({ shadowMap }) {
    shadowMap.needsUpdate = true;
  },
  enabled({ shadowMap }, next) {
    shadowMap.enabled = !shadowMap.enabled || next() < 0.6;
  },
  look({ camera }, next) {
    camera.position.set(between(next, 6, 12), between(next, 5, 11), between(next, 6, 14));
    camera.lookAt(0, 0.5, 0);
  },
  cameraLayers: (world) => world.camera.layers.toggle(1),
  shadowLayers: (world, next) => world.anyLight(next).shadow.camera.layers.toggle(1),
  sortObjects(world) {
    world.sortObjects = !world.sortObjects;
  },
  share(world, next) {
    const [one, other] = [world.sun.shadow, world.spot.shadow];
    if (one.map && next() < 0.5) other.map = one.map;
    else other.map = null;
  },
};
