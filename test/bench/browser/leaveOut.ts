import type { WebGLRenderer } from 'three';
import type { World } from './world.js';

/** Calls that only hand work to the GPU. */
const HANDED_ON = /^(draw|uniform)/;

/**
 * Makes the calls of a renderer's context that only hand work to the GPU do nothing. In a headless browser the GPU is a
 * program that runs beside the page and takes many times as long as three does, so that all frames would last as long as
 * it.
 *
 * @returns what brings it back, here and below.
 */
export function leaveOutGpu(renderer: WebGLRenderer): () => void {
  const context = renderer.getContext() as unknown as { [name: string]: unknown };
  const names: string[] = [];
  for (const name in context) {
    if (HANDED_ON.test(name) && typeof context[name] === 'function') names.push(name);
  }
  for (const name of names) context[name] = () => {};
  return () => {
    for (const name of names) delete context[name];
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
