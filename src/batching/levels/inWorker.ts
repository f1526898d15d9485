import type { LevelSource, Levels } from './makeLevels.js';
import type { LevelAnswer } from './worker.js';
import LevelWorker from './worker.js?worker&inline';

/** Milliseconds without work after which the worker ends. */
const IDLE_MS = 10_000;

interface Request {
  readonly take: (levels: Levels) => void;
  readonly resolve: (levels: Levels) => void;
  readonly reject: (error: unknown) => void;
}

let worker: Worker | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Requests in the order in which the worker answers them. */
const requests: Request[] = [];
/** Whether a worker of this page was ever ready; `refusal` is why none could be, as each try would report it anew. */
let hasAnswered = false;
let refusal: unknown = null;

/**
 * Makes the levels of detail of a geometry in a worker.
 *
 * The page has one worker, which starts with the first geometry and ends when none has come for ten seconds. Its code
 * lies in this module, so it needs no address; a content security policy has to allow `worker-src blob:` and
 * `script-src 'wasm-unsafe-eval'`. Contains the simplifier of meshoptimizer (MIT, Copyright (c) Arseny Kapoulkine).
 * @returns the levels; rejects if the page allows no worker, which is tried once.
 */
export function makeInWorker(source: LevelSource, take: (levels: Levels) => void): Promise<Levels> {
  return new Promise((resolve, reject) => {
    clearTimeout(timer);
    if (refusal !== null) return reject(refusal);
    try {
      worker ??= startWorker();
      const { positions, attributes, index } = source;
      const buffers = [positions, index, ...attributes.map(({ numbers }) => numbers)].map(({ buffer }) => buffer);
      requests.push({ take, resolve, reject });
      worker.postMessage(source, buffers);
    } catch (error) {
      fail(error);
      reject(error);
    }
  });
}

function startWorker(): Worker {
  const started = new LevelWorker();
  started.onmessage = ({ data }: MessageEvent<LevelAnswer>) => {
    hasAnswered ||= data.isReady;
    if (data.levels !== undefined && !data.isLast) return requests[0]?.take(data.levels);
    const request = requests.shift();
    if (requests.length === 0) timer = setTimeout(end, IDLE_MS);
    if (data.levels !== undefined) request?.resolve(data.levels);
    else if (data.isReady) request?.reject(new Error(data.error));
    else {
      const error = new Error(data.error);
      request?.reject(error);
      fail(error);
    }
  };
  started.onerror = ({ message }) => fail(new Error(message || 'the worker cannot be started'));
  return started;
}

/** Ends a worker that cannot go on, and rejects all its requests. */
function fail(error: unknown): void {
  if (!hasAnswered) refusal = error;
  end();
  for (const { reject } of requests.splice(0)) reject(error);
}

function end(): void {
  worker?.terminate();
  worker = null;
}
