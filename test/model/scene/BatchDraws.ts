import * as THREE from 'three';
import { Difference, type Frame } from './Frame.js';
import type { RendererStandIn } from './RendererStandIn.js';
import type { Any, Side } from './Side.js';

/** A draw of a batch that stands for a mesh: where it is, and what it draws there. */
interface BatchDraw {
  readonly batch: Drawn;
  readonly world: THREE.Matrix4;
  /** The first vertex, and how many there are. */
  readonly vertex: readonly number[];
  readonly count: number;
}

/** What a renderer draws: a picture has more of it than a shadow map. */
interface Drawn {
  readonly object: THREE.Object3D;
  readonly group: object | null;
  readonly material?: THREE.Material;
  readonly groupOrder?: number;
  readonly renderOrder?: number;
}

type Internals = THREE.BatchedMesh & {
  readonly _multiDrawCount: number;
  readonly _multiDrawStarts: Int32Array;
  readonly _multiDrawCounts: Int32Array;
  readonly _multiDrawBytesPerElement: number;
  readonly _indirectTexture: { readonly image: { readonly data: Uint32Array } };
  readonly _matricesTexture: { readonly image: { readonly data: Float32Array } };
};

/** What the batches of a pass draw that has not been found in the plain one. */
export class BatchDraws {
  readonly #frame: Frame;
  readonly #left: BatchDraw[];

  /** @param drawn All that the pass draws; what is an object of the scene is no batch. */
  constructor(frame: Frame, drawn: readonly Drawn[], renderer: RendererStandIn, isShadow: boolean) {
    this.#frame = frame;
    const batches = drawn.filter(({ object }) => !frame.fast.numbers.has(object));
    this.#left = batches.flatMap((batch) => drawsOf(batch, renderer, isShadow));
    frame.counters.batched += this.#left.length;
  }

  /**
   * Takes what is drawn in the plain pass, each draw once; what has to be drawn first, as others may be just like it.
   * @returns what is not drawn here though it has to be.
   */
  takeAll<T extends Drawn>(plain: readonly T[], isWanted: (drawn: T) => boolean): T[] {
    const others: T[] = [];
    const lost: T[] = [];
    for (const drawn of plain) {
      if (!isWanted(drawn)) others.push(drawn);
      else if (!this.#take(drawn)) lost.push(drawn);
    }
    for (const drawn of others) if (!this.#take(drawn)) this.#frame.counters.spared++;
    return lost;
  }

  /** True when what is drawn in the plain pass is drawn here. */
  #take(plain: Drawn): boolean {
    const at = this.#left.findIndex(
      (draw) => this.#hasLookOf(draw, plain) && isDrawOf(draw, plain.object as Any, plain.group),
    );
    if (at >= 0) this.#left.splice(at, 1);
    return at >= 0;
  }

  /** What is left may be what plain three culled by its sphere, and the index did not by its box. */
  checkRest(drawn: readonly Drawn[]): void {
    const found = new Set(drawn.map(({ object }) => object));
    const others = this.#frame.plain.objects.filter((object) => !found.has(object));
    for (const draw of this.#left) {
      const parts = (object: Any): (object | null)[] => [null, ...(object.geometry?.groups ?? [])];
      if (others.some((object) => parts(object).some((part) => isDrawOf(draw, object, part)))) continue;
      throw new Difference('list', `a batch draws what is drawn already, or is not there, at ${draw.world.elements}`);
    }
  }

  /** A batch has a material of its meshes, or one that stands for several. */
  #hasLookOf({ batch }: BatchDraw, { material, groupOrder, renderOrder }: Drawn): boolean {
    const { plain, fast } = this.#frame;
    if (batch.groupOrder !== groupOrder || batch.renderOrder !== renderOrder) return false;
    const at = fast.materials.indexOf(batch.material as THREE.Material);
    return at < 0 || at === plain.materials.indexOf(material as THREE.Material);
  }
}

/** The object of a side that is drawn: what is below it may be drawn apart, and then a likeness takes its place. */
export function objectDrawn({ numbers }: Side, object: THREE.Object3D): THREE.Object3D {
  const original = Object.getPrototypeOf(object) as THREE.Object3D;
  return numbers.has(original) ? original : object;
}

/** What a batch draws in the pass for which it was listed last. */
function drawsOf(drawn: Drawn, by: RendererStandIn, isShadow: boolean): BatchDraw[] {
  const batch = drawn.object as Internals;
  const { geometry, material } = batch;
  const camera = null as unknown as THREE.Camera;
  const light = new THREE.Camera();
  const call = (isShadow ? batch.onBeforeShadow : batch.onBeforeRender) as (...given: unknown[]) => void;
  if (isShadow) call.call(batch, by, batch, camera, light, geometry, material, null);
  else call.call(batch, by, null, camera, geometry, material, null);
  // By edges each triangle takes twice as many numbers.
  const factor = (material as THREE.MeshBasicMaterial).wireframe ? 2 : 1;
  return Array.from({ length: batch._multiDrawCount }, (_, i) => {
    const slot = batch._indirectTexture.image.data[i];
    const local = new THREE.Matrix4().fromArray(batch._matricesTexture.image.data, 16 * slot);
    const start = batch._multiDrawStarts[i] / batch._multiDrawBytesPerElement / factor;
    return {
      batch: drawn,
      world: local.premultiply(batch.matrixWorld),
      vertex: vertexOf(batch as unknown as Any, start),
      count: batch._multiDrawCounts[i] / factor,
    };
  });
}

/** True for a draw of an object, or of a group of its geometry. */
function isDrawOf({ world, vertex, count }: BatchDraw, object: Any, group: object | null): boolean {
  const { geometry } = object;
  if (!object.isMesh || !geometry?.attributes.position) return false;
  const { start: first = 0, count: length = Number.POSITIVE_INFINITY } = (group ?? {}) as {
    start?: number;
    count?: number;
  };
  const { drawRange, index, attributes } = geometry;
  const start = Math.max(first, drawRange.start);
  const end = Math.min((index ?? attributes.position).count, first + length, drawRange.start + drawRange.count);
  if (count !== Math.max(0, end - start) || !isNear(world, object.matrixWorld)) return false;
  return count === 0 || vertexOf(object, start).join() === vertex.join();
}

function vertexOf({ geometry }: Any, at: number): number[] {
  const { index, attributes } = geometry as NonNullable<Any['geometry']>;
  const position = attributes.position as THREE.BufferAttribute;
  const i = index === null ? at : index.getX(at);
  return [position.getX(i), position.getY(i), position.getZ(i)];
}

/** True for matrices that are the same in single precision, relative to a place near by. */
function isNear({ elements: a }: THREE.Matrix4, { elements: b }: THREE.Matrix4): boolean {
  return a.every((value, i) => Math.abs(value - b[i]) <= 1e-4 * (1 + Math.abs(b[i])));
}
