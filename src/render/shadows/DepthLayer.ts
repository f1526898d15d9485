import { DepthFormat, FloatType, type RenderTarget, UnsignedIntType, type WebGLRenderer } from 'three';
import { getOrMake } from '../../core/arrays.js';

/** Most bytes of all layers of a renderer. */
const MOST_LAYER_BYTES = 64 * 2 ** 20;
/** Bytes of a texel, in both formats. */
const TEXEL = 4;

/** Usage by the `properties` of a renderer: a restored context has new ones. */
const used = new WeakMap<object, { bytes: number }>();

/**
 * A depth buffer of the size of a shadow map or face, for casters at rest. Other casters are drawn over a copy.
 *
 * The layer is drawn by itself, and never copied out of the map: on some drivers a face of a cube that was read keeps
 * old borders for filtering.
 */
export class DepthLayer {
  readonly width: number;
  readonly height: number;
  readonly #format: number;
  readonly #gl: WebGL2RenderingContext;
  readonly #usage: { bytes: number };
  readonly #framebuffer: WebGLFramebuffer;
  readonly #depth: WebGLRenderbuffer;
  /** The framebuffer that was bound before draws went into the layer; null while they do not. */
  #bound: WebGLFramebuffer | null = null;

  /** Returns null if the map's format is not one of layers, or if there is no room for a further layer. */
  static of(renderer: WebGLRenderer, map: RenderTarget): DepthLayer | null {
    const gl = renderer.getContext() as WebGL2RenderingContext;
    const format = formatOf(gl, map);
    const usage = getOrMake(used, renderer.properties, () => ({ bytes: 0 }));
    const bytes = usage.bytes + TEXEL * map.width * map.height;
    if (format === 0 || bytes > MOST_LAYER_BYTES) return null;
    usage.bytes = bytes;
    return new DepthLayer(gl, usage, map, format);
  }

  private constructor(
    gl: WebGL2RenderingContext,
    usage: { bytes: number },
    { width, height }: RenderTarget,
    format: number,
  ) {
    this.#gl = gl;
    this.#usage = usage;
    this.width = width;
    this.height = height;
    this.#format = format;
    const bound = gl.getParameter(gl.DRAW_FRAMEBUFFER_BINDING) as WebGLFramebuffer | null;
    this.#depth = gl.createRenderbuffer() as WebGLRenderbuffer;
    this.#framebuffer = gl.createFramebuffer() as WebGLFramebuffer;
    gl.bindRenderbuffer(gl.RENDERBUFFER, this.#depth);
    gl.renderbufferStorage(gl.RENDERBUFFER, format, width, height);
    gl.bindRenderbuffer(gl.RENDERBUFFER, null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#framebuffer);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, this.#depth);
    gl.bindFramebuffer(gl.FRAMEBUFFER, bound);
  }

  fits(map: RenderTarget): boolean {
    return map.width === this.width && map.height === this.height && formatOf(this.#gl, map) === this.#format;
  }

  get bytes(): number {
    return TEXEL * this.width * this.height;
  }

  dispose(): void {
    const gl = this.#gl;
    gl.deleteFramebuffer(this.#framebuffer);
    gl.deleteRenderbuffer(this.#depth);
    this.#usage.bytes -= this.bytes;
  }

  /** Clears the layer, and has draws go into it until it is copied. */
  bind(): void {
    const gl = this.#gl;
    this.#bound = gl.getParameter(gl.DRAW_FRAMEBUFFER_BINDING) as WebGLFramebuffer | null;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#framebuffer);
    gl.clear(gl.DEPTH_BUFFER_BIT);
  }

  /** Has draws go back into the map, if they go into the layer. */
  leave(): void {
    if (this.#bound !== null) this.#gl.bindFramebuffer(this.#gl.FRAMEBUFFER, this.#bound);
    this.#bound = null;
  }

  /** Copies the layer into the map, and has draws go there. */
  copy(): void {
    const gl = this.#gl;
    const bound = this.#bound ?? (gl.getParameter(gl.DRAW_FRAMEBUFFER_BINDING) as WebGLFramebuffer | null);
    const { width, height } = this;
    this.#bound = null;
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, bound);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.#framebuffer);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.DEPTH_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, bound);
  }
}

/** The layer format for the depths of a map; 0 for other formats, as depths are copied between equal formats alone. */
function formatOf(gl: WebGL2RenderingContext, { depthTexture }: RenderTarget): number {
  if (depthTexture?.format !== DepthFormat) return 0;
  if (depthTexture.type === UnsignedIntType) return gl.DEPTH_COMPONENT24;
  return depthTexture.type === FloatType ? gl.DEPTH_COMPONENT32F : 0;
}
