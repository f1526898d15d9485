import type { Camera, Scene } from 'three';
import { replaceMethod } from '../scene/objects/methods.js';
import type { RenderLists } from './sortedDraws.js';

/** What is used of a renderer; three's have all of it. */
export interface SceneRenderer {
  readonly sortObjects: boolean;
  readonly isWebGLRenderer?: boolean;
  /** What a `WebGLRenderer` is about to draw. */
  readonly renderLists?: RenderLists;
  readonly extensions?: { has(name: string): boolean };
  getRenderTarget?(): { readonly depthTexture: { readonly name: string } | null } | null;
}

interface Picture {
  readonly renderer: SceneRenderer;
  readonly camera: Camera;
}

/** A picture of the scene that is being made. */
export interface ActiveRender extends Picture {
  /** Passes over the scene that it has begun. */
  passes: number;
  /** The last of them has not come to its end. */
  isWalking: boolean;
  /** The lowest number that no other render has which may still be in progress. */
  slot: number;
}

type Hook = (this: Scene, renderer: SceneRenderer, scene: Scene, camera: Camera, target: unknown) => void;

interface OpenRender extends ActiveRender {
  /** Cameras of the pictures that were made within this one; null for none. */
  within: WeakSet<Camera> | null;
}

/** Called for the renders of a scene; a depth is the number of renders around one. */
export interface RenderEvents {
  begun(render: ActiveRender, depth: number): void;
  /** Some renders are over. */
  ended(renders: readonly ActiveRender[]): void;
}

/** Renders that were given up are remembered, the last of them. */
const MOST = 8;
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
 * around it ends, when its renderer begins another with the same camera, as no picture is made in the midst of itself,
 * or when a camera that has made a picture within it begins another: once a frame, the others go on without it.
 */
export class ActiveRenders {
  readonly #scene: Scene;
  readonly #stack: OpenRender[] = [];
  /** Renders that were given up, but may be going on: those that have not said that they are over. */
  #abandoned: OpenRender[] = [];
  readonly #events: RenderEvents;
  #onBefore: Hook | null = null;
  #idleUpdates = 0;
  #hasWarned = false;
  /** Whoever replaced our methods may go on to call them. */
  #isDisposed = false;

  constructor(scene: Scene, events: RenderEvents) {
    this.#scene = scene;
    this.#events = events;
  }

  /** @param undo Collects the steps that restore the scene. */
  install(undo: (step: () => void) => void): void {
    const scene = this.#scene;
    const { onBeforeRender, onAfterRender } = scene as unknown as { onBeforeRender: Hook; onAfterRender: Hook };
    const enter = (render: OpenRender): void => this.#enter(render);
    const leave = (picture: Picture): void => this.#leave(picture);
    // The scene's own callback comes first, and last: what it renders is a picture by itself.
    this.#onBefore = function (renderer, rendered, camera, target) {
      onBeforeRender.call(this, renderer, rendered, camera, target);
      enter({ renderer, camera, passes: 0, isWalking: false, slot: 0, within: null });
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

  /** The innermost render, or null between pictures. */
  get current(): ActiveRender | null {
    return this.#stack.at(-1) ?? null;
  }

  /** To be called when a pass has come to its end. */
  endPass(): void {
    const render = this.#stack.at(-1);
    if (render !== undefined) render.isWalking = false;
  }

  /** Number of renders in progress. */
  get depth(): number {
    return this.#stack.length;
  }

  #enter(render: OpenRender): void {
    if (this.#isDisposed) return;
    this.#idleUpdates = 0;
    const stale = this.#stack.findIndex((other) => isSame(other, render) || other.within?.has(render.camera));
    if (stale >= 0) this.#abandoned.push(...this.#stack.splice(stale));
    this.#takeSlot(render);
    this.#events.begun(render, this.#stack.push(render) - 1);
  }

  #leave(picture: Picture): void {
    if (this.#isDisposed) return;
    const ended = this.#stack.findIndex((other) => isSame(other, picture));
    if (ended < 0) {
      const late = this.#takeAbandoned(picture);
      if (late.length > 0) this.#events.ended(late);
      if (this.#isReplaced) this.#warn();
      return;
    }
    this.#events.ended(this.#stack.splice(ended));
    const around = this.#stack.at(-1);
    if (around === undefined) return;
    around.within ??= new WeakSet();
    around.within.add(picture.camera);
  }

  #takeSlot(render: OpenRender): void {
    // Of one that threw nothing more will be heard; at last its renderer begins the same picture again.
    if (this.#stack.length === 0) this.#takeAbandoned(render);
    this.#abandoned.splice(0, this.#abandoned.length - MOST);
    const taken = new Set([...this.#stack, ...this.#abandoned].map(({ slot }) => slot));
    while (taken.has(render.slot)) render.slot++;
  }

  /** Forgets those that were given up and are the same picture; returns them. */
  #takeAbandoned(picture: Picture): OpenRender[] {
    const same = this.#abandoned.filter((other) => isSame(other, picture));
    this.#abandoned = this.#abandoned.filter((other) => !isSame(other, picture));
    return same;
  }

  /** To be called once an update: warns once when renderers no longer say that they begin. */
  checkHooks(): void {
    if (this.#hasWarned || !this.#isReplaced) return;
    if (++this.#idleUpdates > PATIENCE) this.#warn();
  }

  get #isReplaced(): boolean {
    return (this.#scene.onBeforeRender as unknown) !== this.#onBefore;
  }

  #warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    console.warn(
      'accelerate: scene.onBeforeRender was replaced by a method that does not call the one before it, so renderers traverse the whole scene',
    );
  }
}

/**
 * Whether a walk over the scene that begins now is a pass of its renderer, and not code of the user's.
 *
 * Renderers run no such code from the scene's callback to the camera's pass. WebGLRenderer goes on to the shadow passes,
 * each while the map of its light is the render target, which it has given this name, and runs code of the user's only
 * within them. All other code comes later, where there is no further pass: sort functions, and callbacks of what is
 * drawn. Renderers of other kinds make shadows in renders of their own.
 */
export function mayBeginPass({ renderer, passes, isWalking }: ActiveRender): boolean {
  if (isWalking || passes === 0) return !isWalking;
  return renderer.getRenderTarget?.()?.depthTexture?.name.includes('.shadowMap') === true;
}

function isSame(a: Picture, b: Picture): boolean {
  return a.renderer === b.renderer && a.camera === b.camera;
}
