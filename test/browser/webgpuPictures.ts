import { type Camera, Mesh, type Scene } from 'three';
import { RenderTarget, WebGPURenderer } from 'three/webgpu';
import { expect } from 'vitest';
import { accelerate, LooseOctree } from '../../src/index.js';
import { areShadersSeen } from '../../src/three/shaders.js';

const SIZE = 96;

/**
 * What WebGPURenderer can draw with, and whether it is there. Where the library has the build of three without
 * `WebGLRenderer`, one of them is enough.
 */
export const BACKENDS: { backend: string; forceWebGL: boolean; isMissing: boolean }[] = [
  // The type is wrong for browsers without WebGPU.
  { backend: 'WebGPU', forceWebGL: false, isMissing: !(await (navigator.gpu as GPU | undefined)?.requestAdapter()) },
  { backend: 'the WebGL backend', forceWebGL: true, isMissing: false },
].slice(areShadersSeen ? 0 : 1);

/** Takes pictures with three's WebGPURenderer. */
export class WebGPUPictures {
  readonly renderer: WebGPURenderer;
  readonly #target: RenderTarget;

  private constructor(renderer: WebGPURenderer, target: RenderTarget) {
    this.renderer = renderer;
    this.#target = target;
  }

  static async make(forceWebGL: boolean, width = SIZE, height = width): Promise<WebGPUPictures> {
    const renderer = new WebGPURenderer({ antialias: false, forceWebGL });
    renderer.setSize(width, height);
    await renderer.init();
    // It falls back to WebGL where it finds no WebGPU.
    expect('isWebGPUBackend' in renderer.backend).toBe(!forceWebGL);
    return new WebGPUPictures(renderer, new RenderTarget(width, height));
  }

  dispose(): void {
    this.#target.dispose();
    this.renderer.dispose();
  }

  async take(scene: Scene, camera: Camera): Promise<Uint8Array> {
    // Shadow maps are drawn once a frame of the page.
    await new Promise(requestAnimationFrame);
    this.renderer.setRenderTarget(this.#target);
    this.renderer.render(scene, camera);
    return (await this.renderer.readRenderTargetPixelsAsync(
      this.#target,
      0,
      0,
      this.#target.width,
      this.#target.height,
    )) as Uint8Array;
  }

  /** A picture of the scene while it is accelerated. */
  async takeFast(scene: Scene, camera: Camera): Promise<Uint8Array> {
    const index = accelerate(scene);
    const pixels = await this.take(scene, camera);
    index.dispose();
    return pixels;
  }

  /**
   * Fails unless pictures with and without the index are the same, each shows something, and most of what is out of view
   * is not even asked with the index.
   * @param most The share of objects that may be asked: more where meshes lie below meshes in view.
   */
  async expectSame(scene: Scene, cameras: Camera[], most = 0.9): Promise<void> {
    for (const [i, camera] of cameras.entries()) {
      // The first frame of a scene may differ from all others.
      await this.take(scene, camera);
      const plain = await this.take(scene, camera);
      expect(coloursOf(plain), `camera ${i} sees nothing`).toBeGreaterThan(10);
      const [askedPlain, again] = await askedDuring(() => this.take(scene, camera));
      expectSamePixels(again, plain, `camera ${i}: plain three differs from itself`);
      const index = accelerate(scene, { structure: new LooseOctree({ capacity: 4 }) });
      expectSamePixels(await this.take(scene, camera), plain, `camera ${i}`);
      const [asked, fast] = await askedDuring(() => this.take(scene, camera));
      expectSamePixels(fast, plain, `camera ${i}, second frame`);
      index.dispose();
      expectSamePixels(await this.take(scene, camera), plain, `camera ${i}, after dispose`);
      expect(asked, `camera ${i}: objects asked`).toBeLessThan(most * askedPlain);
    }
  }
}

export function expectSameFrames(fast: Uint8Array[], plain: Uint8Array[]): void {
  expect(fast.length).toBe(plain.length);
  for (const [i, pixels] of fast.entries()) expectSamePixels(pixels, plain[i], `frame ${i}`);
}

export function expectSamePixels(a: Uint8Array, b: Uint8Array, label: string): void {
  let count = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) count++;
  expect(a.length, label).toBe(b.length);
  expect(count, `${label}: other pixels`).toBe(0);
}

/** How many meshes are asked, while `draw` runs, whether they are in view; and what that returns. */
export async function askedDuring<T>(draw: () => Promise<T>): Promise<[asked: number, drawn: T]> {
  const { intersectsFrustum } = Mesh.prototype;
  let count = 0;
  Mesh.prototype.intersectsFrustum = function (frustum) {
    count++;
    return intersectsFrustum.call(this, frustum);
  };
  try {
    const drawn = await draw();
    return [count, drawn];
  } finally {
    Mesh.prototype.intersectsFrustum = intersectsFrustum;
  }
}

function coloursOf(pixels: Uint8Array): number {
  return new Set(new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2)).size;
}
