import type { BufferGeometry, DataTexture, InstancedMesh } from 'three';
import { revisionOf } from '../scene/bounds/geometryRevision.js';

/** By how much more than needed is allowed for, so that weights that grow bit by bit do not change it each time. */
const ROOM = 1.25;

/**
 * How far the morph targets of an `InstancedMesh` may carry vertices from where they are without: the sum of the farthest
 * that each carries one, times its weight. It never shrinks while the geometry stays as it is.
 */
export class MorphReach {
  #geometry: BufferGeometry | null = null;
  #revision = -1;
  /** The farthest that each target carries a vertex at a weight of 1. */
  #farthest: number[] = [];
  #reach = 0;
  #texture: DataTexture | null = null;
  #version = -1;

  of(mesh: InstancedMesh): number {
    const { geometry, morphTexture, morphTargetInfluences } = mesh;
    if (geometry.morphAttributes.position === undefined) return 0;
    const revision = revisionOf(geometry);
    const isOther = geometry !== this.#geometry || revision !== this.#revision;
    if (isOther) {
      this.#geometry = geometry;
      this.#revision = revision;
      this.#farthest = farthestOf(geometry);
      this.#reach = 0;
    }
    if (morphTexture === null) this.#take(this.#weigh(morphTargetInfluences ?? [], 0));
    else if (isOther || morphTexture !== this.#texture || morphTexture.version !== this.#version) {
      this.#texture = morphTexture;
      this.#version = morphTexture.version;
      const { data, width, height } = morphTexture.image;
      // The first number of a row is what is left to the vertices themselves.
      for (let row = 0; row < height; row++) this.#take(this.#weigh(data as Float32Array, row * width + 1));
    }
    return this.#reach;
  }

  #weigh(weights: ArrayLike<number>, from: number): number {
    const farthest = this.#farthest;
    let sum = 0;
    for (let k = 0; k < farthest.length && from + k < weights.length; k++) {
      sum += Math.abs(weights[from + k]) * farthest[k];
    }
    return sum;
  }

  #take(reach: number): void {
    if (reach > this.#reach) this.#reach = ROOM * reach;
  }
}

function farthestOf({ attributes, morphAttributes, morphTargetsRelative }: BufferGeometry): number[] {
  const { position } = attributes;
  return (morphAttributes.position ?? []).map((target) => {
    let square = 0;
    for (let v = 0; v < target.count; v++) {
      const dx = target.getX(v) - (morphTargetsRelative ? 0 : position.getX(v));
      const dy = target.getY(v) - (morphTargetsRelative ? 0 : position.getY(v));
      const dz = target.getZ(v) - (morphTargetsRelative ? 0 : position.getZ(v));
      square = Math.max(square, dx * dx + dy * dy + dz * dz);
    }
    return Math.sqrt(square);
  });
}
