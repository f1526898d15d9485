import type { WebGLRenderer } from 'three';
import type { Meter } from './Meter.js';

const EXTENSION = 'EXT_disjoint_timer_query_webgl2';
const TIME_ELAPSED = 0x88bf;
const GPU_DISJOINT = 0x8fbb;
/** Queries that wait for their results, at most. */
const MOST = 8;

/** Times the GPU: a query for each picture, whose result is there some pictures later. */
export class GpuTimer {
  readonly #waiting: { query: WebGLQuery; meter: Meter }[] = [];
  #isSupported = false;

  /** Whether the context of the last picture can time. */
  get isSupported(): boolean {
    return this.#isSupported;
  }

  /** Draws, and adds to the meter how long the GPU took for it, once that is known. */
  time<T>({ extensions, getContext }: WebGLRenderer, meter: Meter, draw: () => T): T {
    this.#isSupported = extensions.has(EXTENSION);
    if (!this.#isSupported) return draw();
    const gl = getContext() as WebGL2RenderingContext;
    this.#read(gl);
    const query = this.#waiting.length < MOST ? gl.createQuery() : null;
    if (!query) return draw();
    gl.beginQuery(TIME_ELAPSED, query);
    const result = draw();
    gl.endQuery(TIME_ELAPSED);
    this.#waiting.push({ query, meter });
    return result;
  }

  /** Takes the results that are there. Times from before something else interrupted the GPU are wrong. */
  #read(gl: WebGL2RenderingContext): void {
    const isDisjoint = gl.getParameter(GPU_DISJOINT);
    while (this.#waiting.length > 0) {
      const { query, meter } = this.#waiting[0]!;
      // A lost context takes its queries with it.
      const isLost = isDisjoint || !gl.isQuery(query);
      if (!isLost && !gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE)) return;
      if (!isLost) meter.add(gl.getQueryParameter(query, gl.QUERY_RESULT) / 1e6);
      gl.deleteQuery(query);
      this.#waiting.shift();
    }
  }
}
