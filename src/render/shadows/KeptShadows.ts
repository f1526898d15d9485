import {
  type Camera,
  type LightShadow,
  type Object3D,
  PCFSoftShadowMap,
  type RenderTarget,
  type Scene,
  type WebGLRenderer,
} from 'three';
import type { MeshBatching } from '../../batching/MeshBatching.js';
import { getOrMake } from '../../core/arrays.js';
import { BOX } from '../../core/box.js';
import { IdList, IdSet } from '../../core/ids.js';
import type { ActiveRender, ActiveRenders } from '../../passes/ActiveRenders.js';
import { type PassPart, type ShadowReport, shadowReports } from '../../passes/Pass.js';
import type { PassStep, StepScene } from '../../passes/PassStep.js';
import type { Stages } from '../../passes/Stages.js';
import { withoutChildren as alone } from '../../passes/withoutChildren.js';
import { seenAnywhere, Visibility } from '../../scene/ask/Visibility.js';
import { resumeLook } from '../../scene/facts/looks.js';
import { describe } from '../../scene/objects/checks.js';
import type { SceneParts } from '../../scene/SceneParts.js';
import { CASTS } from './CasterFacts.js';
import { Casters, MUCH } from './Casters.js';
import { type DrawMaps, hookOf, type ShadowLight, type ShadowMapHook } from './hooks.js';
import { type CastingLight, castingBits, type Face, KeptMap } from './KeptMap.js';

/** Fewest casters at rest that get a layer. */
const FEW_AT_REST = 64;
/** Number of draws of a map by the same key before it gets layers. */
const DRAWN = 3;
/** A layer is drawn anew once the casters at rest outside it exceed this number plus an eighth of those in it. */
const OUTSIDE = 32;

/** A map that is being drawn, with everything needed to draw it. */
interface Drawing {
  readonly light: CastingLight;
  readonly map: KeptMap;
  readonly renderer: WebGLRenderer;
  readonly render: ActiveRender;
  readonly isBatched: boolean;
  readonly hook: ShadowMapHook;
  readonly camera: Camera;
  readonly draw: DrawMaps;
  /** Number of the next face. */
  face: number;
}

/**
 * Redraws shadow maps of a `WebGLRenderer` only as far as something in them has changed. A map, or a face of a point
 * light, is not drawn when it would come out the same. When some casters have changed, casters at rest come out of a
 * layer: the resulting depths do not depend on the order of draws.
 *
 * | picture by one key | a map |
 * | --- | --- |
 * | first | is drawn by three; casters are not compared, so a moving light costs only its key |
 * | second | is drawn from a list, whose casters are compared from then on |
 * | third and later | is kept, or only its faces with a changed caster are drawn |
 */
export class KeptShadows implements PassStep, ShadowReport {
  readonly stage = 'keepShadows';
  readonly #parts: SceneParts;
  readonly #scene: Scene;
  readonly #renders: ActiveRenders;
  readonly #stages: Stages;
  readonly #batching: MeshBatching;
  readonly #casters: Casters;
  readonly #visibility = new Visibility();
  readonly #maps = new WeakMap<object, WeakMap<LightShadow, KeptMap>>();
  readonly #all: WeakRef<KeptMap>[] = [];
  readonly #hooks: WeakRef<ShadowMapHook>[] = [];
  readonly #list = new IdList();
  readonly #box = new Float64Array(BOX);
  /** The map that is being drawn in parts; null for a map that three draws whole. */
  #drawing: Drawing | null = null;
  /** True while three draws, and calls code of the page: errors are not the library's then. */
  #isDrawing = false;

  constructor({ scene, renders, stages }: StepScene, parts: SceneParts, batching: MeshBatching) {
    this.#scene = scene;
    this.#renders = renders;
    this.#stages = stages;
    this.#parts = parts;
    this.#batching = batching;
    this.#casters = new Casters(parts, batching);
    shadowReports.set(scene, this);
  }

