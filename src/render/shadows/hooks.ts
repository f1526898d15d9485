import type { Camera, Light, LightShadow, Scene, WebGLRenderer } from 'three';
import { getOrMake } from '../../core/arrays.js';
import { replaceMethod } from '../../three/methods.js';

type ShadowMap = WebGLRenderer['shadowMap'];

export type ShadowLight = Light & { readonly shadow?: LightShadow };
export type DrawMaps = (lights: readonly ShadowLight[]) => void;
/** Draws the maps of the lights of a scene. */
export type Keeper = (draw: DrawMaps, lights: readonly ShadowLight[], camera: Camera) => void;

/** Stands in for a `shadowMap.render` in scenes with a keeper; a restored context has a new one, with its own hook. */
export class ShadowMapHook {
  /** The last owner that drew each map: lights, scenes and renderers may share one. */
  readonly owners: WeakMap<object, object> = new WeakMap();
  /** The shadow map type of the last draw. */
  type: number | null = null;
  readonly #keepers = new WeakMap<Scene, Keeper>();
  readonly shadowMap: ShadowMap;
  #users = 0;
  #undo = (): void => {};

  constructor(shadowMap: ShadowMap) {
    this.shadowMap = shadowMap;
  }

  holds(scene: Scene): boolean {
    return this.#keepers.has(scene);
  }

  hold(scene: Scene, keeper: Keeper): void {
    this.#keepers.set(scene, keeper);
    if (this.#users++ === 0) this.#install();
  }

  release(scene: Scene): void {
    if (!this.#keepers.delete(scene) || --this.#users > 0) return;
    this.#undo();
    hooks.delete(this.shadowMap);
  }

  /** Has three draw lights, and forgets the owners of the maps that it draws; maps that it skips keep theirs. */
  drawUnknown(draw: DrawMaps, lights: readonly ShadowLight[]): void {
    const { enabled, autoUpdate, needsUpdate } = this.shadowMap;
    if (enabled && (autoUpdate || needsUpdate)) {
      for (const { shadow } of lights)
        if (shadow?.map && (shadow.autoUpdate || shadow.needsUpdate)) this.owners.delete(shadow.map);
    }
    draw(lights);
  }

  #install(): void {
    const shadowMap = this.shadowMap;
    const before = shadowMap.render;
    const render = (lights: ShadowLight[], scene: Scene, camera: Camera): void => {
      const draw: DrawMaps = (some) => before.call(shadowMap, some as ShadowLight[], scene, camera);
      const keeper = this.#keepers.get(scene);
      if (keeper !== undefined) {
        keeper(draw, lights, camera);
        return;
      }
      this.drawUnknown(draw, lights);
    };
    this.#undo = replaceMethod(shadowMap, 'render', render as ShadowMap['render']);
  }
}

const hooks = new WeakMap<ShadowMap, ShadowMapHook>();

export function hookOf(shadowMap: ShadowMap): ShadowMapHook {
  return getOrMake(hooks, shadowMap, () => new ShadowMapHook(shadowMap));
}
