import type { Camera, Scene } from 'three';
import { nextLook } from '../scene/facts/looks.js';
import { replaceMethod } from '../three/methods.js';
import type { PassingRender } from '../three/PassDetector.js';
import type { SceneRenderer } from '../three/renderer.js';
import type { Picture } from './Pass.js';

/** A render of the scene that is in progress. */
export interface ActiveRender extends Picture, PassingRender {
  /** Its place in the stack of renders, 0 for a picture that lies in no other; none in progress has the same. */
  readonly slot: number;
  /** Something has failed, so its passes find the scene as it is. */
  isPlain: boolean;
  /** The look within which its passes ask what has changed. */
  readonly look: number;
}

type Hook = (this: Scene, renderer: SceneRenderer, scene: Scene, camera: Camera, target: unknown) => void;

/** Told when renders of a scene begin and end. */
export interface RenderEvents {
  begun(render: ActiveRender): void;
  ended(renders: readonly ActiveRender[]): void;
}

/** Updates without a render before a scene whose `onBeforeRender` was replaced gets a warning. */
const PATIENCE = 8;

/**
 * The renders of a scene that are in progress, innermost last: a mirror renders the scene while it is drawn.
 *
 * three's renderers call `scene.onBeforeRender` just before they project the scene, and `scene.onAfterRender` at the end
 * of the picture (WebGLRenderer `render`, common Renderer `_renderScene`). Both are wrapped.
 *
 * A render that throws, and `compileAsync`, never reach `onAfterRender`. But no render lasts into the next microtask, as all
 * are synchronous: whatever is left by then is over. Until then what follows counts as lying within it.
 */
export class ActiveRenders {
  readonly #scene: Scene;
  readonly #events: RenderEvents;
  readonly #stack: ActiveRender[] = [];
  /** A microtask will end what has not ended. */
  #isEnding = false;
  #onBefore: Hook | null = null;
  #idleUpdates = 0;
  #hasWarned = false;
  /** Methods that wrap ours may outlive them. */
  #isDisposed = false;

  constructor(scene: Scene, events: RenderEvents) {
    this.#scene = scene;
    this.#events = events;
  }

  /** @param undo Collects the steps that restore the scene. */
  install(undo: (step: () => void) => void): void {
    const scene = this.#scene;
    const { onBeforeRender, onAfterRender } = scene as unknown as { onBeforeRender: Hook; onAfterRender: Hook };
    const enter = (picture: Picture): void => this.#enter(picture);
    const leave = (picture: Picture): void => this.#leave(picture);
    // The scene's own callback runs outside of ours: what it renders is a picture of its own.
    this.#onBefore = function (renderer, rendered, camera, target) {
      onBeforeRender.call(this, renderer, rendered, camera, target);
      enter({ renderer, camera });
    };
    const onAfter: Hook = function (renderer, rendered, camera, target) {
      leave({ renderer, camera });
      onAfterRender.call(this, renderer, rendered, camera, target);
    };
    undo(() => {
      this.#isDisposed = true;
      this.#stack.length = 0;
    });
    undo(replaceMethod(scene, 'onBeforeRender', this.#onBefore as unknown as Scene['onBeforeRender']));
    undo(replaceMethod(scene, 'onAfterRender', onAfter as unknown as Scene['onAfterRender']));
  }

  get current(): ActiveRender | null {
    return this.#stack.at(-1) ?? null;
  }

  get depth(): number {
    return this.#stack.length;
  }

  /** To be called when a pass has walked the scene to its end. */
  endPass(): void {
    const render = this.#stack.at(-1);
    if (render !== undefined) render.isWalking = false;
  }

  /** To be called once per update: warns once when renderers no longer announce that they begin. */
  checkHooks(): void {
    if (this.#isReplaced && ++this.#idleUpdates > PATIENCE) this.#warn();
  }

  #enter({ renderer, camera }: Picture): void {
    if (this.#isDisposed) return;
    this.#idleUpdates = 0;
    if (!this.#isEnding) queueMicrotask(this.#endAll);
    this.#isEnding = true;
    const slot = this.#stack.length;
    const render = { renderer, camera, passes: 0, isWalking: false, slot, isPlain: false, look: nextLook() };
    this.#stack.push(render);
    this.#events.begun(render);
  }

  readonly #endAll = (): void => {
    this.#stack.length = 0;
    this.#isEnding = false;
  };

  #leave({ renderer, camera }: Picture): void {
    if (this.#isDisposed) return;
    const stack = this.#stack;
    let ended = stack.length - 1;
    while (ended >= 0 && !(stack[ended].renderer === renderer && stack[ended].camera === camera)) ended--;
    if (ended >= 0) this.#events.ended(stack.splice(ended));
    else if (this.#isReplaced) this.#warn();
  }

  get #isReplaced(): boolean {
    return (this.#scene.onBeforeRender as unknown) !== this.#onBefore;
  }

  #warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    console.warn(
      'accelerate: scene.onBeforeRender was replaced without calling the previous method, so renderers traverse the whole scene',
    );
  }
}
