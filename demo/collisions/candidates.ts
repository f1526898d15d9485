import type { IndexOptions } from '../../src/standalone.js';
import { forEachNode } from '../../src/standalone.js';
import type { Bodies } from './Bodies.js';
import { Contender } from './Contender.js';
import type { Method, MethodId } from './methods.js';

/** A part of the world: minX minY minZ maxX maxY maxZ. */
export type Region = readonly [number, number, number, number, number, number];

/** What a search of a region looks at. */
export interface Candidates {
  /** All bodies filed in nodes that touch the region, each once. */
  readonly bodies: ReadonlySet<number>;
  /** The nodes in which they are filed. */
  readonly nodes: number;
}

/** The candidates of a region: what lies in a node that touches it may touch it too, and nothing else can. */
export function candidatesOf(contender: Contender, region: Region): Candidates {
  const bodies = new Set<number>();
  let nodes = 0;
  forEachNode(contender.index, ({ box, ids }) => {
    if (ids.length === 0) return;
    for (let c = 0; c < 3; c++) if (box[c] > region[c + 3] || region[c] > box[c + 3]) return;
    nodes++;
    for (const id of ids) bodies.add(contender.bodyOf[id]);
  });
  return { bodies, nodes };
}

/** How many candidates of a region each method has. */
export function compareCandidates(
  methods: readonly Method[],
  bodies: Bodies,
  options: IndexOptions,
  region: Region,
): Map<MethodId, Candidates> {
  return new Map(methods.map((method) => [method.id, candidatesOf(new Contender(method, bodies, options), region)]));
}
