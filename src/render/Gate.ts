import { type Camera, type Frustum, type FrustumArray, type Layers, type Line, Object3D, type Scene } from 'three';
import type { MeshBatching } from '../batching/MeshBatching.js';
import { getOrMake } from '../core/arrays.js';
import type { InstancedCulling } from '../instances/InstancedCulling.js';
import type { ActiveRender, ActiveRenders } from '../passes/ActiveRenders.js';
import { type Pass, passRegions } from '../passes/Pass.js';
import { Payoff, WEIGHTS } from '../passes/Payoff.js';
import type { Stages } from '../passes/Stages.js';
import { type PixelRenderer, passPlanes, pixelSize } from '../scene/ask/cameraViews.js';
import { narrow } from '../scene/ask/narrow.js';
import type { LimitedView, SceneLimits } from '../scene/ask/SceneLimits.js';
import { Visibility } from '../scene/ask/Visibility.js';
import { resumeLook } from '../scene/facts/looks.js';
import type { Entries } from '../scene/follow/Entries.js';
import type { SceneFollower } from '../scene/follow/SceneFollower.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { Flags } from '../three/kinds.js';
import { hasOtherPipeline } from '../three/renderer.js';
import type { Settings } from './AccelerateOptions.js';
import type { CasterCulling } from './CasterCulling.js';
import type { SceneOcclusion } from './occlusion/SceneOcclusion.js';
import { PassBuild, type PassSources, PassState } from './PassBuild.js';
import { ALL_LAYERS, PassList, PassProxy } from './PassList.js';

/** Above this share of all objects, 35 %, listing what is seen costs more than culling the rest one by one. */
const MOST_LISTED = WEIGHTS.visit / (WEIGHTS.visit + WEIGHTS.list);
/** With this few objects a query costs as much as drawing them all. */
const HANDFUL = 48;

/**
 * Decides whether a pass of a renderer gets a list of what to visit below the root of a scene, or sees the real children
 * because a list would not pay off. The index says what is in the frustum that the {@link PassProxy} is asked about.
 */
export class Gate implements PassSources {
  readonly follower: SceneFollower;
  readonly entries: Entries;
  readonly state: PassState;
  readonly instances: InstancedCulling | null;
  casters: CasterCulling | null = null;
  /** Null where nothing is left out for lying behind something else. */
  occlusion: SceneOcclusion | null = null;
  /** Null where nothing is left out for being small or far away. */
  limits: SceneLimits | null = null;
  readonly #renders: ActiveRenders;
  readonly #batching: MeshBatching;
  readonly #stages: Stages;
  readonly #settings: Settings;
  readonly #visibility = new Visibility();
  readonly #views: Float64Array[] = [];
  readonly #wide: ObjectRecord[] = [];
  /** By layers and frustum: a renderer has one frustum for all cameras, a light one for all pictures. */
  readonly #payoffs = new WeakMap<Layers, WeakMap<object, Payoff>>();
  /** One for each render, by slot: the passes of a render follow each other. */
  readonly #lists: PassList[] = [];
  readonly #proxies: Object3D[];
  readonly #proxy: PassProxy;
  #layers: Layers = ALL_LAYERS;
  #children: Object3D[] = NONE;

