import type { Frustum, FrustumArray, Layers, LightShadow, Line, Object3D, Scene } from 'three';
import { getOrMake } from '../core/arrays.js';
import type { IdList } from '../core/ids.js';
import type { ActiveRender, ActiveRenders } from '../passes/ActiveRenders.js';
import { type Pass, type PassPart, passRegions } from '../passes/Pass.js';
import { Payoff, WEIGHTS } from '../passes/Payoff.js';
import type { Stages } from '../passes/Stages.js';
import { passPlanes } from '../scene/ask/cameraViews.js';
import { NO_RECORDS } from '../scene/ask/RayCandidates.js';
import { seenAnywhere, Visibility } from '../scene/ask/Visibility.js';
import { resumeLook } from '../scene/facts/looks.js';
import type { Entries } from '../scene/follow/Entries.js';
import type { SceneFollower } from '../scene/follow/SceneFollower.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { SceneParts } from '../scene/SceneParts.js';
import type { Flags } from '../three/kinds.js';
import { hasOtherPipeline } from '../three/renderer.js';
import { PassBuild, type PassSources, PassState } from './PassBuild.js';
import { ALL_LAYERS, PassList, PassProxy, PassStop } from './PassList.js';
import type { PassSteps } from './PassSteps.js';

/** Above this share of all objects in view, 35 %, listing them costs more than the visits to all other objects. */
const MOST_LISTED = WEIGHTS.visit / (WEIGHTS.visit + WEIGHTS.list);
/** With this few objects a query costs as much as drawing them all. */
const HANDFUL = 48;

/**
 * Decides whether a pass of a renderer gets a list to visit below the root of a scene, or sees the real children
 * because a list would not pay off. The index finds the objects in the frustum of the {@link PassProxy}'s test.
 */
export class Gate implements PassSources {
  readonly follower: SceneFollower;
  readonly entries: Entries;
  readonly state: PassState;
  readonly #renders: ActiveRenders;
  readonly steps: PassSteps;
  readonly #stages: Stages;
  readonly #visibility = new Visibility();
  readonly #views: Float64Array[] = [];
  readonly #wide: ObjectRecord[] = [];
  /** Payoffs by layers and frustum: a renderer has one frustum for all cameras, a light one for all pictures. */
  readonly #payoffs = new WeakMap<Layers, WeakMap<object, Payoff>>();
  /** One list for each render, by nesting: the passes of a render follow each other. */
  readonly #lists: PassList[] = [];
  /** One stop for each part of a pass: parts follow each other, and so do passes that are drawn in parts. */
  readonly #stops: PassStop[] = [];
  readonly #proxies: Object3D[];
  readonly #proxy: PassProxy;
  #layers: Layers = ALL_LAYERS;
  #children: Object3D[] = NO_CHILDREN;

  constructor({ follower, entries }: SceneParts, renders: ActiveRenders, steps: PassSteps, stages: Stages) {
    this.follower = follower;
    this.entries = entries;
    this.#renders = renders;
    this.steps = steps;
    this.#stages = stages;
    this.state = new PassState(follower.hierarchy.root);
    this.#proxy = new PassProxy((frustum) => this.#inLook(() => this.#listFor(frustum)));
    // A pass reaches this stop after all other objects.
    const end = new PassStop(() => {
      renders.endPass();
      return NO_CHILDREN;
    });
    this.#proxies = Object.freeze<Object3D[]>([this.#proxy, end]) as Object3D[];
  }

  /** Makes a list within the look of its render; returns the real children if there is none, or making it fails. */
  #inLook(list: () => Object3D[] | null): Object3D[] {
    const before = resumeLook(this.#renders.current?.look ?? 0);
    const listed = this.#stages.run('lists', list) ?? this.#children;
    resumeLook(before);
    return listed;
  }

  /** The root's children as a pass finds them: the proxies, or the real ones where lists are of no use. */
  childrenForPass(layers: Layers, children: Object3D[]): Object3D[] {
    if (this.#stages.isOff('lists') || this.#renders.current?.isPlain) return children;
    return this.#stages.run('lists', () => this.#proxiesFor(layers, children)) ?? children;
  }

  #proxiesFor(layers: Layers, children: Object3D[]): Object3D[] {
    const { records, root } = this.follower.hierarchy;
    const render = this.#renders.current;
    if (render === null || hasOtherPipeline(render.renderer) || !records.has(root)) return children;
    if (records.size <= HANDFUL && !this.steps.needsLists(render)) return children;
    this.#layers = layers;
    this.#children = children;
    // These children are the fallback for passes that skip the frustum test.
    this.#proxy.children = children;
    return this.#proxies;
  }

