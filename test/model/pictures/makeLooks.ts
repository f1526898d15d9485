import * as THREE from 'three';
import type { LevelSource, Levels } from '../../../src/batching/levels/makeLevels.js';
import { type Next, upTo } from '../scene/numbers.js';

const EDGE = 8;
/** As many triangles make levels of detail worth while. */
const MANY = 256;

export function makeTexture(next: Next): THREE.Texture {
  const data = new Uint8Array(4 * EDGE * EDGE);
  for (let i = 0; i < data.length; i++) data[i] = i % 4 === 3 ? 255 : 60 + next() * 195;
  const texture = new THREE.DataTexture(data, EDGE, EDGE);
  texture.needsUpdate = true;
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  if (next() < 0.2) texture.channel = 1;
  texture.colorSpace = next() < 0.5 ? THREE.SRGBColorSpace : THREE.NoColorSpace;
  return texture;
}

/** A colour for each vertex. */
export function colorsFor({ attributes }: THREE.BufferGeometry, next: Next): THREE.Float32BufferAttribute {
  return new THREE.Float32BufferAttribute(
    Array.from({ length: 3 * attributes.position.count }, () => next()),
    3,
  );
}

const GEOMETRIES: ((next: Next) => THREE.BufferGeometry)[] = [
  (next) => new THREE.BoxGeometry(1, 1, 1, 1 + upTo(next, 3)),
  (next) => new THREE.IcosahedronGeometry(0.7, upTo(next, 2)),
  () => new THREE.ConeGeometry(0.5, 1.5, 7),
  () => new THREE.TorusGeometry(0.5, 0.2, 6, 10),
  () => new THREE.PlaneGeometry(1.5, 1.5),
  () => new THREE.BoxGeometry().toNonIndexed(),
  (next) => {
    const sphere = new THREE.SphereGeometry(0.6, 8, 6);
    return sphere.setAttribute('color', colorsFor(sphere, next));
  },
  () => new THREE.CylinderGeometry(0.4, 0.4, 1, 8).deleteAttribute('uv'),
  () => {
    const octahedron = new THREE.OctahedronGeometry(0.8, 1);
    return octahedron.setAttribute('uv1', octahedron.attributes.uv.clone());
  },
  (next) => {
    const ring = new THREE.TorusGeometry(0.5, 0.2, 6, 10);
    if (next() < 0.5) ring.setAttribute('uv1', ring.attributes.uv.clone());
    return padded(ring);
  },
  () => padded(new THREE.ConeGeometry(0.5, 1.5, 7)),
];

/** A geometry with triangles in its index that cover nothing: its levels of detail, without these, look the same. */
export function padded(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  return geometry.setIndex([...(geometry.index?.array ?? []), ...Array(3 * MANY).fill(0)]);
}

/** One of many geometries of the same kind, that may have levels of detail. */
export function makeModel(next: Next): THREE.BufferGeometry {
  return padded(new THREE.SphereGeometry(0.3 + next() / 2, 4 + upTo(next, 9), 4 + upTo(next, 5)));
}

/** Drops the triangles that cover nothing. */
export async function looksTheSame({ index }: LevelSource): Promise<Levels> {
  const whole: number[] = [];
  for (let t = 0; t < index.length; t += 3) if (index[t] !== index[t + 1]) whole.push(...index.slice(t, t + 3));
  return { index: Uint32Array.from(whole), counts: [whole.length], errors: [1e-12] };
}

/** Both halves of a ball, of the same vertices. */
export function makeHalves(): THREE.BufferGeometry[] {
  const ball = new THREE.SphereGeometry(0.7, 10, 8);
  const numbers = [...(ball.index?.array ?? [])];
  const half = numbers.length / 2;
  return [numbers.slice(0, half), numbers.slice(half)].map((index) => {
    const geometry = new THREE.BufferGeometry().setIndex(index);
    for (const name of ['position', 'normal', 'uv']) geometry.setAttribute(name, ball.attributes[name]);
    return padded(geometry);
  });
}

export function makeGeometry(next: Next): THREE.BufferGeometry {
  const geometry = GEOMETRIES[upTo(next, GEOMETRIES.length)](next);
  if (next() < 0.3 && geometry.groups.length === 0) partIntoGroups(geometry);
  return geometry;
}

/** The first half of its triangles, and the rest. */
export function partIntoGroups(geometry: THREE.BufferGeometry): void {
  const { count } = geometry.index ?? geometry.attributes.position;
  const half = 3 * Math.floor(count / 6);
  geometry.clearGroups();
  geometry.addGroup(0, half, 0);
  geometry.addGroup(half, count - half, 1);
}

/** Materials that most batches are made of, with which every scene begins. */
export const STEADY: (() => THREE.Material)[] = [
  () => new THREE.MeshStandardMaterial({ color: '#c33' }),
  () => new THREE.MeshStandardMaterial({ color: '#3c3' }),
  () => new THREE.MeshLambertMaterial({ color: '#33c' }),
];

const MATERIALS: (() => THREE.Material)[] = [
  () => new THREE.MeshStandardMaterial(),
  () => new THREE.MeshLambertMaterial(),
  () => new THREE.MeshBasicMaterial(),
  () => new THREE.MeshPhongMaterial(),
  () => new THREE.MeshToonMaterial(),
  () => new THREE.MeshPhysicalMaterial(),
  () => new THREE.MeshNormalMaterial(),
  () => new THREE.MeshMatcapMaterial(),
];

/** Any property of any material of three's. */
export type AnyMaterial = THREE.Material & { [name: string]: unknown } & {
  color?: THREE.Color;
  emissive?: THREE.Color;
};

export function makeMaterial(next: Next, textures: readonly THREE.Texture[]): THREE.Material {
  const material = MATERIALS[upTo(next, MATERIALS.length)]() as AnyMaterial;
  material.color?.setHSL(next(), 0.8, 0.5);
  if (next() < 0.2) material.side = [THREE.FrontSide, THREE.BackSide, THREE.DoubleSide][upTo(next, 3)];
  if (next() < 0.15) Object.assign(material, { transparent: true, opacity: 0.5 });
  if (next() < 0.2 && 'map' in material) material.map = textures[upTo(next, textures.length)];
  if (next() < 0.1 && 'normalMap' in material) material.normalMap = textures[upTo(next, textures.length)];
  if (next() < 0.1) material.vertexColors = true;
  if (next() < 0.1 && 'flatShading' in material) material.flatShading = true;
  return material;
}
