import type { BufferGeometry, InstancedMesh, Material, Mesh, Object3D, Texture } from 'three';
import { isDrawable } from '../../views/drawings/isDrawable.js';

/** What a model consists of. What objects have in common is counted once. */
export interface Contents {
  /** Meshes, lines, points and sprites, hidden ones included. */
  readonly objects: number;
  /** Triangles of all objects, once for each instance. */
  readonly triangles: number;
  readonly materials: number;
  readonly geometries: number;
  readonly textures: number;
  readonly bytes: {
    /** Vertices and indices. */
    readonly geometries: number;
    /** Matrices and colours of instances. */
    readonly instances: number;
    /** Texels with their mipmaps, without padding. */
    readonly textures: number;
  };
}

/** Counts everything below an object, in time proportional to its size. */
export function contentsOf(root: Object3D): Contents {
  const materials = new Set<Material>();
  const geometries = new Set<BufferGeometry>();
  let [objects, triangles, instances] = [0, 0, 0];
  root.traverse((object) => {
    if (!isDrawable(object)) return;
    objects++;
    const { geometry, material, isMesh, isInstancedMesh } = object as Mesh & { isInstancedMesh?: boolean };
    geometries.add(geometry);
    for (const each of [material].flat()) materials.add(each);
    if (isMesh) triangles += trianglesOf(object as Mesh);
    if (isInstancedMesh) {
      const { instanceMatrix, instanceColor } = object as unknown as InstancedMesh;
      instances += instanceMatrix.array.byteLength + (instanceColor?.array.byteLength ?? 0);
    }
  });
  const textures = texturesOf(materials);
  return {
    objects,
    triangles,
    materials: materials.size,
    geometries: geometries.size,
    textures: textures.size,
    bytes: { geometries: geometryBytes(geometries), instances, textures: sumOf([...textures].map(textureBytes)) },
  };
}

function trianglesOf({ geometry, count = 1 }: Mesh & { count?: number }): number {
  const { index, attributes, drawRange } = geometry;
  const all = index?.count ?? attributes.position?.count ?? 0;
  const drawn = Math.max(0, Math.min(all, drawRange.start + drawRange.count) - drawRange.start);
  return Math.floor(drawn / 3) * count;
}

function geometryBytes(geometries: ReadonlySet<BufferGeometry>): number {
  // Interleaved attributes share one array.
  const arrays = new Set<ArrayBufferView>();
  for (const { index, attributes, morphAttributes } of geometries) {
    for (const attribute of [index, ...Object.values(attributes), ...Object.values(morphAttributes).flat()]) {
      if (attribute) arrays.add(attribute.array);
    }
  }
  return sumOf([...arrays].map(({ byteLength }) => byteLength));
}

function texturesOf(materials: ReadonlySet<Material>): Set<Texture> {
  const values = [...materials].flatMap((material) => Object.values(material) as (Texture | null | undefined)[]);
  return new Set(values.filter((value): value is Texture => value?.isTexture === true));
}

interface Image {
  readonly width?: number;
  readonly height?: number;
  readonly data?: ArrayBufferView | null;
}

/** Four bytes a texel where the texels are not at hand, and a third more for mipmaps. */
function textureBytes({ image, generateMipmaps }: Texture): number {
  const { width = 0, height = 0, data } = (image ?? {}) as Image;
  const bytes = data?.byteLength ?? 4 * width * height;
  return generateMipmaps ? Math.round((bytes * 4) / 3) : bytes;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
