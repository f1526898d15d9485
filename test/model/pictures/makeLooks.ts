import {
  BackSide,
  BoxGeometry,
  type BufferGeometry,
  type Color,
  ConeGeometry,
  CylinderGeometry,
  DataTexture,
  DoubleSide,
  Float32BufferAttribute,
  FrontSide,
  IcosahedronGeometry,
  type Material,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshMatcapMaterial,
  MeshNormalMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  MeshToonMaterial,
  NoColorSpace,
  OctahedronGeometry,
  PlaneGeometry,
  RepeatWrapping,
  SphereGeometry,
  SRGBColorSpace,
  type Texture,
  TorusGeometry,
} from 'three';
import { type Next, upTo } from '../scene/numbers.js';

const EDGE = 8;

export function makeTexture(next: Next): Texture {
  const data = new Uint8Array(4 * EDGE * EDGE);
  for (let i = 0; i < data.length; i++) data[i] = i % 4 === 3 ? 255 : 60 + next() * 195;
  const texture = new DataTexture(data, EDGE, EDGE);
  texture.needsUpdate = true;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.colorSpace = next() < 0.5 ? SRGBColorSpace : NoColorSpace;
  return texture;
}

/** A colour for each vertex. */
export function colorsFor({ attributes }: BufferGeometry, next: Next): Float32BufferAttribute {
  return new Float32BufferAttribute(
    Array.from({ length: 3 * attributes.position.count }, () => next()),
    3,
  );
}

const GEOMETRIES: ((next: Next) => BufferGeometry)[] = [
  (next) => new BoxGeometry(1, 1, 1, 1 + upTo(next, 3)),
  (next) => new IcosahedronGeometry(0.7, upTo(next, 2)),
  () => new ConeGeometry(0.5, 1.5, 7),
  () => new TorusGeometry(0.5, 0.2, 6, 10),
  () => new PlaneGeometry(1.5, 1.5),
  () => new BoxGeometry().toNonIndexed(),
  (next) => {
    const sphere = new SphereGeometry(0.6, 8, 6);
    return sphere.setAttribute('color', colorsFor(sphere, next));
  },
  () => new CylinderGeometry(0.4, 0.4, 1, 8).deleteAttribute('uv'),
  () => {
    const octahedron = new OctahedronGeometry(0.8, 1);
    return octahedron.setAttribute('uv1', octahedron.attributes.uv.clone());
  },
];

export function makeGeometry(next: Next): BufferGeometry {
  const geometry = GEOMETRIES[upTo(next, GEOMETRIES.length)](next);
  if (next() < 0.3 && geometry.groups.length === 0) partIntoGroups(geometry);
  return geometry;
}

/** The first half of its triangles, and the rest. */
export function partIntoGroups(geometry: BufferGeometry): void {
  const { count } = geometry.index ?? geometry.attributes.position;
  const half = 3 * Math.floor(count / 6);
  geometry.clearGroups();
  geometry.addGroup(0, half, 0);
  geometry.addGroup(half, count - half, 1);
}

/** Materials that most batches are made of, with which every scene begins. */
export const STEADY: (() => Material)[] = [
  () => new MeshStandardMaterial({ color: '#c33' }),
  () => new MeshStandardMaterial({ color: '#3c3' }),
  () => new MeshLambertMaterial({ color: '#33c' }),
];

const MATERIALS: (() => Material)[] = [
  () => new MeshStandardMaterial(),
  () => new MeshLambertMaterial(),
  () => new MeshBasicMaterial(),
  () => new MeshPhongMaterial(),
  () => new MeshToonMaterial(),
  () => new MeshPhysicalMaterial(),
  () => new MeshNormalMaterial(),
  () => new MeshMatcapMaterial(),
];

/** Any property of any material of three's. */
export type AnyMaterial = Material & { [name: string]: unknown } & { color?: Color; emissive?: Color };

export function makeMaterial(next: Next, textures: readonly Texture[]): Material {
  const material = MATERIALS[upTo(next, MATERIALS.length)]() as AnyMaterial;
  material.color?.setHSL(next(), 0.8, 0.5);
  if (next() < 0.2) material.side = [FrontSide, BackSide, DoubleSide][upTo(next, 3)];
  if (next() < 0.15) Object.assign(material, { transparent: true, opacity: 0.5 });
  if (next() < 0.2 && 'map' in material) material.map = textures[upTo(next, textures.length)];
  if (next() < 0.1 && 'normalMap' in material) material.normalMap = textures[upTo(next, textures.length)];
  if (next() < 0.1) material.vertexColors = true;
  if (next() < 0.1 && 'flatShading' in material) material.flatShading = true;
  return material;
}
