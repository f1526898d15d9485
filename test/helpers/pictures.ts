import { WebGLRenderer, type WebGLRendererParameters } from 'three';

/** The pixels last drawn to the canvas, four bytes each; the renderer must preserve its drawing buffer. */
export function readPicture(renderer: WebGLRenderer): Uint8Array {
  const gl = renderer.getContext();
  // A lost context reads as black, which all pictures would be alike in.
  if (gl.isContextLost()) throw new Error('readPicture: the context of the renderer is lost');
  const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
  const pixels = new Uint8Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return pixels;
}

/**
 * A renderer whose pictures can be read. Its programs stay when the last material that has them goes: to compile them takes
 * most of the time of such tests.
 */
export function makeRenderer(width: number, height = width, options: WebGLRendererParameters = {}): WebGLRenderer {
  const renderer = new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true, ...options });
  renderer.setSize(width, height, false);
  const { render } = renderer;
  const kept = new WeakSet<object>();
  renderer.render = (scene, camera) => {
    render.call(renderer, scene, camera);
    for (const program of renderer.info.programs ?? []) {
      if (kept.has(program)) continue;
      kept.add(program);
      (program as unknown as { usedTimes: number }).usedTimes++;
    }
  };
  return renderer;
}

/** Ends a renderer with its context: of more than 16 in a page, browsers lose the oldest, whoever still draws with it. */
export function endRenderer(renderer: WebGLRenderer): void {
  renderer.dispose();
  renderer.forceContextLoss();
}

/** Pixels that may differ, as engines other than Chromium round otherwise; none there. */
const ROUNDED = (globalThis as { roundedPixels?: number }).roundedPixels ?? 0;

/** In how many bytes two pictures of one size differ. */
export function differences(a: Uint8Array, b: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) count++;
  return count > 4 * ROUNDED ? count : 0;
}

/** In how many pixels two pictures differ, in one of the colours by more than some levels. */
export function otherPixels(a: ArrayLike<number>, b: ArrayLike<number>, levels = 0): number {
  const differs = (i: number): boolean => Math.abs(a[i] - b[i]) > levels;
  let count = 0;
  for (let i = 0; i < a.length; i += 4) if (differs(i) || differs(i + 1) || differs(i + 2)) count++;
  return count > ROUNDED ? count : 0;
}

/** Has a renderer lose its context, draws without it, and gives it a new one. */
export async function renewContext(renderer: WebGLRenderer, draw: () => void): Promise<void> {
  const loss = renderer.getContext().getExtension('WEBGL_lose_context') as WEBGL_lose_context;
  const heard = (name: string): Promise<unknown> =>
    new Promise((done) => renderer.domElement.addEventListener(name, done, { once: true }));
  const [lost, restored] = [heard('webglcontextlost'), heard('webglcontextrestored')];
  loss.loseContext();
  await lost;
  await new Promise((done) => setTimeout(done));
  draw();
  loss.restoreContext();
  await restored;
}