  /** Empties the lists of renders that have ended. */
  release(renders: readonly ActiveRender[]): void {
    for (const { nesting } of renders) this.#lists[nesting]?.clear();
    for (const stop of this.#stops) stop.children = NO_CHILDREN;
    this.#children = NO_CHILDREN;
    this.#proxy.children = NO_CHILDREN;
  }

  /** Returns the list that a pass with this frustum is to walk, or null for the real children. */
  #listFor(frustum: Frustum | FrustumArray): Object3D[] | null {
    const render = this.#renders.current;
    if (render === null) return null;
    this.follower.processEarly();
    const scope = passRegions.get(render.renderer.getRenderTarget?.() ?? NO_CHILDREN);
    const given = scope?.regionsFor(this.follower.hierarchy.root, render) ?? null;
    const pass = this.#passOf(frustum, render);
    const parts = this.#stages.as('keepShadows', () => this.steps.of('keepShadows')?.partsOf?.(render)) ?? null;
    if (parts !== null) return parts.map((part, i) => this.#partOf(part, pass, i));
    // Objects listed wherever they are: never culled, or with a postponed entry.
    const always = seenAnywhere(this.follower.traits, this.entries);
    const { measured } = this.entries;
    // Given regions contain everything that a pass may show.
    const isFound =
      given === null ? this.#find(pass, render, always) : this.#visibility.within(measured, given, always);
    if (!isFound) return null;
    const seen = this.#visibility.intersecting;
    if (given === null) {
      this.steps.each((step) => {
        pass.hider = step.leaveOut?.(seen, always, pass) ?? pass.hider;
      });
    }
    const list = this.#build(pass, seen, always);
    if (list !== null && scope !== undefined) scope.wasListed = given !== null;
    return list;
  }

  #passOf(frustum: Frustum | FrustumArray, { renderer, camera, nesting, passes }: ActiveRender): Pass {
    const { hierarchy, changes } = this.follower;
    const views = passPlanes(frustum, camera, this.#views);
    const isBatched = this.steps.batching.batches !== null;
    const scene = hierarchy.root as Scene;
    return {
      renderer,
      camera,
      scene,
      layers: this.#layers,
      nesting,
      number: passes,
      frustum,
      shadow: passes > 1 ? this.#shadowOf(frustum) : null,
      views,
      changes,
      isBatched,
      alone: null,
      hider: null,
    };
  }

  #shadowOf(frustum: Frustum | FrustumArray): LightShadow | null {
    for (const { object } of this.follower.traits.alwaysVisited) {
      const { shadow } = object as { shadow?: LightShadow };
      if (shadow?.getFrustum?.() === frustum) return shadow;
    }
    return null;
  }

  /** Returns a stand-in for a part of a pass, which is listed once the pass comes to it. */
  #partOf({ ids, beginPart, alone }: PassPart, pass: Pass, number: number): Object3D {
    this.#stops[number] ??= new PassStop(() => NO_CHILDREN);
    const stop = this.#stops[number];
    stop.reached = () =>
      this.#inLook(() => {
        this.#stages.as('keepShadows', beginPart);
        return this.#build({ ...pass, alone }, ids, NO_RECORDS);
      });
    return stop;
  }

  /** Finds the entries in the regions of a pass; false when a list of them would not pay off. */
  #find(pass: Pass, render: ActiveRender, always: ReadonlySet<ObjectRecord>): boolean {
    const { frustum } = pass;
    const { size } = this.follower.hierarchy.records;
    let isNeeded = this.steps.needsLists(render);
    this.steps.each((step) => {
      if (step.beginPass?.(render)) isNeeded = true;
    });
    const byFrustum = getOrMake(this.#payoffs, this.#layers, () => new WeakMap<object, Payoff>());
    const payoff = getOrMake(byFrustum, frustum, () => new Payoff());
    if (!isNeeded && !payoff.takeTurn()) return false;
    const most = isNeeded ? Number.POSITIVE_INFINITY : MOST_LISTED * size;
    let regions = pass.views;
    this.steps.each((step) => {
      regions = step.narrow?.(regions, pass) ?? regions;
    });
    const wide = this.#wideIn(frustum);
    const isFound = this.#visibility.within(this.entries.measured, regions, always, most, wide);
    wide.length = 0;
    const listed = isFound ? this.#visibility.intersecting.length : size;
    payoff.note(WEIGHTS.visit * (size - listed), WEIGHTS.list * listed);
    return isFound;
  }

  /** Lists the objects that a pass is to walk; null for the real children. */
  #build(pass: Pass, seen: IdList, always: ReadonlySet<ObjectRecord>): Object3D[] | null {
    const { renderer, scene, nesting } = pass;
    this.#lists[nesting] ??= new PassList(scene);
    const list = this.#lists[nesting];
    list.clear();
    const batches = this.#stages.as('batch', () => this.steps.batching.forPass(renderer, scene));
    const build = new PassBuild(pass, list, batches, this, always);
    // Batches do most of the work if there are any, so errors count as theirs.
    const isWhole = this.#stages.as(batches === null ? 'lists' : 'batch', () => build.fill(seen));
    return isWhole ? list.objects : null;
  }

  /**
   * Returns lines and points that three's own spheres show to a pass, or that have no sphere yet: their width may reach
   * into a view though their boxes lie outside. Other objects draw nothing outside of their boxes: a triangle beyond a
   * plane of the view covers no pixel, so a box within three's sphere shows the same. Sprites' boxes hold the spheres.
   */
  #wideIn(frustum: Frustum | FrustumArray): ObjectRecord[] {
    const wide = this.#wide;
    wide.length = 0;
    for (const record of this.follower.traits.wide) {
      const { object, id } = record;
      if (id < 0 || !object.visible) continue;
      // three has to make a missing sphere itself, as the sphere is kept from then on. A LOD has none.
      const hasSphere = !(object as Flags).isLOD && (object as Partial<Line>).geometry?.boundingSphere;
      if (!hasSphere || object.intersectsFrustum(frustum as Frustum)) wide.push(record);
    }
    return wide;
  }
}

const NO_CHILDREN: Object3D[] = [];
