import type { WebGLRenderer } from 'three';

/** Milliseconds of each round, and the sum of the answers. */
export interface Measured {
  plain: number[];
  fast: number[];
  seen: number;
}

/** What is measured, and what comes before each time. */
export type Side = [what: () => number, between?: () => void];

/** Milliseconds that a sample lasts at least, and rounds that do not count. */
const SAMPLE = 12;
const WARM_UP = 4;

/** Times both sides in turns; each sample lasts long enough for the clock, and the first rounds are a warm-up. */
export function takeTurns(rounds: number, plain: Side, fast: Side, next = (): void => {}): Measured {
  const times: Omit<Measured, 'seen'> = { plain: [], fast: [] };
  const repeats = { plain: 1, fast: 1 };
  let seen = 0;
  for (let round = -WARM_UP; round < rounds; round++) {
    next();
    const answers = { plain: 0, fast: 0 };
    for (const side of round % 2 === 0 ? (['plain', 'fast'] as const) : (['fast', 'plain'] as const)) {
      const [what, between] = side === 'plain' ? plain : fast;
      let spent = 0;
      for (let i = 0; i < repeats[side]; i++) {
        between?.();
        const start = performance.now();
        answers[side] = what();
        spent += performance.now() - start;
      }
      if (round >= 0) times[side].push(spent / repeats[side]);
      else repeats[side] = Math.max(1, Math.ceil((SAMPLE * repeats[side]) / Math.max(spent, 0.01)));
    }
    if (answers.plain !== answers.fast) throw new Error(`three hits ${answers.plain}, accelerated ${answers.fast}`);
    seen += answers.plain;
  }
  return { ...times, seen };
}

/** What the frames of two sides do. */
export interface Frames<T> {
  draw(side: T): unknown;
  /** Before each frame of a side, once the GPU has done with the last one, and before both have their turns. */
  between?(side: T): void;
  next?(): void;
  /** Whether calls that set uniforms are made: they are a part of what a draw call costs. */
  hasUniforms?: boolean;
  end?(): void;
}

/** Times frames of two sides in turns, without what the GPU takes. */
export function timeFrames<T>(
  renderer: WebGLRenderer,
  [plain, fast]: readonly T[],
  rounds: number,
  { draw, between, next, hasUniforms = true, end }: Frames<T>,
): Measured {
  const restore = leaveOutGpu(renderer, hasUniforms);
  const turns = (side: T): Side => [
    () => {
      draw(side);
      return 1;
    },
    () => {
      renderer.getContext().finish();
      between?.(side);
    },
  ];
  try {
    return takeTurns(rounds, turns(plain), turns(fast), next);
  } finally {
    restore();
    end?.();
  }
}

/** Calls that only hand work to the GPU; of draw calls alone. */
const HANDED_ON = /^(draw|uniform|multiDraw)/;
const DRAWS = /^(draw|multiDraw)/;

/**
 * Makes the calls of a renderer's context that only hand work to the GPU do nothing. In a headless browser the GPU is a
 * program that runs beside the page and takes many times as long as three does, so that all frames would last as long as
 * it.
 * @returns what brings it back.
 */
export function leaveOutGpu(renderer: WebGLRenderer, hasUniforms = false): () => void {
  const context = renderer.getContext();
  const which = hasUniforms ? DRAWS : HANDED_ON;
  const steps = [context, context.getExtension('WEBGL_multi_draw')].flatMap((one) => {
    const methods = one as unknown as { [name: string]: unknown };
    const names: string[] = [];
    for (const name in methods) if (which.test(name) && typeof methods[name] === 'function') names.push(name);
    for (const name of names) methods[name] = () => {};
    return names.map((name) => () => delete methods[name]);
  });
  return () => {
    for (const step of steps) step();
  };
}
