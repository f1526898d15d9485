import type { InstancedMesh } from 'three';
import type { IdList } from '../../core/ids.js';
import type { PartHider } from '../../passes/Pass.js';
import type { IndexedInstances } from '../table/IndexedInstances.js';

/** A look behind others takes about as long as a graphics card takes to draw so many triangles. */
const FEWEST_TRIANGLES = 100;
/** Geometries may lie so many times their size away from their origin. */
const FARTHEST = 4;
/** Share by which programs round a place in the frame of the mesh, then one in the world: each a sum of four products. */
const ROUNDING = 2 ** -21;

/** True for a mesh of whose instances it pays to look for hidden ones, and for which {@link leaveOutHidden} holds. */
export function mayLeaveOut(mesh: InstancedMesh, { table }: IndexedInstances): boolean {
  return trianglesOf(mesh) >= FEWEST_TRIANGLES && table.shapes.every(({ box: { min, max } }) => isNear(min, max));
}

/**
 * Takes instances out of a list that are hidden behind what a pass draws.
 *
 * A program carries a vertex v by the matrix M of its instance, then by W of the mesh: it adds up terms of at most
 * |W| (|M| |v| + |m|) + |w|, and boxes grow by the share of these that is lost in rounding. A coordinate of |M| |v| is at most
 * three times the scale of M times |v|, which is at most four times the size s of the geometry, see {@link isNear}. The ball
 * around the instance has a diameter of at least the scale times s, and that is at most twice the farthest coordinate f of
 * any instance. So |M| |v| is at most 24 f, and |m| at most 25 f, as their sum lies within f.
 */
export function leaveOutHidden(mesh: InstancedMesh, instances: IndexedInstances, hider: PartHider, seen: IdList): void {
  const terms = 49 * instances.table.farthest;
  const { elements } = mesh.matrixWorld;
  const { ids, length } = seen;
  let kept = 0;
  for (let i = 0; i < length; i++) {
    const id = ids[i];
    const hasBox = instances.getBox(id, box);
    if (hasBox) toWorld(box, elements, terms);
    if (!hasBox || !hider.isHidden(box)) ids[kept++] = id;
  }
  seen.length = kept;
}

export function trianglesOf({ geometry: { attributes, index, drawRange } }: InstancedMesh): number {
  return Math.min(index?.count ?? attributes.position?.count ?? 0, drawRange.count) / 3;
}

type Corner = { readonly x: number; readonly y: number; readonly z: number };

/** True for a box that lies near its origin for its size. */
function isNear(min: Corner, max: Corner): boolean {
  const size = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
  const reach = Math.max(-min.x, -min.y, -min.z, max.x, max.y, max.z);
  return reach <= FARTHEST * size;
}

/** Carries a box to the world, and grows it by what is rounded there. */
function toWorld(b: Float64Array, e: readonly number[], terms: number): void {
  for (let r = 0; r < 3; r++) {
    let [center, half, rounded] = [e[12 + r], 0, Math.abs(e[12 + r])];
    for (let c = 0; c < 3; c++) {
      const factor = e[4 * c + r];
      center += (factor * (b[c] + b[c + 3])) / 2;
      half += (Math.abs(factor) * (b[c + 3] - b[c])) / 2;
      rounded += Math.abs(factor) * terms;
    }
    half += ROUNDING * rounded;
    corners[r] = center - half;
    corners[r + 3] = center + half;
  }
  b.set(corners);
}

const box = new Float64Array(6);
const corners = new Float64Array(6);
