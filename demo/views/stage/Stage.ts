import { type Camera, type PerspectiveCamera, type Scene, WebGLRenderer } from 'three';
import type { TestOptions } from '../../state/url.js';

/** Beyond this, more pixels per CSS pixel make no visible difference in motion. */
const MAX_PIXEL_RATIO = 2;
const STEP = 0.8;
const MIN_SCALE = 0.5;
const SLOW = 42;
const FAST = 20;
const WHOLE = [0, 1] as const;

/** One canvas behind both panes. It draws each scene into its pane, at a lower resolution on slow machines. */
export class Stage {
  readonly renderer: WebGLRenderer;
  readonly canvas: HTMLCanvasElement;
  /** Draw calls of the last picture that went into shadow maps. */
  shadowCalls = 0;
  readonly #testOptions: TestOptions;
  #scale = 1;
  #width = 0;
  #height = 0;
  #ratio = 0;
  #slow = 0;
  #fast = 0;
  #patience = 90;

  constructor(canvas: HTMLCanvasElement, testOptions: TestOptions, onContext: (lost: boolean) => void) {
    this.canvas = canvas;
    this.#testOptions = testOptions;
    // Without a graphics card, antialiasing makes frames ten times as slow. It also differs between machines, so that
    // pictures taken at a fixed time could not be compared.
    const antialias = testOptions.time === null && !drawsInSoftware();
    this.renderer = new WebGLRenderer({ canvas, antialias, powerPreference: 'high-performance' });
    this.renderer.setScissorTest(true);
    // Materials may have planes that clip them.
    this.renderer.localClippingEnabled = true;
    this.renderer.info.autoReset = false;
    this.#countShadows();
    canvas.addEventListener('webglcontextlost', () => onContext(true));
    canvas.addEventListener('webglcontextrestored', () => {
      // A new context has lost this state, without which each pane clears the other.
      this.renderer.setScissorTest(true);
      onContext(false);
    });
  }

  /** Follows the size of the page; false when there is nothing to draw on. */
  fit(): boolean {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0 || this.renderer.getContext().isContextLost()) return false;
    const ratio = this.#testOptions.pixelRatio ?? Math.min(window.devicePixelRatio, MAX_PIXEL_RATIO) * this.#scale;
    if (width !== this.#width || height !== this.#height || ratio !== this.#ratio) {
      this.#width = width;
      this.#height = height;
      this.#ratio = ratio;
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, height, false);
    }
    return true;
  }

  /** Gives the camera the aspect of the pane; false if the pane is hidden. */
  aim(pane: HTMLElement, camera: PerspectiveCamera): boolean {
    const aspect = pane.clientWidth / pane.clientHeight;
    if (!(aspect > 0 && Number.isFinite(aspect))) return false;
    if (camera.aspect !== aspect) {
      camera.aspect = aspect;
      camera.updateProjectionMatrix();
    }
    return true;
  }

  /**
   * Draws into the pane, or into a part of it; returns the number of draw calls.
   * @param part Where the part begins and ends, as shares of the width. The view is that of the whole pane.
   */
  draw(pane: HTMLElement, scene: Scene, camera: Camera, [from, to]: readonly [number, number] = WHOLE): number {
    const { renderer } = this;
    const { offsetLeft: x, offsetTop: top, offsetWidth: width, offsetHeight: height } = pane;
    const y = this.#height - top - height;
    renderer.setViewport(x, y, width, height);
    renderer.setScissor(x + from * width, y, (to - from) * width, height);
    renderer.info.reset();
    this.shadowCalls = 0;
    renderer.render(scene, camera);
    return renderer.info.render.calls;
  }

  /** The same, with the draw calls of shadow maps told apart. */
  drawCounted(...given: Parameters<Stage['draw']>): { calls: number; inShadows: number } {
    const calls = this.draw(...given);
    return { calls, inShadows: this.shadowCalls };
  }

  /** Counts what three draws into shadow maps; the library, which keeps some, calls the same method for the others. */
  #countShadows(): void {
    const { shadowMap, info } = this.renderer;
    const render = shadowMap.render;
    shadowMap.render = (...given) => {
      const before = info.render.calls;
      render.apply(shadowMap, given);
      this.shadowCalls += info.render.calls - before;
    };
  }

  /** Adapts the resolution to the duration of frames. A rise that did not last delays the next one. */
  pace(milliseconds: number): void {
    if (this.#testOptions.pixelRatio !== null || milliseconds > 1000) return;
    this.#slow = milliseconds > SLOW ? this.#slow + 1 : 0;
    this.#fast = milliseconds < FAST ? this.#fast + 1 : Math.max(0, this.#fast - 4);
    if (this.#slow > 12 && this.#scale > MIN_SCALE) {
      this.#scale = Math.max(MIN_SCALE, this.#scale * STEP);
      this.#patience = Math.min(4000, 2 * this.#patience);
      this.#slow = 0;
    } else if (this.#fast > this.#patience && this.#scale < 1) {
      this.#scale = Math.min(1, this.#scale / STEP);
      this.#fast = 0;
    }
  }
}

function drawsInSoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  const names = context?.getExtension('WEBGL_debug_renderer_info');
  const name = names && context?.getParameter(names.UNMASKED_RENDERER_WEBGL);
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(String(name));
}
