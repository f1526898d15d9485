import type { BufferGeometry, Material, Mesh, Object3D, Texture } from 'three';
import { isDrawable } from '../../views/drawings/Drawing.js';

/** What a model consists of. What objects have in common is counted once. */
export interface Contents {
  /** Meshes, lines, points and sprites, hidden ones included. */
  readonly objects: number;
  /** Triangles of all objects, once for each instance. */
  readonly triangles: number;
  readonly materials: number;
  readonly geometries: number;
  readonly textures: number;
}

/** Counts everything below an object, in time proportional to its size. */
export function contentsOf(root: Object3D): Contents {
  const materials = new Set<Material>();
  const geometries = new Set<BufferGeometry>();
  let [objects, triangles] = [0, 0];
  root.traverse((object) => {
    if (!isDrawable(object)) return;
    objects++;
    const { geometry, material, isMesh } = object as Mesh;
    geometries.add(geometry);
    for (const each of [material].flat()) materials.add(each);
    if (isMesh) triangles += trianglesOf(object as Mesh);
  });
  const textures = texturesOf(materials).size;
  return { objects, triangles, materials: materials.size, geometries: geometries.size, textures };
}

function trianglesOf({ geometry, count = 1 }: Mesh & { count?: number }): number {
  const { index, attributes, drawRange } = geometry;
  const all = index?.count ?? attributes.position?.count ?? 0;
  const drawn = Math.max(0, Math.min(all, drawRange.start + drawRange.count) - drawRange.start);
  return Math.floor(drawn / 3) * count;
}

function texturesOf(materials: ReadonlySet<Material>): Set<Texture> {
  const values = [...materials].flatMap((material) => Object.values(material) as (Texture | null | undefined)[]);
  return new Set(values.filter((value): value is Texture => value?.isTexture === true));
}
