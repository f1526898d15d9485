import type { WebGLRenderer } from 'three';
import type { World } from './world.js';

/** Calls that only hand work to the GPU; of draw calls alone. */
const HANDED_ON = /^(draw|uniform|multiDraw)/;
const DRAWS = /^(draw|multiDraw)/;

interface Methods {
  [name: string]: unknown;
}

/**
 * Makes the calls of a renderer's context that only hand work to the GPU do nothing. In a headless browser the GPU is a
 * program that runs beside the page and takes many times as long as three does, so that all frames would last as long as
 * it.
 *
 * @param onlyDraws Whether calls that set uniforms are to be made: they are a part of what a draw call costs.
 * @returns what brings it back, here and below.
 */
export function leaveOutGpu(renderer: WebGLRenderer, onlyDraws = false): () => void {
  const context = renderer.getContext();
  const silenced = [context, context.getExtension('WEBGL_multi_draw')].map((of) =>
    silence(of as unknown as Methods, onlyDraws ? DRAWS : HANDED_ON),
  );
  return () => {
    for (const restore of silenced) restore();
  };
}

function silence(context: Methods | null, which: RegExp): () => void {
  const names: string[] = [];
  for (const name in context) {
    if (which.test(name) && typeof context[name] === 'function') names.push(name);
  }
  const methods = context as Methods;
  for (const name of names) methods[name] = () => {};
  return () => {
    for (const name of names) delete methods[name];
  };
}

/**
 * Leaves out all that three does with an object once it has found that it is to be drawn: the list is not sorted, and
 * nothing drawn.
 */
export function leaveOutDrawing(worlds: readonly World[]): () => void {
  const show = (visible: boolean): void => {
    for (const { materials } of worlds) for (const material of materials) material.visible = visible;
  };
  show(false);
  return () => show(true);
}
