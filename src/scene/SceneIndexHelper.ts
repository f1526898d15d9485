import { BufferGeometry, Color, LineBasicMaterial, LineSegments } from 'three';
import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { inWords, type Ranges, readOptions } from '../core/options.js';
import type { NodeView } from '../structures/forEachNode.js';
import { FROM_0 } from './ask/SceneLimits.js';
import { drawBoxes, EDGES, type LineBox } from './drawBoxes.js';
import { partsIn, type SceneIndex } from './SceneIndex.js';
import { forEachNode } from './structure.js';

/** The source that a helper draws: a `SceneIndex`, or an index without a scene. */
export type NodeSource = SpatialIndex | SceneIndex;

/** Options of a {@link SceneIndexHelper}. */
export interface SceneIndexHelperOptions {
  /** Bounds to draw: the tight boxes of the contents, or the cells that hold them. Default 'content'. */
  bounds?: 'content' | 'cell';
  /** First depth to draw, 0 for the top. Default 0. */
  minDepth?: number;
  /** Last depth to draw. Default Infinity. */
  maxDepth?: number;
  /** Draws only the floor of each box, to see quadtrees as a map. Default false. */
  flat?: boolean;
  /** Lightness of the colours, 0 to 1. Use less on a light background. Default 0.6. */
  lightness?: number;
  /** Share of the box by which each further depth is drawn smaller. Keeps lines apart. 0 to 1, default 0.004. */
  inset?: number;
  /** Opacity of the lines, 0 to 1. Default 0.6. */
  opacity?: number;
}

const HELPER_DEFAULTS: Required<SceneIndexHelperOptions> = {
  bounds: 'content',
  minDepth: 0,
  maxDepth: Number.POSITIVE_INFINITY,
  flat: false,
  lightness: 0.6,
  inset: 0.004,
  opacity: 0.6,
};
const FROM_0_TO_1 = { min: 0, max: 1 };
const HELPER_RANGES: Ranges = {
  minDepth: FROM_0,
  maxDepth: FROM_0,
  lightness: FROM_0_TO_1,
  inset: FROM_0_TO_1,
  opacity: FROM_0_TO_1,
};

/**
 * Draws the nodes of an index as boxes, in one draw call, coloured by depth.
 *
 * Add it to the scene and call {@link update} once a frame, which costs nothing while neither the index nor the
 * settings change. Settings may be written at any time. Buffers only grow. Boxes with infinite sides are not drawn.
 * Indices do not follow helpers.
 *
 * @example
 * ```ts
 * import { SceneIndexHelper } from 'three-scene-index';
 *
 * const helper = new SceneIndexHelper(index, { maxDepth: 3 });
 * scene.add(helper);
 * renderer.setAnimationLoop(() => {
 *   renderer.render(scene, camera);
 *   helper.update();
 * });
 * ```
 */
export class SceneIndexHelper extends LineSegments<BufferGeometry, LineBasicMaterial> {
  /** Marks helpers, which no index follows. */
  readonly isSceneIndexHelper = true;
  /** See {@link SceneIndexHelperOptions.bounds}. */
  bounds: 'content' | 'cell';
  /** See {@link SceneIndexHelperOptions.minDepth}. */
  minDepth: number;
  /** See {@link SceneIndexHelperOptions.maxDepth}. */
  maxDepth: number;
  /** See {@link SceneIndexHelperOptions.inset}. */
  inset: number;
  /** See {@link SceneIndexHelperOptions.flat}. */
  flat: boolean;
  /** See {@link SceneIndexHelperOptions.lightness}. */
  lightness: number;
  /** The index that is drawn. */
  readonly index: NodeSource;
  #drawn = '';

  /** @throws TypeError or RangeError for an invalid index or options. */
  constructor(index: NodeSource, options: SceneIndexHelperOptions = {}) {
    if (typeof index?.queryPlanes !== 'function' || typeof index.version !== 'number') {
      throw new TypeError(`SceneIndexHelper.index: must be an index, got ${inWords(index)}`);
    }
    const settings = readOptions(options, HELPER_DEFAULTS, 'SceneIndexHelper', HELPER_RANGES);
    const { bounds, minDepth, maxDepth, inset, flat, lightness, opacity } = settings;
    if (bounds !== 'content' && bounds !== 'cell') {
      throw new RangeError(`SceneIndexHelper.bounds: must be "content" or "cell", got ${inWords(bounds)}`);
    }
    super(
      new BufferGeometry(),
      new LineBasicMaterial({ vertexColors: true, transparent: true, opacity, depthWrite: false, toneMapped: false }),
    );
    this.index = index;
    this.bounds = bounds;
    this.minDepth = minDepth;
    this.maxDepth = maxDepth;
    this.inset = inset;
    this.flat = flat;
    this.lightness = lightness;
    this.frustumCulled = false;
    this.name = 'SceneIndexHelper';
    this.update();
  }

  /** Number of boxes drawn. */
  get boxCount(): number {
    return this.geometry.drawRange.count / EDGES.length;
  }

  /** Does nothing: raycasters do not hit helpers. */
  override raycast(): void {}

  /**
   * Draws the index as it is now.
   * @throws Error for a disposed `SceneIndex`; nothing is drawn from then on.
   */
  update(): void {
    const { bounds, minDepth, maxDepth, inset, flat, lightness } = this;
    const wanted = [this.index.version, bounds, minDepth, maxDepth, inset, flat, lightness].join();
    if (wanted === this.#drawn) return;
    this.#drawn = '';
    this.geometry.setDrawRange(0, 0);
    partsIn(this.index, 'SceneIndexHelper.update');
    const boxes: LineBox[] = [];
    forEachNode(this.index, (node) => {
      const box = this.#boxOf(node);
      if (box !== null) boxes.push(box);
    });
    drawBoxes(this, boxes);
    this.#drawn = wanted;
  }

  /** Frees the buffers and the material, and removes the helper from its parent. */
  override dispose(): void {
    this.removeFromParent();
    this.geometry.dispose();
    this.material.dispose();
    // LineSegments have a `dispose` since r186.
    super.dispose?.();
  }

  #boxOf({ cell, box, depth }: NodeView): LineBox | null {
    const given = this.bounds === 'cell' ? cell : box;
    if (!(depth >= this.minDepth && depth <= this.maxDepth && given.every(Number.isFinite))) return null;
    const shrink = 1 - this.inset * depth;
    const shown = new Float64Array(6);
    for (let c = 0; c < 3; c++) {
      const middle = (given[c] + given[c + 3]) / 2;
      const half = ((given[c + 3] - given[c]) / 2) * shrink;
      shown[c] = middle - half;
      shown[c + 3] = this.flat && c === 1 ? middle - half : middle + half;
    }
    // Hues advance by the golden ratio: colours of adjacent depths are far apart, and no colour repeats.
    const color = new Color().setHSL((0.55 + depth * 0.381966) % 1, 0.75, this.lightness);
    return { box: shown, matrix: null, color };
  }
}
