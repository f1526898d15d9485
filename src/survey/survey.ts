import type { BatchedMesh, BufferGeometry, InstancedMesh, Material, Mesh, Texture } from 'three';
import { batchReports } from '../batching/MeshBatching.js';
import { report, type UnbatchedReport } from '../explain/report.js';
import { type Flags, isDrawable } from '../scene/objects/ObjectRecord.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import { stats } from '../scene/structure.js';

/** What a scene consists of and how much memory it takes, from {@link survey}. */
export interface SceneSurvey {
  /** Meshes, lines, points and sprites, hidden ones included. */
  objects: number;
  /** Triangles of all objects, once for each instance. */
  triangles: number;
  /** Different materials in use. */
  materials: number;
  /** Different geometries in use. */
  geometries: number;
  /** Different textures of these materials. */
  textures: number;
  /** Objects that are drawn in batches, as of the last frames. */
  batched: number;
  /** Batches that draw these. */
  batches: number;
  /** Bytes of memory. */
  memory: SceneMemory;
  /** What is drawn individually, why, and what to do about it, from {@link report}. */
  unbatched: UnbatchedReport[];
}

/** Bytes that the parts of a scene take. */
export interface SceneMemory {
  /** Vertices and indices, in buffers of the geometries. */
  geometries: number;
  /** Matrices and colours of instances. */
  instances: number;
  /** Texels with their mipmaps, without padding. */
  textures: number;
  /** Buffers and textures of batches, in addition to the geometries. */
  batches: number;
  /** The structure of the index. */
  index: number;
}

/**
 * Counts the objects, triangles, materials and memory that an index follows. Also lists what is not drawn in batches.
 *
 * Counts afresh at each call, in time proportional to the scene: not for every frame. {@link toMarkdown} formats the
 * result; {@link measurePath} measures what frames cost.
 * @throws TypeError for anything but a `SceneIndex`, Error for a disposed one.
 * @example
 * ```ts
 * import { accelerate, survey, toMarkdown } from 'three-scene-index';
 *
 * const index = accelerate(scene, { batch: true });
 * // Some frames later:
 * console.log(toMarkdown(survey(index)));
 * ```
 */
export function survey(index: SceneIndex): SceneSurvey {
  const { follower } = partsOf(index, 'survey');
  const batching = batchReports.get(index.root);
  const parts = new SceneContents();
  let batched = 0;
  for (const { object } of follower.hierarchy.records.values()) {
    if (!isDrawable(object) || (object as Flags).isLOD) continue;
    parts.add(object as Mesh & Flags);
    if (batching?.holds(object)) batched++;
  }
  const { objects, triangles, materials, geometries, textures } = parts;
  return {
    objects,
    triangles,
    materials: materials.size,
    geometries: geometries.size,
    textures: textures.size,
    batched,
    batches: batching?.count ?? 0,
    memory: {
      geometries: parts.geometryBytes(),
      instances: parts.instanceBytes,
      textures: [...textures].reduce((sum, texture) => sum + textureBytes(texture), 0),
      batches: batching?.made?.bytes ?? 0,
      index: stats(index).bytes,
    },
    unbatched: report(index),
  };
}

/** What objects have in common is counted once. */
class SceneContents {
  objects = 0;
  triangles = 0;
  instanceBytes = 0;
  readonly materials = new Set<Material>();
  readonly geometries = new Set<BufferGeometry>();
  readonly textures = new Set<Texture>();

  add(object: Mesh & Flags): void {
    this.objects++;
    if (object.geometry) this.geometries.add(object.geometry);
    if (object.isMesh && object.geometry) this.triangles += trianglesOf(object);
    if (object.isInstancedMesh) {
      const { instanceMatrix, instanceColor } = object as unknown as InstancedMesh;
      this.instanceBytes += instanceMatrix.array.byteLength + (instanceColor?.array.byteLength ?? 0);
    }
    for (const material of [object.material].flat()) if (material) this.#addMaterial(material);
  }

  geometryBytes(): number {
    const buffers = new Set<ArrayBufferView>();
    for (const { index, attributes, morphAttributes } of this.geometries) {
      for (const attribute of [index, ...Object.values(attributes), ...Object.values(morphAttributes).flat()]) {
        // Interleaved attributes share one array.
        if (attribute?.array) buffers.add(attribute.array);
      }
    }
    return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  #addMaterial(material: Material): void {
    if (this.materials.has(material)) return;
    this.materials.add(material);
    for (const value of Object.values(material)) {
      if ((value as Texture | null)?.isTexture) this.textures.add(value as Texture);
    }
  }
}

interface InstanceInfo {
  readonly active: boolean;
  readonly geometryIndex: number;
}

function trianglesOf(mesh: Mesh & Flags): number {
  if (mesh.isBatchedMesh) {
    // A private part of three.
    const { _instanceInfo: infos = [] } = mesh as unknown as { _instanceInfo?: readonly InstanceInfo[] };
    const batch = mesh as unknown as BatchedMesh;
    const counts = infos.map(({ active, geometryIndex }) =>
      active ? (batch.getGeometryRangeAt(geometryIndex)?.count ?? 0) : 0,
    );
    return counts.reduce((sum, count) => sum + count, 0) / 3;
  }
  const {
    index,
    attributes,
    drawRange,
    instanceCount = 1,
  } = mesh.geometry as BufferGeometry & {
    instanceCount?: number;
  };
  const all = index?.count ?? attributes.position?.count ?? 0;
  const drawn = Math.max(0, Math.min(all, drawRange.start + drawRange.count) - drawRange.start);
  const instances = mesh.isInstancedMesh ? (mesh as unknown as InstancedMesh).count : 1;
  // A geometry with instances has Infinity until it has attributes for each.
  return Math.floor(drawn / 3) * instances * (Number.isFinite(instanceCount) ? instanceCount : 1);
}

interface Image {
  readonly width?: number;
  readonly height?: number;
  readonly depth?: number;
  readonly data?: ArrayBufferView | null;
}

/** Four bytes a texel where the texels are not at hand, and a third more for mipmaps. */
function textureBytes(texture: Texture): number {
  const levels = (texture.mipmaps ?? []) as Image[];
  if (levels.length > 0) return levels.reduce((sum, { data }) => sum + (data?.byteLength ?? 0), 0);
  const images = [texture.image].flat() as (Image | null | undefined)[];
  const bytes = images.reduce((sum, image) => {
    const { width = 0, height = 0, depth = 1, data } = image ?? {};
    return sum + (data?.byteLength ?? 4 * width * height * depth);
  }, 0);
  return texture.generateMipmaps ? Math.round((bytes * 4) / 3) : bytes;
}
