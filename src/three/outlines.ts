import type { Object3D, Scene, WebGLRenderer } from 'three';

// Private parts of three's `OutlineNode` and `OutlinePass`.

/** Targets of an `OutlineNode`. Without them: `cullOutlines` throws a `TypeError` for the node. */
export const DEPTHS = '_renderTargetDepthBuffer';
export const MASK = '_renderTargetMaskBuffer';
/** The method by which an `OutlinePass` hides and shows objects. Without it: the pass walks the whole scene. */
export const HIDE = '_changeVisibilityOfNonSelectedObjects';

export interface Target {
  readonly width: number;
  readonly height: number;
}

export interface OutlineInternals {
  readonly selectedObjects: Object3D[];
  readonly [DEPTHS]?: Target;
  readonly [MASK]?: Target;
  renderScene: Scene;
  render(renderer: WebGLRenderer, ...rest: unknown[]): void;
  [HIDE]?(isVisible: boolean): void;
}
