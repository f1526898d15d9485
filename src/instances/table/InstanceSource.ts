import { type BatchedMesh, Box3, type BufferGeometry, type InstancedMesh, Sphere } from 'three';
import { boundsOf, type GeometryBounds, geometryBounds } from '../../scene/bounds/geometryBounds.js';
import { bufferFacts } from '../../scene/facts/BufferFacts.js';
import { hasVertices } from '../../scene/objects/attributes.js';
import { GEOMETRY_COUNT, INSTANCES, type Internals, MATRICES } from '../../three/batches.js';
import type { Flags } from '../../three/kinds.js';

/** Bounds of the geometry that instances draw, in its own space; several instances may share them. */
export class InstanceShape {
  readonly box: Box3 = new Box3();
  /** The sphere by which three decides whether an instance is in view; with levels of detail, around all levels. */
  readonly sphere: Sphere = new Sphere();
}

/** The data of a mesh that an index reads about its instances. Ids are the same as three's. */
export interface InstanceSource {
  readonly mesh: InstancedMesh | BatchedMesh;
  /** One more than the highest id. */
  readonly limit: number;
  /** The matrices by id, each as sixteen numbers, column by column. */
  readonly matrices: Float32Array;
  /** The stamp of the matrices: a new number when three was told that they have changed. */
  readonly stamp: number;
  /** The number of shapes that instances may have, numbered from 0. */
  readonly shapeCount: number;
  readShape(shape: number, out: InstanceShape): void;
  /** The object that holds the shapes of instances: another object when all were replaced. */
  readonly holder: object;
  /** A new number when instances may have come, gone, been hidden or got other shapes; NaN when unknown. */
  readonly changes: number;
  /** Writes the number of the shape of each instance, -1 for missing and hidden instances. */
  readShapes(out: Int32Array): void;
}

type Changes = Pick<InstanceSource, 'changes'>;

export function isBatch(mesh: InstancedMesh | BatchedMesh): mesh is BatchedMesh {
  return (mesh as Flags).isBatchedMesh === true;
}

/** Instances of an `InstancedMesh`: the first `count`, all of one geometry. */
export class InstancedSource implements InstanceSource {
  readonly mesh: InstancedMesh;
  /** How far vertices may lie beyond the bounds of the geometry. */
  readonly #reach: () => number;
  readonly shapeCount = 1;
  /** Always 0: only the number of instances changes. */
  readonly changes = 0;
  /** The sphere that three would make. */
  #sphere = new Sphere();
  /** The bounds of the geometry when the sphere was made. */
  #bounds: GeometryBounds | null = null;

  constructor(mesh: InstancedMesh, reach: () => number = () => 0) {
    this.mesh = mesh;
    this.#reach = reach;
  }

  get limit(): number {
    const { count, instanceMatrix } = this.mesh;
    return Math.max(0, Math.min(Math.ceil(count), instanceMatrix.count)) || 0;
  }

  get matrices(): Float32Array {
    return this.mesh.instanceMatrix.array as Float32Array;
  }

  get stamp(): number {
    return bufferFacts(this.mesh.instanceMatrix).lookAt();
  }

  get holder(): object {
    return this.mesh.instanceMatrix;
  }

  readShape(_shape: number, out: InstanceShape): void {
    const { geometry } = this.mesh;
    out.box.copy(geometryBounds(geometry));
    out.sphere.copy(this.#sphereOf(geometry));
    if (!out.sphere.isEmpty()) out.sphere.radius += this.#reach();
  }

  /** The sphere of a geometry: the declared one, else the one that three makes, made anew after edits of vertices. */
  #sphereOf(geometry: BufferGeometry): Sphere {
    const bounds = geometry.attributes.position === undefined ? null : boundsOf(geometry);
    const { boundingSphere: given } = geometry;
    if (given !== null && bounds?.madeSphere?.equals(given) !== true) return given;
    if (bounds === null || bounds !== this.#bounds) {
      const isKnown = bounds === null || hasVertices(geometry);
      this.#sphere = isKnown ? sphereAround(geometry) : (given ?? bounds.box.getBoundingSphere(new Sphere()));
    }
    this.#bounds = bounds;
    return this.#sphere;
  }

  readShapes(out: Int32Array): void {
    out.fill(0, 0, this.limit);
  }
}

/** The sphere that three would make; the geometry stays unchanged. */
function sphereAround(geometry: BufferGeometry): Sphere {
  const copy = Object.create(geometry, { boundingSphere: { value: null, writable: true } });
  copy.computeBoundingSphere();
  return copy.boundingSphere;
}

const sphere = new Sphere();

/** Instances of a `BatchedMesh`: the active and visible ones, each of one of its geometries. */
export class BatchedSource implements InstanceSource {
  /** Finds the geometries that instances of a geometry may be drawn with; null without levels. */
  levels: (Changes & { geometriesOf(shape: number): readonly number[] }) | null = null;
  readonly mesh: BatchedMesh & Internals;
  readonly #drawing: Changes | null;

  /** @param drawing The drawing that counts changes of the batch; null for none. */
  constructor(mesh: BatchedMesh, drawing: Changes | null = null) {
    this.mesh = mesh as BatchedMesh & Internals;
    this.#drawing = drawing;
  }

  get limit(): number {
    return this.mesh[INSTANCES].length;
  }

  get matrices(): Float32Array {
    return this.mesh[MATRICES].image.data;
  }

  get stamp(): number {
    const { [MATRICES]: texture } = this.mesh;
    return Math.max(bufferFacts(texture).lookAt(), bufferFacts(texture.source).lookAt());
  }

  get shapeCount(): number {
    return this.mesh[GEOMETRY_COUNT];
  }

  get holder(): object {
    return this.mesh[INSTANCES];
  }

  get changes(): number {
    return (this.levels ?? this.#drawing)?.changes ?? Number.NaN;
  }

  readShape(shape: number, out: InstanceShape): void {
    this.mesh.getBoundingBoxAt(shape, out.box);
    this.mesh.getBoundingSphereAt(shape, out.sphere);
    for (const other of this.levels?.geometriesOf(shape) ?? []) {
      // three returns null for a geometry that was deleted.
      if (other !== shape && this.mesh.getBoundingSphereAt(other, sphere) !== null) out.sphere.union(sphere);
    }
  }

  readShapes(out: Int32Array): void {
    const { [INSTANCES]: infos, [GEOMETRY_COUNT]: shapeCount } = this.mesh;
    for (let id = 0; id < infos.length; id++) {
      const { visible, active, geometryIndex } = infos[id];
      // three does not check the number of a geometry when an instance gets it.
      out[id] = visible && active && geometryIndex < shapeCount ? geometryIndex : -1;
    }
  }
}
