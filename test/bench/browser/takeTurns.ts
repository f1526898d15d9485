import type { WebGLRenderer } from 'three';

/** Milliseconds of each round for each side, and the sum of the answers. */
export interface Measured {
  times: number[][];
  seen: number;
}

/** What is measured, and what comes before each time. */
export type Side = [what: () => number, between?: () => unknown];

/** Milliseconds that a sample lasts at least, and rounds that do not count. */
const SAMPLE = 12;
const WARM_UP = 4;

export const pause = (milliseconds = 0): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

export function timed(what: () => unknown): number {
  const start = performance.now();
  what();
  return performance.now() - start;
}

/** Times sides in turns, in random order; each sample lasts long enough for the clock, and the first rounds are a warm-up. */
export async function takeTurns(rounds: number, sides: readonly Side[], next = (): void => {}, least = SAMPLE) {
  const times: number[][] = sides.map(() => []);
  const repeats = sides.map(() => 1);
  let seen = 0;
  for (let round = -WARM_UP; round < rounds; round++) {
    next();
    const answers: number[] = [];
    for (const i of shuffled(sides.length)) {
      const [what, between] = sides[i];
      let spent = 0;
      for (let k = 0; k < repeats[i]; k++) {
        between?.();
        spent += timed(() => {
          answers[i] = what();
        });
      }
      if (round >= 0) times[i].push(spent / repeats[i]);
      else repeats[i] = Math.max(1, Math.ceil((least * repeats[i]) / Math.max(spent, 0.01)));
      await pause();
    }
    if (answers.some((answer) => answer !== answers[0])) throw new Error(`other answers: ${answers}`);
    seen += answers[0];
  }
  return { times, seen };
}

/** The numbers below `count`, each time in another order. */
function shuffled(count: number): number[] {
  const keys = Array.from({ length: count }, () => Math.random());
  return [...keys.keys()].sort((a, b) => keys[a] - keys[b]);
}

/** What the frames of sides do. */
export interface Frames<T> {
  draw(side: T): unknown;
  /** Before each frame of a side, once the GPU has done with the last one, and before all have their turns. */
  between?(side: T): unknown;
  next?(): void;
  /** Whether calls that set uniforms are made: they are a part of what a draw call costs. */
  hasUniforms?: boolean;
  /** Whether draw calls are made, too, and each turn is a single frame. */
  isWhole?: boolean;
}

/** Times frames of sides in turns, without what the GPU takes unless draw calls are made. */
export async function timeFrames<T>(
  renderer: WebGLRenderer,
  sides: readonly T[],
  rounds: number,
  { draw, between, next, hasUniforms = true, isWhole = false }: Frames<T>,
): Promise<Measured> {
  const restore = isWhole ? () => {} : leaveOutGpu(renderer, hasUniforms);
  const turns = sides.map(
    (side): Side => [
      () => {
        draw(side);
        return 1;
      },
      () => {
        renderer.getContext().finish();
        between?.(side);
      },
    ],
  );
  try {
    return await takeTurns(rounds, turns, next, isWhole ? 0 : SAMPLE);
  } finally {
    restore();
  }
}

/**
 * Makes the calls of a renderer's context that only hand work to the GPU do nothing. In a headless browser the GPU is a
 * program that runs beside the page and takes many times as long as three does, so that all frames would last as long as
 * it.
 * @returns what brings it back.
 */
export function leaveOutGpu(renderer: WebGLRenderer, hasUniforms = false): () => void {
  const context = renderer.getContext();
  const which = hasUniforms ? /^(draw|multiDraw|blit)|^clear$/ : /^(draw|uniform|multiDraw|blit)|^clear$/;
  const undo = [context, context.getExtension('WEBGL_multi_draw')].flatMap((one) => {
    const methods = one as unknown as { [name: string]: unknown };
    const names: string[] = [];
    for (const name in methods) if (which.test(name) && typeof methods[name] === 'function') names.push(name);
    for (const name of names) methods[name] = () => {};
    return names.map((name) => () => delete methods[name]);
  });
  return () => {
    for (const step of undo) step();
  };
}
