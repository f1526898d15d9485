import type { Camera, Scene } from 'three';
import { replaceMethod } from '../scene/objects/methods.js';
import type { Picture, SceneRenderer } from './Pass.js';

/** A render of the scene that is in progress. */
export interface ActiveRender extends Picture {
  /** Passes over the scene it has begun. */
  passes: number;
  /** True until the last of them has ended. */
  isWalking: boolean;
  /** The lowest number that no other render uses that may still be in progress. */
  slot: number;
  /** Something has failed, so its passes find the scene as it is. */
  isPlain: boolean;
}

interface OpenRender extends ActiveRender {
  /** Cameras of the pictures made within this one; null for none. */
  within: WeakSet<Camera> | null;
}

type Hook = (this: Scene, renderer: SceneRenderer, scene: Scene, camera: Camera, target: unknown) => void;

/** Told when renders of a scene begin and end. */
export interface RenderEvents {
  begun(render: ActiveRender, depth: number): void;
  ended(renders: readonly ActiveRender[]): void;
}

const MOST = 8;
/** Updates without a render before a scene whose `onBeforeRender` was replaced gets a warning. */
const PATIENCE = 8;

/**
 * The renders of a scene that are in progress, innermost last: a mirror renders the scene while it is drawn.
 *
 * three's renderers call `scene.onBeforeRender` just before they project the scene, and `scene.onAfterRender` at the end
 * of the picture (WebGLRenderer `render`, common Renderer `_renderScene`, r186 and r187). Both are wrapped.
 *
 * A render that throws, and `compileAsync`, never reach `onAfterRender`. Such a render counts as over when one around it
 * ends, when its renderer begins another with the same camera (no picture contains itself), or when a camera that has made
 * a picture within it begins another: that happens once a frame, so the outer one is no longer running. The six faces of a
 * cube count as one picture: `WebGPURenderer` draws the shadow of a point light by one camera.
 */
export class ActiveRenders {
  readonly #scene: Scene;
  readonly #events: RenderEvents;
  readonly #stack: OpenRender[] = [];
  /** Renders that were given up but have not ended, so they may still be running. */
  #abandoned: OpenRender[] = [];
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
    const enter = (render: OpenRender): void => this.#enter(render);
    const leave = (picture: Picture): void => this.#leave(picture);
    // The scene's own callback runs outside of ours: what it renders is a picture of its own.
    this.#onBefore = function (renderer, rendered, camera, target) {
      onBeforeRender.call(this, renderer, rendered, camera, target);
      enter({ renderer, camera, passes: 0, isWalking: false, slot: 0, isPlain: false, within: null });
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
    if (this.#hasWarned || !this.#isReplaced) return;
    if (++this.#idleUpdates > PATIENCE) this.#warn();
  }

  #enter(render: OpenRender): void {
    if (this.#isDisposed) return;
    this.#idleUpdates = 0;
    // Most pictures lie in no other, and none is given up.
    if (this.#stack.length > 0 || this.#abandoned.length > 0) {
      const isFace = (render.renderer.getActiveCubeFace?.() ?? 0) > 0;
      const isOver = (other: OpenRender): boolean =>
        isSame(other, render) || (!isFace && other.within?.has(render.camera) === true);
      const stale = this.#stack.findIndex(isOver);
      if (stale >= 0) this.#abandoned.push(...this.#stack.splice(stale));
      this.#takeSlot(render);
    }
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
    // A render that threw never ends; in time its renderer begins the same picture again.
    if (this.#stack.length === 0) this.#takeAbandoned(render);
    this.#abandoned.splice(0, this.#abandoned.length - MOST);
    const isTaken = ({ slot }: OpenRender): boolean => slot === render.slot;
    while (this.#stack.some(isTaken) || this.#abandoned.some(isTaken)) render.slot++;
  }

  /** Removes the abandoned renders of a picture and returns them. */
  #takeAbandoned(picture: Picture): OpenRender[] {
    const same = this.#abandoned.filter((other) => isSame(other, picture));
    if (same.length > 0) this.#abandoned = this.#abandoned.filter((other) => !isSame(other, picture));
    return same;
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

/**
 * True when a walk over the scene that begins now is a pass of its renderer, not user code.
 *
 * From the scene's callback to the camera's pass, renderers call no user code that could walk the scene. WebGLRenderer goes
 * on with the shadow passes: the render target is then the map of the light, which it names like this, and user code runs
 * only within these passes. Sort functions and callbacks of drawn objects come later, when no pass follows. Other renderers
 * draw shadows in renders of their own.
 */
export function mayBeginPass({ renderer, passes, isWalking }: ActiveRender): boolean {
  if (isWalking || passes === 0) return !isWalking;
  return renderer.getRenderTarget?.()?.depthTexture?.name.includes('.shadowMap') === true;
}

function isSame(a: Picture, b: Picture): boolean {
  return a.renderer === b.renderer && a.camera === b.camera;
}
