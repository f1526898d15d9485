// One version, in a process of its own. The parent names a workload and what it wants: `counts`, which do not depend on the
// clock, or `times`.
import { cameras, workloads } from './workloads.mjs';

/** A sample lasts this many milliseconds; one of allocations has no more calls than these. */
const SAMPLE_MS = 8;
const CALLS = 500;
/** So many samples of allocations with no lower number are enough. */
const PATIENCE = 15;
/** Samples of the scan that do not count. */
const WARM_UP = 200;
/** Indices whose bytes are counted. */
const INDICES = 6;

const [file, toolsFile, size] = process.argv.slice(2);
const n = Number(size);
const library = await import(file);
const tools = await import(toolsFile);
library.enableSimd();
const all = workloads(library, tools, n);
const planes = cameras(tools);
const scanned = tools.uniformBoxes(n, 7);
const found = new Int32Array(n);

let scansToWarm = WARM_UP;
let now = { name: '', work: null };

process.on('message', async ([name, what]) => {
  try {
    if (now.name !== name) now = { name, work: all[name]() };
    process.send(what === 'counts' ? await counts(now.work) : times(now.work));
  } catch (error) {
    process.send({ error: error.message });
  }
});

/** The calls of one pass, of an index nobody has asked yet. */
async function counts({ calls, index, filled }) {
  if (filled !== undefined) return { 'bytes an item': await bytesOf(filled) };
  const sums = {};
  for (const call of calls) {
    call();
    if (index?.counters === undefined) continue;
    for (const [key, value] of Object.entries(index.counters)) {
      if (typeof value === 'number') sums[key] = (sums[key] ?? 0) + value;
    }
  }
  return { ...sums, 'bytes allocated a call': allocated(calls) };
}

/** What an index keeps: the mean of some, after a first that brought all that comes but once. */
async function bytesOf(filled) {
  const kept = [filled()];
  const before = await held();
  while (kept.length <= INDICES) kept.push(filled());
  const after = await held();
  return Math.round((after - before) / n / (kept.length - 1));
}

/** What is freed is not told at once. */
async function held() {
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * Bytes per call, the least of some samples, as the runtime does other things meanwhile: it compiles, late on a busy machine.
 * Less than the smallest object takes is none.
 */
function allocated(calls) {
  const time = sample((i) => calls[i % calls.length](), calls.length);
  const count = Math.max(calls.length, Math.min(CALLS, Math.ceil((1e3 * SAMPLE_MS) / time)));
  let least = Number.POSITIVE_INFINITY;
  for (let idle = 0; idle < PATIENCE && least >= 8; idle++) {
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < count; i++) calls[i % calls.length]();
    const bytes = (process.memoryUsage().heapUsed - before) / count;
    if (bytes < 0.9 * least) idle = 0;
    least = Math.min(least, bytes);
  }
  return least < 8 ? 0 : Math.round(least);
}

/** Microseconds of a call, and of a scan of all boxes right before. */
function times({ calls }) {
  // The scan, by which all is measured, must be compiled, which is done beside and late on a busy machine.
  for (; scansToWarm > 0; scansToWarm--) sample((i) => tools.scanFrustum(scanned, planes[i % planes.length], found), 1);
  const scan = sample((i) => tools.scanFrustum(scanned, planes[i % planes.length], found), 1);
  return { scan, time: sample((i) => calls[i % calls.length](), calls.length) };
}

/** The best of some passes: others of the machine have taken nothing of it. */
function sample(call, pass) {
  const end = performance.now() + SAMPLE_MS;
  let best = Number.POSITIVE_INFINITY;
  let done = 0;
  for (let start = performance.now(); start < end; start = performance.now()) {
    for (let i = 0; i < pass; i++) call(done++);
    best = Math.min(best, performance.now() - start);
  }
  return (1e3 * best) / pass;
}
