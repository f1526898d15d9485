import { forEachNode, type IndexOptions } from '../../../../src/standalone.js';
import type { Method, MethodId } from '../setup/methods.js';
import type { Bodies } from './Bodies.js';
import { MethodRun } from './MethodRun.js';

/** A part of the world: minX minY minZ maxX maxY maxZ. */
export type Region = readonly [number, number, number, number, number, number];

/** What a search of a region tests. */
export interface Candidates {
  /** All bodies stored in nodes that touch the region. */
  readonly bodies: ReadonlySet<number>;
  /** The number of nodes that store them. */
  readonly nodes: number;
}

/** The candidates of a region: everything stored in a node that touches it. */
export function candidatesOf(methodRun: MethodRun, region: Region): Candidates {
  const bodies = new Set<number>();
  let nodes = 0;
  forEachNode(methodRun.index, ({ box, ids }) => {
    if (ids.length === 0) return;
    for (let c = 0; c < 3; c++) if (box[c] > region[c + 3] || region[c] > box[c + 3]) return;
    nodes++;
    for (const id of ids) bodies.add(methodRun.bodyOf[id]);
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
  return new Map(methods.map((method) => [method.id, candidatesOf(new MethodRun(method, bodies, options), region)]));
}