  dispose(): void {
    shadowReports.delete(this.#scene);
    this.#casters.dispose();
    for (const map of this.#all) map.deref()?.forget();
    for (const hook of this.#hooks) hook.deref()?.release(this.#scene);
  }

  beginRender({ renderer }: ActiveRender): void {
    const { isWebGLRenderer, shadowMap } = renderer as Partial<WebGLRenderer> & { readonly isWebGLRenderer?: boolean };
    if (isWebGLRenderer !== true || !shadowMap) return;
    const hook = hookOf(shadowMap);
    if (hook.holds(this.#scene)) return;
    this.#hooks.push(new WeakRef(hook));
    const webgl = renderer as WebGLRenderer;
    hook.hold(this.#scene, (draw, lights, camera) => this.#render(webgl, hook, draw, lights, camera));
  }

  needsLists(render: ActiveRender): boolean {
    return this.#drawing?.render === render;
  }

  /** If a failure comes while a map is drawn, three draws all casters into the map, and not into its layer. */
  catchUp(): void {
    for (const face of this.#drawing?.map.faces ?? []) {
      face.layered = null;
      face.layer?.leave();
    }
  }

  #render(
    renderer: WebGLRenderer,
    hook: ShadowMapHook,
    draw: DrawMaps,
    lights: readonly ShadowLight[],
    camera: Camera,
  ): void {
    const render = this.#renders.current;
    const done = new Set<ShadowLight>();
    // Within the callback of a caster three draws all maps.
    if (render?.renderer === renderer && !render.isPlain && !this.#isDrawing) {
      const before = resumeLook(render.look);
      try {
        const isBatched = this.#batching.isDrawnBy(render.renderer, this.#scene);
        this.#renderAll({ renderer, render, isBatched, hook, draw, camera, face: 0 }, lights, done);
      } catch (error) {
        if (this.#isDrawing) throw error;
        this.#stages.fail(error, 'keepShadows', null);
      } finally {
        resumeLook(before);
        this.#isDrawing = false;
        this.#drawing = null;
      }
    }
    const left = lights.filter((light) => !done.has(light));
    // If no map is drawn, three still has to set the state by which it goes on: blending, clear colour, viewport.
    if (left.length > 0) hook.drawUnknown(draw, left);
    else if (lights.length > 0) draw([IDLE]);
  }

  #renderAll(common: Omit<Drawing, 'light' | 'map'>, lights: readonly ShadowLight[], done: Set<ShadowLight>): void {
    const { renderer, hook } = common;
    const { shadowMap } = renderer;
    if (!shadowMap.enabled || (!shadowMap.autoUpdate && !shadowMap.needsUpdate)) return;
    const maps = getOrMake(this.#maps, shadowMap, () => new WeakMap<LightShadow, KeptMap>());
    // three makes all maps anew when their type has changed.
    const isForced = shadowMap.needsUpdate || shadowMap.type === PCFSoftShadowMap || hook.type !== shadowMap.type;
    hook.type = shadowMap.type;
    const held = new Set<Drawing>();
    for (const light of lights as readonly CastingLight[]) {
      const { shadow } = light;
      if (shadow && (isForced || shadow.needsUpdate)) maps.get(shadow)?.forget();
      if (isForced || !shadow || (!shadow.autoUpdate && !shadow.needsUpdate)) continue;
      const map = getOrMake(maps, shadow, () => this.#makeMap());
      const drawing = { ...common, light, map };
      if (this.#takeHeld(drawing)) {
        held.add(drawing);
        continue;
      }
      // A map that several lights share shows the last of them.
      for (const other of held)
        if (other.light.shadow.map === shadow.map && held.delete(other)) this.#drawWhole(other, done);
      this.#drawWhole(drawing, done);
    }
    if (held.size === 0) return;
    this.#casters.look();
    for (const drawing of held) this.#renew(drawing, done);
  }

  #makeMap(): KeptMap {
    const map = new KeptMap();
    this.#all.push(new WeakRef(map));
    return map;
  }

  /** True for a map that was drawn by the present key, and not by another owner since. */
  #takeHeld({ light, map, camera, renderer, hook }: Drawing): boolean {
    const { shadow } = light;
    if (shadow.map === null || (shadow.getViewportCount() !== 1 && !('isPointLight' in light))) return false;
    return map.takeSameKey(light, camera, renderer) && hook.owners.get(shadow.map) === map;
  }

  #drawWhole(drawing: Drawing, done: Set<ShadowLight>): void {
    const { light, map, camera, renderer, hook, isBatched } = drawing;
    for (const face of map.faces) face.forget();
    this.#draw(drawing);
    done.add(light);
    if (light.shadow.map === null) return;
    map.takeSameKey(light, camera, renderer);
    map.rememberDrawn(light.shadow.map, isBatched);
    hook.owners.set(light.shadow.map, map);
  }

  /** Draws the changed faces of a map. */
  #renew(drawing: Drawing, done: Set<ShadowLight>): void {
    const { map, light, isBatched } = drawing;
    const casters = this.#casters;
    const changed = casters.changesAfter(map.changes);
    map.changes = casters.changes;
    const why = changed !== null && casters.isMuch(changed.length / 2) ? MUCH : casters.why;
    if (why !== null) {
      map.because = why;
      this.#drawWhole(drawing, done);
      return;
    }
    const bits = castingBits(drawing.renderer);
    map.because = 'its casters were not known yet';
    // A picture without batches keeps a map drawn with them: a scene with one override material rarely shows shadows.
    const isRounded = isBatched && !map.isBatched;
    for (const face of map.faces) {
      face.isStale = this.#takeStale(face, drawing, changed, bits) || isRounded;
      if (isRounded) face.layered = null;
    }
    if (!map.faces.some(({ isStale }) => isStale)) {
      map.kept++;
      done.add(light);
      return;
    }
    const target = light.shadow.map as RenderTarget;
    map.rememberDrawn(target, isBatched);
    this.#drawing = drawing;
    const { renderer } = drawing;
    const { clear } = renderer;
    let cleared = 0;
    renderer.clear = (...given) => {
      // Callbacks of casters may clear their own targets. After its faces a map is cleared for the blur of variances.
      const isFace = renderer.getRenderTarget() === target && cleared < map.faces.length;
      if (!isFace || map.faces[cleared++].isStale) clear.apply(renderer, given);
    };
    try {
      this.#draw(drawing);
      done.add(light);
    } finally {
      renderer.clear = clear;
      this.#drawing = null;
    }
  }

  /** Has three draw a light; `#isDrawing` stays true when three throws. */
  #draw({ draw, light }: Drawing): void {
    this.#isDrawing = true;
    draw([light]);
    this.#isDrawing = false;
  }

  /** Updates the entries in a face; true when the face has to be drawn anew. */
  #takeStale(face: Face, { light, map }: Drawing, changed: ArrayLike<number> | null, casting: number): boolean {
    const { inside } = face;
    if (inside === null || changed === null) {
      face.readPlanes(light);
      this.#find(face);
      return true;
    }
    let isStale = false;
    for (let i = 0; i < changed.length; i += 2) {
      const id = changed[i];
      const was = inside.has(id);
      const is = this.#meets(id, face);
      if (is && !was) this.#casters.include(id);
      if (is) inside.add(id);
      else inside.remove(id);
      if (!(was || is) || (changed[i + 1] & casting) === 0) continue;
      if (face.layered?.has(id)) face.layered = null;
      if (!isStale) this.#blame(id, map);
      isStale = true;
    }
    return isStale;
  }

  /** Records the caster that has a map drawn anew. */
  #blame(id: number, map: KeptMap): void {
    const facts = this.#casters.factsOf(id);
    if (facts !== undefined) facts.redraws++;
    if (facts === undefined) map.because = 'a caster has left';
    else if (facts.unseen === null) map.because = `${describe(facts.object)} changed`;
    else map.because = `${describe(facts.object)} may change unseen (${facts.unseen})`;
  }

