import { type InstancedMesh, Matrix4 } from 'three';
import { MATRIX } from '../../core/arrays.js';
import { BOX } from '../../core/box.js';
import { geometryBounds } from '../../scene/bounds/geometryBounds.js';
import { transformBox } from '../../scene/bounds/transformBox.js';
import { bufferFacts } from '../../scene/facts/BufferFacts.js';
import { isInstanced, isPlainOfInstances } from '../../scene/objects/drawnAttributes.js';
import { isAffine } from './rules.js';

/** Most instances of a mesh that count as candidates: more are leaves and stones rather than walls. */
const MOST_INSTANCES = 1024;

/** One instance of a mesh, as renderers draw it. */
export interface OccludingInstance {
  readonly world: Float64Array;
  readonly index: number;
  /** The stamp of the buffer of its matrix, as renderers know it. */
  readonly stamp: number;
}

/** True while renderers draw an instance as it was measured. */
export function isAsDrawn({ index, stamp }: OccludingInstance, { instanceMatrix, count }: InstancedMesh): boolean {
  return bufferFacts(instanceMatrix).lookAt() === stamp && index < count;
}

/**
 * Measures the instances of a mesh that may hide others; null for a mesh with too many, with instanced attributes or
 * empty bounds, or without matrices in memory. Matrices are copied, as renderers keep them until their version grows.
 *
 * A program carries a vertex v to the world by the matrix M of the instance, then W of the mesh. Each rounding is a
 * share of |W| (|M| |v| + |m|) + |w|. This sum may be far larger than the remaining world coordinate. So the largest of
 * these sums goes into the error of all draws.
 * @returns the instances, their boxes, six numbers each, and that largest sum.
 */
export function occludingInstances(
  mesh: InstancedMesh,
): { found: OccludingInstance[]; boxes: Float64Array; terms: number } | null {
  const { count, geometry, instanceMatrix: attribute, matrixWorld } = mesh;
  const isPlain = attribute?.array instanceof Float32Array && isPlainOfInstances(attribute, count);
  if (count > MOST_INSTANCES || !isPlain || Object.values(geometry.attributes).some(isInstanced)) return null;
  const local = geometryBounds(geometry);
  if (local.isEmpty()) return null;
  const { min, max } = local;
  const reach = [0, 1, 2].map((c) => Math.max(Math.abs(min.getComponent(c)), Math.abs(max.getComponent(c))));
  const found: OccludingInstance[] = [];
  const boxes = new Float64Array(BOX * count);
  const stamp = bufferFacts(attribute).lookAt();
  const { elements: m } = matrix;
  let terms = 0;
  for (let index = 0; index < count; index++) {
    matrix.fromArray(attribute.array, MATRIX * index);
    // A mirroring instance is left out, as renderers turn the faces of a mesh by its own matrix alone.
    if (!isAffine(m) || !(matrix.determinant() > 0)) continue;
    terms = Math.max(terms, termsOf(matrixWorld.elements, m, reach));
    matrix.premultiply(matrixWorld);
    transformBox(local, matrix, boxes, BOX * found.length);
    found.push({ world: Float64Array.from(m), index, stamp });
  }
  return { found, boxes, terms };
}

function termsOf(w: ArrayLike<number>, m: ArrayLike<number>, reach: readonly number[]): number {
  let most = 0;
  for (let r = 0; r < 3; r++) {
    let sum = Math.abs(w[12 + r]);
    for (let a = 0; a < 3; a++) {
      let inMesh = Math.abs(m[12 + a]);
      for (let c = 0; c < 3; c++) inMesh += Math.abs(m[4 * c + a]) * reach[c];
      sum += Math.abs(w[4 * a + r]) * inMesh;
    }
    most = Math.max(most, sum);
  }
  return most;
}

const matrix = new Matrix4();
