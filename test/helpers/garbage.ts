import { getHeapSnapshot, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
// Optimized code comes when so many calls were made, not when a thread beside had the time to compile it.
setFlagsFromString('--no-concurrent-recompilation');
const gc = runInNewContext('gc') as () => void;

/** Turns after which what is still there is kept by somebody. The engine may let go late of what it works on beside. */
const MOST_TURNS = 100;

/** How many of these are still there after the garbage was collected. */
export async function countAlive(refs: readonly WeakRef<object>[]): Promise<number> {
  let alive = refs;
  for (let turn = 0; turn < MOST_TURNS && alive.length > 0; turn++) {
    // A WeakRef keeps its target until the end of the turn it was made or asked in.
    await new Promise((resolve) => setTimeout(resolve, turn));
    gc();
    alive = alive.filter((ref) => ref.deref() !== undefined);
  }
  return alive.length;
}

/**
 * Bytes that each of some functions leaves behind, called in turn. All happens in one turn of the event loop, so nothing else
 * of the process runs meanwhile, and what counts is what can be reached: it does not matter when garbage is collected.
 */
export async function bytesKept(functions: readonly (() => void)[]): Promise<number[]> {
  const snapshots = [getHeapSnapshot()];
  for (const call of functions) {
    call();
    snapshots.push(getHeapSnapshot());
  }
  const sizes: number[] = [];
  for (const snapshot of snapshots) sizes.push(await bytesIn(snapshot));
  return functions.map((_, i) => sizes[i + 1] - sizes[i]);
}

/** What belongs to the engine: code, and what it notes about it, which comes and goes as functions are compiled. */
const ENGINE = new Set(['code', 'hidden', 'object shape', 'synthetic']);

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[]] } };
  nodes: number[];
}

/** What comes after the nodes in a snapshot, and is most of it. */
const EDGES = '"edges":[';

/** Bytes of all objects of programs in a snapshot, the memory of typed arrays included. */
async function bytesIn(stream: NodeJS.ReadableStream): Promise<number> {
  let text = '';
  let end = -1;
  for await (const chunk of stream) {
    const from = Math.max(0, text.length - EDGES.length);
    text += chunk;
    end = text.indexOf(EDGES, from);
    if (end >= 0) break;
  }
  const { snapshot, nodes } = JSON.parse(`${text.slice(0, text.lastIndexOf(',', end))}}`) as Snapshot;
  const { node_fields, node_types } = snapshot.meta;
  const [type, size] = [node_fields.indexOf('type'), node_fields.indexOf('self_size')];
  let bytes = 0;
  for (let node = 0; node < nodes.length; node += node_fields.length) {
    if (!ENGINE.has(node_types[0][nodes[node + type]])) bytes += nodes[node + size];
  }
  return bytes;
}

/** The smallest object takes 16 bytes: this is none per call, and room for what the runtime does on the side. */
export const BYTES_PER_CALL = 8;

/** Small functions are optimised late, and later while other tests keep all processors busy. */
const MOST_ROUNDS = 200;

/**
 * Bytes that a function allocates per call: the least of some rounds, as code may be compiled in any of them, and code
 * that is not keeps each number in an object. Whatever allocates by itself does so in every round.
 * @param warmUp Calls before the first round, so that it is compiled for good, and all lists have grown.
 * @param enough A round with less is the last.
 */
export function bytesPerCall(
  call: (i: number) => void,
  calls: number,
  warmUp: number,
  enough: number = BYTES_PER_CALL,
): number {
  for (let i = 0; i < warmUp; i++) call(i);
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MOST_ROUNDS && least >= enough; round++) {
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < calls; i++) call(i);
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / calls);
  }
  return least;
}
