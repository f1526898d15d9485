import type { Object3D, Scene } from 'three';
import { inWords } from '../core/inWords.js';
import { type PassRegions, passRegions } from '../passes/Pass.js';
import { replaceMethod } from '../scene/objects/replaceMethod.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import { Covers } from './Covers.js';

interface Target {
  readonly width: number;
  readonly height: number;
}

/** What is used of three's `OutlinePass`. */
export interface OutlinePassLike {
  readonly selectedObjects: Object3D[];
  readonly renderScene: object;
  readonly renderTargetDepthBuffer: Target;
  readonly renderTargetMaskBuffer: Target;
}

/** What is used of three's `OutlineNode`, which `outline()` of TSL makes. */
export interface OutlineNodeLike {
  readonly selectedObjects: Object3D[];
  readonly scene: object;
}

/** A renderer, as far as a pass is concerned here. */
interface Shadowed {
  readonly shadowMap: { autoUpdate: boolean };
}

/** What of both is private. */
interface Internals {
  readonly selectedObjects: Object3D[];
  readonly _renderTargetDepthBuffer?: Target;
  readonly _renderTargetMaskBuffer?: Target;
  renderScene: Scene;
  render(renderer: Shadowed, ...rest: unknown[]): void;
  _changeVisibilityOfNonSelectedObjects?(isVisible: boolean): void;
}

/**
 * Has the two further pictures of a scene that outlines take, of its depths and of the selected objects, visit the
 * selected and what can cover them on the screen alone. The outlines are the same.
 *
 * An `OutlinePass` walks the whole scene to hide what is not selected; from now on it walks what it is about to meet.
 * Nor does it draw shadow maps, which outlines do not show. It gets own methods to this end.
 *
 * Materials that move vertices need bounds that hold them, as for culling. Where a selected object has no bounds or is
 * never culled, everything in view is drawn as without.
 *
 * @param index Of an accelerated scene.
 * @param outlines An `OutlinePass` for WebGLRenderer, or an `OutlineNode` for WebGPURenderer, of that scene.
 * @returns what undoes it.
 * @throws TypeError for what is neither, Error for an index that was disposed.
 * @example
 * const index = accelerate(scene, { batch: true });
 * const pass = new OutlinePass(size, scene, camera, [selected]);
 * composer.addPass(pass);
 * cullOutlines(index, pass);
 */
export function cullOutlines(index: SceneIndex, outlines: OutlinePassLike | OutlineNodeLike): () => void {
  const parts = partsOf(index, 'cullOutlines');
  const pass = outlines as Partial<OutlinePassLike & OutlineNodeLike> & Internals;
  const depths = pass?.renderTargetDepthBuffer ?? pass?._renderTargetDepthBuffer;
  const mask = pass?.renderTargetMaskBuffer ?? pass?._renderTargetMaskBuffer;
  const { selectedObjects } = outlines ?? {};
  if (!depths || !mask || !Array.isArray(selectedObjects)) {
    throw new TypeError(`cullOutlines.outlines: must be an OutlinePass or OutlineNode, got ${inWords(outlines)}`);
  }
  const covers = new Covers(parts);
  const isPass = pass.renderTargetDepthBuffer !== undefined;
  const first: FirstPicture = {
    wasListed: false,
    regions: null,
    regionsFor(root, { camera, renderer }) {
      this.wasListed = false;
      const isOurs = (pass.renderScene ?? pass.scene) === root && root === parts.follower.hierarchy.root;
      // Of logarithmic depths an OutlineNode makes others than they are.
      const hasDepth = isPass || (renderer as { logarithmicDepthBuffer?: boolean }).logarithmicDepthBuffer !== true;
      const { selectedObjects } = outlines;
      // An OutlinePass hides the levels of others, but renderers show them again: they have outlines, too.
      const outlined = isPass ? [...selectedObjects, ...covers.levels()] : selectedObjects;
      this.regions = isOurs ? covers.regionsOf(outlined, camera, depths, hasDepth) : null;
      return this.regions;
    },
  };
  const second: PassRegions = {
    wasListed: false,
    // Nothing but the selection differs from the first.
    regionsFor() {
      const regions = first.wasListed ? first.regions : null;
      first.wasListed = false;
      return regions;
    },
  };
  passRegions.set(depths, first);
  passRegions.set(mask, second);
  const restore = isPass ? narrow(pass, first, covers, () => parts.isDisposed) : (): void => {};
  return () => {
    if (passRegions.get(depths) === first) passRegions.delete(depths);
    if (passRegions.get(mask) === second) passRegions.delete(mask);
    restore();
  };
}

/** That of the depths of all that is not selected. */
interface FirstPicture extends PassRegions {
  regions: readonly Float64Array[] | null;
}

/** Has a pass hide and show what its second picture may meet, and nothing else, and leave shadow maps and matrices. */
function narrow(pass: Internals, first: FirstPicture, covers: Covers, isDisposed: () => boolean): () => void {
  const { render, _changeVisibilityOfNonSelectedObjects: change } = pass;
  if (typeof change !== 'function') return () => {};
  let met: Set<Object3D> | null = null;
  const undo = [
    replaceMethod(pass, 'render', function (this: Internals, renderer: Shadowed, ...rest: unknown[]) {
      const { shadowMap } = renderer;
      const { renderScene: scene } = this;
      const { matrixWorldAutoUpdate } = scene;
      const { autoUpdate } = shadowMap;
      first.wasListed = false;
      if (!isDisposed()) shadowMap.autoUpdate = false;
      try {
        render.call(this, renderer, ...rest);
      } finally {
        shadowMap.autoUpdate = autoUpdate;
        scene.matrixWorldAutoUpdate = matrixWorldAutoUpdate;
      }
    }),
    replaceMethod(pass, '_changeVisibilityOfNonSelectedObjects', function (this: Internals, isVisible: boolean) {
      if (!isVisible) met = first.wasListed ? covers.objectsIn(first.regions ?? [], this.selectedObjects) : null;
      const { renderScene: scene } = this;
      if (met === null) {
        change.call(this, isVisible);
        return;
      }
      const objects = met;
      // Nothing has moved since the first picture.
      scene.matrixWorldAutoUpdate = false;
      this.renderScene = { traverse: (act: (object: Object3D) => void) => objects.forEach(act) } as never;
      try {
        change.call(this, isVisible);
      } finally {
        this.renderScene = scene;
        if (isVisible) met = null;
      }
    }),
  ];
  return () => {
    for (const step of undo) step();
  };
}
