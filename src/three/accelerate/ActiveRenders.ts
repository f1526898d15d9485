import type { Camera, Scene } from 'three';
import { replaceMethod } from '../objects/replaceMethod.js';

/** What is used of a renderer; three's have all of it. */
export interface SceneRenderer {
  readonly sortObjects: boolean;
  readonly isWebGLRenderer?: boolean;
}

/** A picture of the scene that is being made. */
export interface ActiveRender {
  readonly renderer: SceneRenderer;
  readonly camera: Camera;
}

type Hook = (this: Scene, renderer: SceneRenderer, scene: Scene, camera: Camera, target: unknown) => void;

/** Called for the renders of a scene; a depth is the number of renders around one. */
export interface RenderEvents {
  begun(render: ActiveRender, depth: number): void;
  /** The render at a depth is over, and all within it. */
  ended(depth: number): void;
  /** The same, of a render that never said so: its walk may even go on. */
  abandoned(depth: number): void;
}

/** Updates without a render after which a scene whose `onBeforeRender` was replaced is warned about. */
const PATIENCE = 8;

/**
 * The renders of a scene that are in progress, the innermost last: a mirror renders the scene while it is drawn.
 *
 * three's renderers call `scene.onBeforeRender` just before they project the scene and `scene.onAfterRender` at the end
 * of the picture (WebGLRenderer `render`, common Renderer `_renderScene`, r186 and r187). Both are replaced by methods
 * that call what was there.
 *
 * A render that ends with an exception, or `compileAsync`, never gets to `onAfterRender`. It counts as over when one
 * around it ends, or when its renderer begins another with the same camera: no picture is made in the midst of itself.
 */
export class ActiveRenders {
  readonly #scene: Scene;
  readonly #stack: ActiveRender[] = [];
  readonly #onBefore: Hook;
  #idleUpdates = 0;
  #hasWarned = false;

  /** @param undo Collects the steps that restore the scene. */
  constructor(scene: Scene, events: RenderEvents, undo: (step: () => void) => void) {
    this.#scene = scene;
    const { onBeforeRender, onAfterRender } = scene as unknown as { onBeforeRender: Hook; onAfterRender: Hook };
    const enter = (render: ActiveRender): void => {
      this.#idleUpdates = 0;
      const known = this.#find(render);
      if (known >= 0) {
        this.#stack.length = known;
        events.abandoned(known);
      }
      events.begun(render, this.#stack.push(render) - 1);
    };
    const leave = (render: ActiveRender): void => {
      const known = this.#find(render);
      if (known >= 0) {
        this.#stack.length = known;
        events.ended(known);
      } else if (this.#isReplaced) {
        this.#warn();
      }
    };
    // The scene's own callback comes first, and last: what it renders is a picture by itself.
    this.#onBefore = function (renderer, rendered, camera, target) {
      onBeforeRender.call(this, renderer, rendered, camera, target);
      enter({ renderer, camera });
    };
    const onAfter: Hook = function (renderer, rendered, camera, target) {
      leave({ renderer, camera });
      onAfterRender.call(this, renderer, rendered, camera, target);
    };
    undo(() => {
      this.#stack.length = 0;
    });
    undo(replaceMethod(scene, 'onBeforeRender', this.#onBefore as unknown as Scene['onBeforeRender']));
    undo(replaceMethod(scene, 'onAfterRender', onAfter as unknown as Scene['onAfterRender']));
  }

  /** The innermost render, or null between pictures. */
  get current(): ActiveRender | null {
    return this.#stack.length === 0 ? null : this.#stack[this.#stack.length - 1];
  }

  /** Number of renders in progress. */
  get depth(): number {
    return this.#stack.length;
  }

  /** To be called once an update: warns once when renderers no longer say that they begin. */
  checkHooks(): void {
    if (this.#hasWarned || !this.#isReplaced) return;
    if (++this.#idleUpdates > PATIENCE) this.#warn();
  }

  get #isReplaced(): boolean {
    return (this.#scene.onBeforeRender as unknown) !== this.#onBefore;
  }

  /** The depth of a render in progress, or -1. */
  #find({ renderer, camera }: ActiveRender): number {
    let depth = this.#stack.length - 1;
    while (depth >= 0 && (this.#stack[depth].renderer !== renderer || this.#stack[depth].camera !== camera)) depth--;
    return depth;
  }

  #warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    console.warn(
      'accelerate: scene.onBeforeRender was replaced by a method that does not call the one before it, so renderers traverse the whole scene',
    );
  }
}
