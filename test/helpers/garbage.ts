import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Collects garbage more than once, as some is let go of late. */
async function collectGarbage(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    // A WeakRef keeps its target until the end of the turn it was made or asked in.
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
}

/** How many of these are still there after the garbage was collected. */
export async function countAlive(refs: readonly WeakRef<object>[]): Promise<number> {
  await collectGarbage(5);
  return refs.filter((ref) => ref.deref() !== undefined).length;
}

/** Bytes in use, the memory of typed arrays included, after the garbage was collected. */
export async function bytesInUse(): Promise<number> {
  await collectGarbage(2);
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
