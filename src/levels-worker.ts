/**
 * A worker that makes levels of detail, with meshoptimizer's simplifier in it.
 * @module
 */

import type { LevelSource, Levels } from './batching/levels/makeLevels.js';
import LevelWorker from './batching/levels/worker.js?worker&inline';

export type { LevelMaker } from './batching/levels/LevelQueue.js';
export type { LevelAttribute, LevelSource, Levels, Simplifier } from './batching/levels/makeLevels.js';

/** Milliseconds without work after which the worker ends. */
const PATIENCE = 10_000;

let worker: Worker | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
/** The request that was made last, which the next one waits for. */
let last: Promise<unknown> = Promise.resolve();
/** Whether a worker of this page was ready to answer, and why none could be: each further try would report that again. */
let hasAnswered = false;
let refusal: unknown = null;

/**
 * Makes the levels of detail of a geometry in a worker: pass it as `levels.simplifier` of `accelerate`.
 *
 * The page has one worker, which starts with the first geometry and ends when none has come for ten seconds. Its code lies
 * in this module, so it needs no address; a content security policy has to allow `worker-src blob:` and
 * `script-src 'wasm-unsafe-eval'`. Contains the simplifier of meshoptimizer (MIT, Copyright (c) Arseny Kapoulkine).
 * @returns the levels; rejected if the page allows no worker, which is tried once.
 * @example
 * ```ts
 * import { accelerate } from 'three-scene-index';
 * import { simplifyInWorker } from 'three-scene-index/levels-worker';
 *
 * accelerate(scene, { batch: true, levels: { simplifier: simplifyInWorker } });
 * ```
 */
export function simplifyInWorker(source: LevelSource): Promise<Levels> {
  const made = last.then(() => ask(source));
  last = made.catch(() => {});
  return made;
}

async function ask(source: LevelSource): Promise<Levels> {
  clearTimeout(timer);
  if (refusal !== null) throw refusal;
  try {
    worker ??= new LevelWorker();
    const { levels, error } = await answerOf(worker, source);
    if (levels) return levels;
    throw new Error(error);
  } catch (error) {
    if (!hasAnswered) refusal = error;
    throw error;
  } finally {
    timer = setTimeout(end, PATIENCE);
  }
}

function answerOf(asked: Worker, source: LevelSource): Promise<{ levels?: Levels; error?: string }> {
  return new Promise((resolve, reject) => {
    asked.onmessage = ({ data }) => {
      hasAnswered ||= data.isReady;
      resolve(data);
    };
    asked.onerror = ({ message }) => {
      end();
      reject(new Error(message || 'the worker cannot be started'));
    };
    const { positions, attributes, index } = source;
    asked.postMessage(source, [positions.buffer, index.buffer, ...attributes.map(({ numbers }) => numbers.buffer)]);
  });
}

function end(): void {
  worker?.terminate();
  worker = null;
}