  /** Finds all entries in a face, and has them compared from now on. */
  #find(face: Face): void {
    const { entries, follower } = this.#parts;
    const always = seenAnywhere(follower.traits, entries);
    const wide = [...follower.traits.wide];
    this.#visibility.within(entries.measured, [face.planes], always, Number.POSITIVE_INFINITY, wide);
    face.forget();
    face.inside = new IdSet();
    for (const id of this.#visibility.intersecting) {
      face.inside.add(id);
      this.#casters.include(id);
    }
  }

  #meets(id: number, { volume }: Face): boolean {
    const { entries, follower } = this.#parts;
    const record = entries.byId.records[id] ?? null;
    if (record === null) return false;
    const { neverCulled, wide } = follower.traits;
    if (neverCulled.has(record) || wide.has(record) || entries.postponed.has(record)) return true;
    return volume.node(entries.measured.getBox(id, this.#box) as Float64Array, 0, volume.all) >= 0;
  }

  explain(object: Object3D): string | null {
    const { shadow, castShadow } = object as Object3D & { shadow?: LightShadow };
    if (shadow !== undefined) {
      const map = castShadow ? this.#mapOf(shadow) : undefined;
      return map === undefined ? null : `Its shadow map was ${map.last}.`;
    }
    const facts = this.#casters.factsOf(this.#parts.follower.hierarchy.recordOf(object)?.aggregate?.id ?? -1);
    if (facts === undefined || (facts.bits & CASTS) === 0) return null;
    if (facts.unseen !== null) return `Its shadow is drawn in each picture: ${facts.unseen}.`;
    if (this.#casters.isResting(facts)) return 'Its shadow rests.';
    return 'Its shadow is drawn anew, as it has changed in the last pictures.';
  }

  report(): ReturnType<ShadowReport['report']> {
    const lights: ReturnType<ShadowReport['report']> = [];
    const casters: [Object3D, number][] = [];
    for (const { object, aggregate } of this.#parts.follower.hierarchy.records.all()) {
      const { shadow } = object as Object3D & { shadow?: LightShadow };
      const map = shadow && object.castShadow ? this.#mapOf(shadow) : undefined;
      if (map !== undefined)
        lights.push({ reason: `its shadow map was ${map.last}`, count: 1, example: object, advice: NO_ADVICE });
      const redraws = this.#casters.factsOf(aggregate?.id ?? -1)?.redraws ?? 0;
      if (redraws > 0 && aggregate?.object === object) casters.push([object, redraws]);
    }
    casters.sort((a, b) => b[1] - a[1]);
    if (casters.length === 0) return lights;
    const names = casters.slice(0, NAMED).map(([object, redraws]) => `${describe(object)} ${redraws} times`);
    const reason = `their changes have shadow maps drawn anew: ${names.join(', ')}`;
    return [...lights, { reason, count: casters.length, example: casters[0][0], advice: REST_THEM }];
  }

  /** The kept map of a shadow, of the first renderer that has one. */
  #mapOf(shadow: LightShadow): KeptMap | undefined {
    const maps = this.#hooks.map((hook) => this.#maps.get(hook.deref()?.shadowMap ?? this)?.get(shadow));
    return maps.find((map) => map !== undefined);
  }

  /** The parts in which the next face is drawn: into its layer and over a copy of the layer, or in a single part. */
  partsOf(render: ActiveRender): readonly PassPart[] | null {
    const drawing = this.#drawing;
    // A callback of a caster may render the scene.
    if (drawing?.render !== render) return null;
    const { light, map, renderer } = drawing;
    const face = map.faces[drawing.face++];
    if (!face.isStale) return [];
    const casting = castingBits(renderer);
    const outside = this.#castersIn(face, casting);
    const hasLayer = face.layered !== null && !outside.isOdd && outside.resting.length <= OUTSIDE + face.inLayer / 8;
    if (hasLayer) {
      map.fromLayers += face.inLayer;
      return [{ ids: outside.all, beginPart: () => face.layer?.copy(), alone }];
    }
    const { all, resting, others, isOdd } = face.takeLayered() ? this.#castersIn(face, casting) : outside;
    const canLayer = !isOdd && map.drawn >= DRAWN && resting.length >= FEW_AT_REST;
    const layer = canLayer ? face.takeLayer(renderer, light.shadow.map as RenderTarget) : null;
    if (layer === null) return [{ ids: all, beginPart: () => {}, alone }];
    face.fill(resting);
    map.fromLayers += resting.length;
    return [
      { ids: resting, beginPart: () => layer.bind(), alone },
      { ids: others, beginPart: () => face.layered && layer.copy(), alone },
    ];
  }

  /** The casters in a face that are not in its layer: all of them, the resting ones, and the rest. */
  #castersIn(
    { inside, layered }: Face,
    casting: number,
  ): Record<'all' | 'resting' | 'others', IdList> & { isOdd: boolean } {
    const found = { all: new IdList(), resting: new IdList(), others: new IdList(), isOdd: false };
    inside?.writeTo(this.#list, layered);
    for (const id of this.#list) {
      const facts = this.#casters.factsOf(id);
      if (facts === undefined || (facts.bits & casting) === 0) continue;
      found.isOdd ||= facts.isOdd;
      found.all.push(id);
      (this.#casters.isResting(facts) ? found.resting : found.others).push(id);
    }
    return found;
  }
}

/** A light whose map three leaves as it is. */
const IDLE = { shadow: { autoUpdate: false, needsUpdate: false } } as unknown as ShadowLight;
/** Most casters that a report names. */
const NAMED = 5;
const NO_ADVICE = 'Nothing: maps are drawn as far as something in them has changed.';
const REST_THEM = 'Let them rest where nobody sees them move, or switch off their castShadow.';
