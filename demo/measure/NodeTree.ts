import { Box3, type Object3D, type Ray, Vector3 } from 'three';
import { forEachNode, type SceneIndex } from '../../src/index.js';

/** A node of an index, with its place in the tree. */
export interface IndexNode {
  readonly box: Box3;
  readonly depth: number;
  readonly parent: IndexNode | null;
  readonly children: IndexNode[];
  /** The objects in the node itself. */
  readonly objects: readonly Object3D[];
  /** Entries in and below it: an octree counts an object in each cell that it reaches. */
  readonly below: number;
}

/** The nodes that a ray is tested against. */
export interface RayTest {
  /** Those that it enters. */
  readonly entered: IndexNode[];
  /** Those that it misses: children of entered ones, or of depth 0. */
  readonly missed: IndexNode[];
}

const entry = new Vector3();

/** The nodes of an index as a tree that one can walk. It does not follow changes: make a new one. */
export class NodeTree {
  /** Nodes of depth 0. There are several where the structure has no root of its own. */
  readonly tops: IndexNode[] = [];
  /** Number of nodes. */
  readonly size: number;
  readonly #holders = new Map<Object3D, IndexNode>();

  constructor(index: SceneIndex) {
    // Nodes come in depth-first order, so that the last node of the depth above is the parent.
    const path: IndexNode[] = [];
    let size = 0;
    forEachNode(index, ({ box, depth, ids, below }, objectOf) => {
      const parent = depth > 0 ? path[depth - 1]! : null;
      const [x, y, z, u, v, w] = box as unknown as [number, number, number, number, number, number];
      const bounds = new Box3(new Vector3(x, y, z), new Vector3(u, v, w));
      const node = { box: bounds, depth, parent, children: [], objects: Array.from(ids, objectOf), below };
      for (const object of node.objects) this.#holders.set(object, node);
      (parent?.children ?? this.tops).push(node);
      path[depth] = node;
      size++;
    });
    this.size = size;
  }

  /** A node that holds an object itself; in an octree one of several. */
  holderOf(object: Object3D): IndexNode | null {
    return this.#holders.get(object) ?? null;
  }

  /** The deepest node within these levels that a ray meets; of several the nearest. */
  under(ray: Ray, minDepth: number, maxDepth: number): IndexNode | null {
    let best: IndexNode | null = null;
    let nearest = Number.POSITIVE_INFINITY;
    for (const { node, distance } of this.#entered(ray, Number.POSITIVE_INFINITY)) {
      if (node.depth < minDepth || node.depth > maxDepth || node.depth < (best?.depth ?? 0)) continue;
      if (node.depth === best?.depth && distance >= nearest) continue;
      best = node;
      nearest = distance;
    }
    return best;
  }

  /** The nodes that a ray has to be tested against up to a distance: the tops, and the children of all that it enters. */
  testedBy(ray: Ray, far: number): RayTest {
    const entered = Array.from(this.#entered(ray, far), ({ node }) => node);
    const isEntered = new Set(entered);
    const tested = [this.tops, ...entered.map(({ children }) => children)].flat();
    return { entered, missed: tested.filter((node) => !isEntered.has(node)) };
  }

  /** The node so many steps further among the children of the same parent, round and round. */
  neighbour(node: IndexNode, steps: number): IndexNode {
    const siblings = node.parent?.children ?? this.tops;
    const { length } = siblings;
    return siblings[(siblings.indexOf(node) + steps + length) % length]!;
  }

  *#entered(ray: Ray, far: number): Generator<{ node: IndexNode; distance: number }> {
    const pending = [...this.tops];
    for (let node = pending.pop(); node; node = pending.pop()) {
      const distance = node.box.containsPoint(ray.origin)
        ? 0
        : (ray.intersectBox(node.box, entry)?.distanceTo(ray.origin) ?? Number.POSITIVE_INFINITY);
      if (distance > far || distance === Number.POSITIVE_INFINITY) continue;
      yield { node, distance };
      pending.push(...node.children);
    }
  }
}
