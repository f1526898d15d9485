import { Box3, Matrix4, Vector3 } from 'three';
import { boxesTouch, isBox } from '../../core/box.js';
import { Hits } from '../../core/Hits.js';
import { IdList } from '../../core/ids.js';
import { transformBox } from '../../scene/bounds/transformBox.js';
import { isFaithfulMatrix } from '../../scene/objects/distortion.js';
import type { IndexedInstances } from './IndexedInstances.js';

/** An instance and its distance, from `InstanceIndex.nearest`. */
export interface InstanceDistance {
  /** Id of the instance, as `getMatrixAt` takes it. */
  instanceId: number;
  /** Distance to the bounds of the instance, in world units. 0 for a point within. */
  distance: number;
}

/** Regions are widened by this share of the largest coordinate, so that rounding excludes no instance. */
const REGION_ROUNDING = 1e-9;

/** Queries by position in the world: the index, in the mesh's frame, names candidates; their world boxes decide. */
export class InstanceQueries {
  readonly #instances: IndexedInstances;
  readonly #found = new IdList();
  readonly #hits = new Hits();

  constructor(instances: IndexedInstances) {
    this.#instances = instances;
  }

  inBox({ min, max }: Box3, out: IdList): IdList {
    out.length = 0;
    if (!(min.x <= max.x && min.y <= max.y && min.z <= max.z)) return out;
    this.#meet(region.min.copy(min), region.max.copy(max));
    const box = [...min, ...max];
    return this.#keep(out, (b) => boxesTouch(b, 0, box, 0));
  }

  inSphere({ x, y, z }: Vector3, radius: number, out: IdList): IdList {
    out.length = 0;
    if (radius < 0) return out;
    this.#meetBall(x, y, z, radius);
    return this.#keep(out, (b) => distanceTo(b, x, y, z) <= radius);
  }

  nearest({ x, y, z }: Vector3, count: number, maxDistance: number, out: InstanceDistance[]): InstanceDistance[] {
    const all: InstanceDistance[] = [];
    const wanted = Math.min(count, this.#instances.size);
    // The instances nearest in the frame of the mesh bound the distance to search.
    const within = wanted === 0 ? Number.NaN : Math.min(maxDistance, this.#distanceOfNearest(x, y, z, wanted));
    if (within >= 0) {
      this.#meetBall(x, y, z, within);
      this.#visit((id, b) => {
        const distance = distanceTo(b, x, y, z);
        if (distance <= within) all.push({ instanceId: id, distance });
      });
    }
    all.sort((a, b) => a.distance - b.distance || a.instanceId - b.instanceId);
    out.length = 0;
    for (const found of all.slice(0, count)) out.push(found);
    return out;
  }

  /** A distance within which there are so many instances; Infinity if unknown. */
  #distanceOfNearest(x: number, y: number, z: number, count: number): number {
    const instances = this.#instances;
    point.set(x, y, z).applyMatrix4(inverse.copy(instances.source.mesh.matrixWorld).invert());
    const isValid = Number.isFinite(point.x + point.y + point.z);
    if (instances.index.size < count || !isValid) return Number.POSITIVE_INFINITY;
    instances.index.nearest(point.x, point.y, point.z, count, Number.POSITIVE_INFINITY, this.#hits);
    instances.toInstances(this.#hits);
    let farthest = 0;
    for (let i = 0; i < count; i++) {
      const isBounded = this.#boundsOf(this.#hits.ids[i]);
      farthest = Math.max(farthest, isBounded ? distanceTo(bounds, x, y, z) : Number.POSITIVE_INFINITY);
    }
    return farthest;
  }

  #meetBall(x: number, y: number, z: number, radius: number): void {
    this.#meet(region.min.set(x - radius, y - radius, z - radius), region.max.set(x + radius, y + radius, z + radius));
  }

  /**
   * Lists the instances whose world boxes may touch the box from `low` to `high`, both overwritten. In a turned mesh a
   * world box exceeds its shape by less than √3 times the radius of a ball around the shape.
   */
  #meet(low: Vector3, high: Vector3): void {
    const instances = this.#instances;
    const { matrixWorld } = instances.source.mesh;
    inverse.copy(matrixWorld).invert();
    let largest = 0;
    for (let c = 0; c < 3; c++) {
      largest = Math.max(largest, Math.abs(low.getComponent(c)), Math.abs(high.getComponent(c)));
    }
    const spread = isUnturned(matrixWorld) ? 0 : 2 * instances.table.largestRadius * matrixWorld.getMaxScaleOnAxis();
    const margin = spread + REGION_ROUNDING * largest;
    region.set(low.subScalar(margin), high.addScalar(margin));
    transformBox(region, inverse, local);
    for (let c = 0; c < 3; c++) {
      const pad = REGION_ROUNDING * Math.max(Math.abs(local[c]), Math.abs(local[c + 3]));
      local[c] -= pad;
      local[c + 3] += pad;
    }
    // Without an inverse an instance may be anywhere.
    if (!isFaithfulMatrix(matrixWorld) || local.some(Number.isNaN)) {
      instances.listAll(this.#found);
      return;
    }
    instances.index.queryBox(local, this.#found);
    instances.toInstances(this.#found);
    for (const id of instances.unindexed) this.#found.push(id);
    this.#found.sort();
  }

  #keep(out: IdList, isWanted: (bounds: Float64Array) => boolean): IdList {
    this.#visit((id, b) => {
      if (isWanted(b)) out.push(id);
    });
    return out;
  }

  /** Visits the candidates in ascending order, each with its world box if it has one. */
  #visit(visit: (id: number, bounds: Float64Array) => void): void {
    const { ids, length } = this.#found;
    for (let i = 0; i < length; i++) if (this.#boundsOf(ids[i])) visit(ids[i], bounds);
  }

  /** Writes the world box of an instance to `bounds`; false when it has none. */
  #boundsOf(id: number): boolean {
    const { matrices, shapes, shapeOf } = this.#instances.table;
    const { box } = shapes[shapeOf[id]];
    if (box.isEmpty()) return false;
    matrix.fromArray(matrices, 16 * id).premultiply(this.#instances.source.mesh.matrixWorld);
    transformBox(box, matrix, bounds);
    return isBox(bounds, 0);
  }
}

const region = new Box3();
const point = new Vector3();
const matrix = new Matrix4();
const inverse = new Matrix4();
const local = new Float64Array(6);
const bounds = new Float64Array(6);

function distanceTo(b: Float64Array, x: number, y: number, z: number): number {
  const dx = Math.max(b[0] - x, x - b[3], 0);
  const dy = Math.max(b[1] - y, y - b[4], 0);
  const dz = Math.max(b[2] - z, z - b[5], 0);
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** True for a matrix that carries boxes to boxes, with one nonzero number in each row and column. */
function isUnturned({ elements: e }: Matrix4): boolean {
  let count = 0;
  for (const o of [0, 1, 2, 4, 5, 6, 8, 9, 10]) if (e[o] !== 0) count++;
  return count === 3 && e[3] === 0 && e[7] === 0 && e[11] === 0 && e[15] === 1;
}
