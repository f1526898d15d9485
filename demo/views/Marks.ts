import { type Box3, Group, type Object3D } from 'three';
import type { FrameResult } from '../measure/FrameResult.js';
import { Highlight } from './Highlight.js';
import { NodeMark } from './NodeMark.js';
import { type CastRay, RayTrace } from './RayTrace.js';
import type { Palette } from './stage/palette.js';

/** What lies over the picture of a view: the hovered and the picked object, a node, and the ray of a pick. */
export class Marks {
  readonly object = new Group();
  readonly #hovered: Highlight;
  readonly #picked: Highlight;
  readonly #node = new NodeMark();
  readonly #trace: RayTrace;
  #palette: Palette | null = null;

  /**
   * @param withDots Marks objects by a dot, too, where they may be too small to see.
   * @param traceStrength Of the lines of a ray, 0 to 1.
   */
  constructor(withDots: boolean, traceStrength: number) {
    this.#hovered = new Highlight(withDots);
    this.#picked = new Highlight(withDots);
    this.#trace = new RayTrace(traceStrength);
    for (const { object } of [this.#picked, this.#hovered, this.#node, this.#trace]) this.object.add(object);
  }

  paint(palette: Palette): void {
    this.#palette = palette;
    this.#node.paint(palette.hovered);
    this.#trace.paint(palette);
  }

  show({ hovered, picked }: FrameResult, boxOf: (object: Object3D | null) => Box3 | null): void {
    if (!this.#palette) return;
    this.#hovered.show(hovered === picked ? null : hovered, boxOf(hovered), this.#palette.hovered);
    this.#picked.show(picked, boxOf(picked), this.#palette.picked);
  }

  /** Null: no node. */
  markNode(box: Box3 | null): void {
    this.#node.show(box);
  }

  /** Null: no ray. */
  traceRay(cast: CastRay | null): void {
    this.#trace.show(cast);
  }
}
