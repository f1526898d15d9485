import type { Camera, Scene } from 'three';
import { nextLook } from '../scene/facts/looks.js';
import { replaceMethod } from '../three/methods.js';
import type { PassingRender } from '../three/PassDetector.js';
import type { SceneRenderer } from '../three/renderer.js';
import type { CameraRender } from './Pass.js';

export interface ActiveRender extends CameraRender, PassingRender {
  /** Nesting of the render: its index in the stack of renders in progress, 0 for an outermost one. */
  readonly nesting: number;
  /** True once something has failed: the render's passes see the real children then. */
  isPlain: boolean;
  /** The look within which the render's passes compare facts. */
  readonly look: number;
}

type RenderHook = (this: Scene, renderer: SceneRenderer, scene: Scene, camera: Camera, target: unknown) => void;

export interface RenderEvents {
  begun(render: ActiveRender): void;
  ended(renders: readonly ActiveRender[]): void;
}

/** Number of updates without a render before a scene whose `onBeforeRender` was replaced gets a warning. */
const UPDATES_UNDRAWN = 8;

/**
 * The renders of a scene that are in progress, innermost last. A mirror, for one, renders the scene while it is drawn.
 *
 * three's renderers call `scene.onBeforeRender` just before they project the scene, and `scene.onAfterRender` at the
 * end of the render (WebGLRenderer `render`, common Renderer `_renderScene`). Both methods are wrapped.
 *
 * A render that throws, and `compileAsync`, never reach `onAfterRender`. But all renders are synchronous, so none lasts
 * into the next microtask: renders still on the stack by then are over. Until it runs, new renders count as nested.
 */
export class ActiveRenders {
  readonly #scene: Scene;
  readonly #events: RenderEvents;
  readonly #stack: ActiveRender[] = [];
  /** A microtask is queued that ends all renders left on the stack. */
  #isEnding = false;
  #onBefore: RenderHook | null = null;
  #idleUpdates = 0;
  #hasWarned = false;
  /** True once the scene has its own methods back; a page's wrapper may still call the library's. */
  #isDisposed = false;

  constructor(scene: Scene, events: RenderEvents) {
    this.#scene = scene;
    this.#events = events;
  }

  /** @param undo Collects the functions that restore the scene. */
  install(undo: (step: () => void) => void): void {
    const scene = this.#scene;
    const { onBeforeRender, onAfterRender } = scene as unknown as {
      onBeforeRender: RenderHook;
      onAfterRender: RenderHook;
    };
    const enter = (render: CameraRender): void => this.#enter(render);
    const leave = (render: CameraRender): void => this.#leave(render);
    // The scene's own callback runs outside of the render: renders that it starts are not nested.
    this.#onBefore = function (renderer, rendered, camera, target) {
      onBeforeRender.call(this, renderer, rendered, camera, target);
      enter({ renderer, camera });
    };
    const onAfter: RenderHook = function (renderer, rendered, camera, target) {
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

  /** Call it at the end of a pass. */
  endPass(): void {
    const render = this.#stack.at(-1);
    if (render !== undefined) render.isWalking = false;
  }

  /** Call it once per update: warns once if `onBeforeRender` was replaced and updates go by without a render. */
  checkHooks(): void {
    if (this.#isReplaced && ++this.#idleUpdates > UPDATES_UNDRAWN) this.#warn();
  }

  #enter({ renderer, camera }: CameraRender): void {
    if (this.#isDisposed) return;
    this.#idleUpdates = 0;
    if (!this.#isEnding) queueMicrotask(this.#endAll);
    this.#isEnding = true;
    const nesting = this.#stack.length;
    const render = { renderer, camera, passes: 0, isWalking: false, nesting, isPlain: false, look: nextLook() };
    this.#stack.push(render);
    this.#events.begun(render);
  }

  readonly #endAll = (): void => {
    this.#stack.length = 0;
    this.#isEnding = false;
  };

  #leave({ renderer, camera }: CameraRender): void {
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
