import * as THREE from 'three';
import { pick, upTo } from '../../scene/numbers.js';
import type { Edits } from '../runShadows.js';
import { between } from '../ShadowWorld.js';

/** What is done to materials and textures. */
export const LOOK_EDITS: Edits = {
  material(world, next) {
    world.anyPainted(next).material = pick(next, world.materials);
  },
  materialOf(world, next) {
    world.kinds.sided.material[upTo(next, 6)] = pick(next, world.materials);
  },
  /** A side without a material is not drawn. */
  hole(world, next) {
    const material: (THREE.Material | null)[] = world.kinds.sided.material;
    const at = upTo(next, 5);
    if (next() < 0.5) material[upTo(next, 6)] = null;
    [material[at], material[at + 1]] = [material[at + 1], material[at]];
  },
  side(world, next) {
    pick(next, world.materials).side = pick(next, [0, 1, 2]);
  },
  shadowSide(world, next) {
    pick(next, world.materials).shadowSide = pick(next, [null, 0, 1, 2]);
  },
  materialVisible(world, next) {
    const material = pick(next, world.materials);
    material.visible = !material.visible || next() < 0.5;
  },
  wireframe(world, next) {
    const material = pick(next, world.materials);
    material.wireframe = !material.wireframe && next() < 0.4;
  },
  alphaTest(world, next) {
    pick(next, world.materials.slice(4, 6)).alphaTest = pick(next, [0, 0.3, 0.7]);
  },
  alphaMap(world, next) {
    world.materials[4].alphaMap = pick(next, world.textures);
  },
  map(world, next) {
    world.materials[5].map = pick(next, world.textures);
  },
  alphaToCoverage(world) {
    const material = world.materials[9];
    material.alphaToCoverage = !material.alphaToCoverage;
  },
  opacity(world, next) {
    pick(next, world.materials).opacity = between(next, 0.2, 1);
  },
  texels(world, next) {
    const texture = pick(next, world.textures);
    const { data } = texture.image;
    for (let i = 0; i < 12; i++) {
      const at = 4 * upTo(next, 64);
      data?.fill(next() < 0.5 ? 255 : 0, at, at + 4);
    }
    texture.needsUpdate = true;
  },
  source(world, next) {
    const texture = pick(next, world.textures);
    texture.source.needsUpdate = true;
    texture.image.data?.fill(255 * upTo(next, 2), 0, 64);
    texture.needsUpdate = true;
  },
  offset: (world, next) => void pick(next, world.textures).offset.set(next(), next()),
  repeat: (world, next) => void pick(next, world.textures).repeat.set(between(next, 0.5, 3), between(next, 0.5, 3)),
  turnTexture(world, next) {
    const texture = pick(next, world.textures);
    texture.rotation = between(next, 0, 3);
    texture.center.set(next(), next());
  },
  ownTextureMatrix(world, next) {
    const texture = pick(next, world.textures);
    texture.matrixAutoUpdate = next() < 0.4;
    texture.matrix.setUvTransform(next(), next(), 1, between(next, 0.5, 2), 0, 0, 0);
  },
  disposeTexture: (world, next) => pick(next, world.textures).dispose(),
  clipping(world) {
    world.isClipping = !world.isClipping;
  },
  plane(world, next) {
    const [plane] = world.materials[10].clippingPlanes as THREE.Plane[];
    if (plane) plane.constant = between(next, 0.2, 2);
  },
  tiltPlane(world, next) {
    const [plane] = world.materials[10].clippingPlanes as THREE.Plane[];
    plane?.normal.set(between(next, -1, 1), -1, 0).normalize();
  },
  morePlanes(world, next) {
    const planes = world.materials[10].clippingPlanes as THREE.Plane[];
    if (planes.length > 1) planes.pop();
    else planes.push(new THREE.Plane(new THREE.Vector3(1, 0, 0), between(next, -1, 1)));
  },
  clipIntersection(world) {
    const material = world.materials[10];
    material.clipIntersection = !material.clipIntersection;
  },
  clipShadows(world) {
    const material = world.materials[10];
    material.clipShadows = !material.clipShadows;
  },
  displacement(world, next) {
    const { displacementMap } = world.materials[8] as THREE.Material as THREE.MeshLambertMaterial;
    Object.assign(world.materials[8], { displacementScale: between(next, 0, 0.15), displacementMap });
  },
  displacementBias: (world, next) =>
    void Object.assign(world.materials[8], { displacementBias: between(next, -0.05, 0.05) }),
  displacementMap: (world, next) =>
    void Object.assign(world.materials[8], { displacementMap: pick(next, world.textures) }),
  disposeMaterial: (world, next) => pick(next, world.materials).dispose(),
  needsUpdateOfMaterial(world, next) {
    pick(next, world.materials).needsUpdate = true;
  },
  /** A uniform of a depth material. */
  unseen(world, next) {
    const value = between(next, -0.5, 0.5);
    if (world.kinds.hidden) world.kinds.hidden.value = value;
  },
  customDepth(world, next) {
    const { customDepthMaterial: depth, customDistanceMaterial: distance } = world.kinds.custom;
    for (const material of [depth, distance] as THREE.Material[]) {
      material.polygonOffset = next() < 0.7;
      material.polygonOffsetUnits = between(next, 0, 4000);
      material.polygonOffsetFactor = between(next, 0, 4);
    }
  },
  customGoes(world, next) {
    const mesh = world.any(next);
    const { custom } = world.kinds;
    const isOn = mesh.customDepthMaterial === undefined;
    mesh.customDepthMaterial = isOn ? custom.customDepthMaterial : undefined;
    mesh.customDistanceMaterial = isOn ? custom.customDistanceMaterial : undefined;
  },
  /** Without a test of depth, what is drawn last is seen. */
  customOdd(world, next) {
    const { customDepthMaterial: depth } = world.kinds.custom;
    if (depth) Object.assign(depth, { depthTest: next() < 0.6, depthWrite: next() < 0.7 });
    if (depth) depth.depthFunc = pick(next, [THREE.LessEqualDepth, THREE.AlwaysDepth, THREE.GreaterDepth]);
  },
  customHash(world, next) {
    const { custom } = world.kinds;
    if (custom.customDepthMaterial) custom.customDepthMaterial.alphaHash = next() < 0.6;
    custom.material = world.materials[4];
  },
};