  constructor(
    follower: SceneFollower,
    entries: Entries,
    renders: ActiveRenders,
    batching: MeshBatching,
    instances: InstancedCulling | null,
    stages: Stages,
    settings: Settings,
  ) {
    this.follower = follower;
    this.entries = entries;
    this.#renders = renders;
    this.#batching = batching;
    this.#stages = stages;
    this.#settings = settings;
    this.instances = instances;
    this.state = new PassState(follower.hierarchy.root);
    this.#proxy = new PassProxy((frustum) => {
      const before = resumeLook(renders.current?.look ?? 0);
      const list = stages.run('lists', () => this.#listFor(frustum)) ?? this.#children;
      resumeLook(before);
      return list;
    });
    // A pass reaches it after everything else.
    const end = new Object3D();
    end.layers.test = () => {
      renders.endPass();
      return false;
    };
    this.#proxies = Object.freeze<Object3D[]>([this.#proxy, end]) as Object3D[];
  }

  /**
   * What a pass finds as the children of the root. A drawing pipeline other than three's standard one gets the real ones: it
   * may keep the data of an object by its place among them, cull by itself, and draw many at once.
   */
  childrenForPass(layers: Layers, children: Object3D[]): Object3D[] {
    if (this.#stages.isOff('lists') || this.#renders.current?.isPlain) return children;
    return this.#stages.run('lists', () => this.#proxiesFor(layers, children)) ?? children;
  }

  #proxiesFor(layers: Layers, children: Object3D[]): Object3D[] {
    const { records, root } = this.follower.hierarchy;
    const { renderer } = this.#renders.current ?? {};
    if (renderer !== undefined && hasOtherPipeline(renderer)) return children;
    const isHandful = this.limits === null && this.#mayWalkAll && records.size <= HANDFUL;
    if (isHandful || !records.has(root)) return children;
    this.#layers = layers;
    this.#children = children;
    // Fallback for passes that skip the frustum test.
    this.#proxy.children = children;
    return this.#proxies;
  }

  /** Empties the lists of renders that have ended. */
  release(renders: readonly ActiveRender[]): void {
    for (const { slot } of renders) this.#lists[slot]?.clear();
    this.#children = NONE;
    this.#proxy.children = NONE;
  }

  /** True when the renderer may as well walk the real children. */
  get #mayWalkAll(): boolean {
    return this.casters === null && this.instances?.canSubstitute !== true && this.#batching.batches === null;
  }

  /** What a pass with this frustum is to walk, or null for the real children. */
  #listFor(frustum: Frustum | FrustumArray): Object3D[] | null {
    const render = this.#renders.current;
    if (render === null) return null;
    const stages = this.#stages;
    this.follower.processEarly();
    const { renderer, camera, slot, passes } = render;
    const { root, records } = this.follower.hierarchy;
    const scope = passRegions.get(renderer.getRenderTarget?.() ?? NONE);
    const given = scope?.regionsFor(root, render) ?? null;
    const scene = root as Scene;
    stages.at = 'occlusion';
    const occlusion = given === null ? (this.occlusion?.begin(render, scene) ?? null) : null;
    stages.at = 'limits';
    const limited = given === null ? this.#beginLimits(render) : null;
    const mayWalkAll = given === null && occlusion === null && limited === null && this.#mayWalkAll;
    stages.at = 'lists';
    const byFrustum = getOrMake(this.#payoffs, this.#layers, () => new WeakMap<object, Payoff>());
    const payoff = getOrMake(byFrustum, frustum, () => new Payoff());
    if (mayWalkAll && !payoff.takeTurn()) return null;
    const views = passPlanes(frustum, camera, this.#views);
    stages.at = 'cullCasters';
    const seenFrom = given ?? this.casters?.regionsOf(frustum, views) ?? views;
    stages.at = 'limits';
    const regions = limited === null ? seenFrom : narrow(limited, seenFrom);
    const most = mayWalkAll ? MOST_LISTED * records.size : Number.POSITIVE_INFINITY;
    stages.at = 'lists';
    const always = this.#listedAlways();
    // Given regions name all that a pass may show.
    const wide = given === null ? this.#wideIn(frustum) : [];
    const isListed = this.#visibility.within(this.entries.measured, regions, always, most, wide);
    wide.length = 0;
    if (given === null) {
      const listed = isListed ? this.#visibility.intersecting.length : records.size;
      payoff.note(WEIGHTS.visit * (records.size - listed), WEIGHTS.list * listed);
    }
    if (!isListed) return null;
    const sight = {
      renderer,
      camera,
      scene,
      layers: this.#layers,
      slot,
      place: passes,
      frustum,
      views,
      changes: this.follower.changes,
    };
    stages.at = 'limits';
    limited?.leaveOut(this.#visibility.intersecting, always);
    stages.at = 'batch';
    const isBatched = this.#batching.batches !== null;
    stages.at = 'occlusion';
    const hider = occlusion?.({ ...sight, limited, isBatched }, this.#visibility.intersecting, always) ?? null;
    stages.at = 'lists';
    const pass: Pass = { ...sight, hider };
    this.#lists[slot] ??= new PassList(root);
    const list = this.#lists[slot];
    list.clear();
    stages.at = 'batch';
    const batches = this.#batching.forPass(renderer, scene);
    // With batches they do most of what follows.
    if (batches === null) stages.at = 'lists';
    const build = new PassBuild(pass, list, batches, this, always);
    if (!build.fill(this.#visibility.intersecting)) return null;
    if (scope !== undefined) scope.wasListed = given !== null;
    return list.objects;
  }

  /** What leaves small and distant objects out of a pass; null where they are drawn, as their shadows are. */
  #beginLimits({ camera, passes, renderer }: ActiveRender): LimitedView | null {
    if (this.limits === null || passes !== 1) return null;
    const sizeOf = (view: Camera) => pixelSize(renderer as PixelRenderer, view);
    return this.limits.begin(camera, this.#settings, sizeOf, true);
  }

  /**
   * Lines and points that three's own spheres show to a pass: their width may reach into a view that their boxes lie
   * outside of. Of everything else nothing is drawn outside of its box: a triangle beyond a plane of the view covers no
   * pixel, so a box within three's sphere shows the same. Boxes of sprites hold their spheres.
   */
  #wideIn(frustum: Frustum | FrustumArray): ObjectRecord[] {
    const wide = this.#wide;
    wide.length = 0;
    for (const record of this.follower.traits.wide) {
      const { object, id } = record;
      if (id < 0 || !object.visible) continue;
      // A sphere that three has not made yet is left to it to make, as that is kept. A LOD has none.
      const hasSphere = !(object as Flags).isLOD && (object as Partial<Line>).geometry?.boundingSphere;
      if (!hasSphere || object.intersectsFrustum(frustum as Frustum)) wide.push(record);
    }
    return wide;
  }

  /** Objects listed wherever they are: those never culled, and those not measured yet, which renderers cull themselves. */
  #listedAlways(): ReadonlySet<ObjectRecord> {
    const { neverCulled } = this.follower.traits;
    const { pending } = this.entries;
    return pending.size === 0 ? neverCulled : new Set([...neverCulled, ...pending.keys()]);
  }
}

const NONE: Object3D[] = [];
