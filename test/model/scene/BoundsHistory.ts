import { Box3, type BufferAttribute, BufferGeometry, type Object3D, type Sphere } from 'three';
import type { Side } from './Side.js';

interface Known {
  /** The vertices, as far as attributes and their versions tell. */
  state: string;
  /** The bounds that three would compute, of each state that an index has seen. */
  spheres: Sphere[];
  boxes: Box3[];
  /** Bounds that cannot be told from declared ones in this state. */
  suspected: Box3 | null;
}

/**
 * Which bounds of geometries can be known to be three's own. Those of vertices that an index has seen can; those that three
 * computed of others, edited again before the next update, look like bounds that the user declared.
 */
export class BoundsHistory {
  readonly #known = new WeakMap<BufferGeometry, Known>();

  /** Takes note of all shapes below a root whose index was just updated. */
  note(side: Side, root: Object3D): void {
    for (const object of side.objects) {
      if (object.geometry && !object.isSprite && side.isWithin(object, root)) this.#note(object.geometry);
    }
  }

  /** What may be taken for declared of a geometry; null where nothing may. */
  suspected(geometry: BufferGeometry): Box3 | null {
    return this.#known.get(geometry)?.suspected ?? null;
  }

  #note(geometry: BufferGeometry): void {
    const state = stateOf(geometry);
    const known = this.#known.get(geometry) ?? { state: '', spheres: [], boxes: [], suspected: null };
    this.#known.set(geometry, known);
    if (known.state !== state) {
      const fresh = freshOf(geometry);
      known.state = state;
      known.suspected = null;
      // Of a part that is drawn the index sees the rest only where nothing else explains the bounds.
      const isWhole = geometry.drawRange.count === Number.POSITIVE_INFINITY;
      if (fresh.boundingSphere && isWhole) known.spheres.push(fresh.boundingSphere);
      if (fresh.boundingBox && isWhole) known.boxes.push(fresh.boundingBox);
    }
    const { boundingSphere, boundingBox } = geometry;
    const suspects = new Box3();
    if (boundingSphere && !known.spheres.some((sphere) => sphere.equals(boundingSphere))) {
      suspects.union(boundingSphere.getBoundingBox(new Box3()));
    }
    if (boundingBox && !known.boxes.some((box) => box.equals(boundingBox))) suspects.union(boundingBox);
    if (!suspects.isEmpty()) known.suspected = suspects.union(known.suspected ?? new Box3());
  }
}

const numbers = new WeakMap<object, number>();
let attributes = 0;

function stateOf({ attributes: { position }, morphAttributes }: BufferGeometry): string {
  const all = [position, ...(morphAttributes.position ?? [])] as BufferAttribute[];
  return all
    .map((attribute) => {
      if (!numbers.has(attribute)) numbers.set(attribute, attributes++);
      return `${numbers.get(attribute)} ${attribute.version}`;
    })
    .join();
}

function freshOf(geometry: BufferGeometry): BufferGeometry {
  const fresh = new BufferGeometry();
  fresh.setAttribute('position', geometry.attributes.position);
  fresh.morphAttributes = geometry.morphAttributes;
  fresh.morphTargetsRelative = geometry.morphTargetsRelative;
  fresh.computeBoundingSphere();
  fresh.computeBoundingBox();
  return fresh;
}
