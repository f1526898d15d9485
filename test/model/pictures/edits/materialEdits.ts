import * as THREE from 'three';
import { type Next, pick, upTo } from '../../scene/numbers.js';
import { type AnyMaterial, makeMaterial } from '../makeLooks.js';
import type { Edits, PictureSide } from '../PictureSide.js';

type Values = (next: Next, side: PictureSide) => unknown;

const flag: Values = (next) => next() < 0.5;
const share: Values = (next) => next();
const texture: Values = (next, side) => pick(next, [null, ...side.textures]);

/** Properties that count without `needsUpdate`. */
const UNIFORM: Record<string, Values> = {
  ...{ opacity: share, roughness: share, metalness: share, clearcoat: share, shininess: share, alphaTest: share },
  ...{ visible: flag, depthWrite: flag, depthTest: flag, colorWrite: flag, polygonOffset: flag },
  ...{ emissiveIntensity: share, reflectivity: share, polygonOffsetFactor: share },
  blending: (next) => pick(next, [THREE.NormalBlending, THREE.AdditiveBlending]),
  depthFunc: (next) => pick(next, [THREE.LessDepth, THREE.LessEqualDepth]),
};

/** Properties by which shaders are made. */
const SHADER: Record<string, Values> = {
  ...{ transparent: flag, flatShading: flag, vertexColors: flag, fog: flag, toneMapped: flag, dithering: flag },
  ...{ wireframe: flag, alphaHash: flag, premultipliedAlpha: flag, clipShadows: flag, forceSinglePass: flag },
  ...{ map: texture, normalMap: texture, alphaMap: texture, bumpMap: texture, emissiveMap: texture, lightMap: texture },
  ...{ aoMap: texture, displacementMap: texture, sheen: share, iridescence: share },
  side: (next) => pick(next, [THREE.FrontSide, THREE.BackSide, THREE.DoubleSide]),
  transmission: (next) => (next() < 0.2 ? 1 : 0),
  normalMapType: (next) => upTo(next, 2),
  shadowSide: (next) => pick(next, [null, THREE.FrontSide, THREE.BackSide, THREE.DoubleSide]),
  precision: (next) => pick(next, [null, 'highp']),
  defines: (next) => ({ ANYTHING: upTo(next, 2) }),
  userData: (next) => ({ anything: next() }),
  clippingPlanes: (next, side) => pick(next, [null, side.planes.slice(0, 1), side.planes.slice(0, 2)]),
};

function set(side: PictureSide, next: Next, properties: Record<string, Values>): AnyMaterial {
  const material = pick(next, side.materials) as AnyMaterial;
  const name = pick(next, Object.keys(properties));
  const value = properties[name](next, side);
  if (name in material) material[name] = value;
  return material;
}

/** A mesh with normals: wide lines have none, and what a lit material makes of that is undefined. */
const meshOf = (side: PictureSide, next: Next, isWanted = (_: THREE.Mesh): boolean => true): THREE.Mesh | null =>
  side.any(
    next,
    (object) => 'isMesh' in object && !('isLineSegments2' in object) && isWanted(object as THREE.Mesh),
  ) as THREE.Mesh | null;

/** What materials are, and who has which. */
export const MATERIAL_EDITS: Edits = {
  swapMaterials(side, next) {
    for (let i = 0; i < 4; i++) {
      const mesh = meshOf(side, next);
      const [one, other] = [pick(next, side.materials), pick(next, side.materials)];
      const isList = next() < 0.15 && mesh !== null && mesh.geometry.groups.length > 0;
      if (mesh !== null) mesh.material = isList ? [one, other] : one;
    }
  },
  newMaterial(side, next) {
    const material = makeMaterial(next, side.textures);
    side.materials[upTo(next, side.materials.length)] = material;
    for (let i = 0; i < 5; i++) {
      const mesh = meshOf(side, next);
      if (mesh !== null) mesh.material = material;
    }
  },
  cloneMaterial(side, next) {
    const mesh = meshOf(side, next, ({ material }) => !Array.isArray(material));
    const hue = next();
    if (mesh === null) return;
    const clone = (mesh.material as AnyMaterial).clone() as AnyMaterial;
    clone.color?.setHSL(hue, 1, 0.5);
    mesh.material = clone;
    side.materials.push(clone);
  },
  highlight(side, next) {
    for (let i = 0; i < 3; i++) (pick(next, side.materials) as AnyMaterial).emissive?.setHSL(next(), 1, 0.3 * next());
  },
  color(side, next) {
    for (let i = 0; i < 3; i++) (pick(next, side.materials) as AnyMaterial).color?.setHSL(next(), 1, 0.5);
  },
  inList(side, next) {
    const list = meshOf(side, next, ({ material }) => Array.isArray(material))?.material as
      | THREE.Material[]
      | undefined;
    const material = pick(next, side.materials);
    const place = upTo(next, 3);
    if (list !== undefined && place < list.length) list[place] = material;
  },
  property: (side, next) => void set(side, next, UNIFORM),
  shaderProperty(side, next) {
    set(side, next, SHADER).needsUpdate = true;
  },
  planes(side, next) {
    for (const plane of side.planes) {
      plane.normal.set(next() - 0.5, next() - 0.5, next() - 0.5).normalize();
      plane.constant = next() * 6;
    }
  },
  texture(side, next) {
    const one = pick(next, side.textures);
    one.offset.set(next(), next());
    one.rotation = next();
    const grey = 100 + next() * 155;
    if (next() > 0.3) return;
    (one.image as unknown as { data: Uint8Array }).data.fill(grey);
    one.needsUpdate = true;
  },
};
