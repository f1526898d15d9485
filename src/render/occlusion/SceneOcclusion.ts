import type { Camera, InstancedMesh, Material, Mesh, Object3D, Plane, Scene } from 'three';
import { getOrMake } from '../../core/arrays.js';
import { BOX } from '../../core/box.js';
import { IdList, IdSet } from '../../core/ids.js';
import { queryVisible } from '../../occlusion/queryVisible.js';
import type { ActiveRender } from '../../passes/ActiveRenders.js';
import {
  type OcclusionReport,
  type OcclusionSnapshot,
  occlusionReports,
  type PartHider,
  type Pass,
} from '../../passes/Pass.js';
import type { PassStep } from '../../passes/PassStep.js';
import { WEIGHTS } from '../../passes/Payoff.js';
import { InheritedState, OPEN } from '../../scene/ask/InheritedState.js';
import type { SceneLimits } from '../../scene/ask/SceneLimits.js';
import type { Entries } from '../../scene/follow/Entries.js';
import type { SceneFollower } from '../../scene/follow/SceneFollower.js';
import { isShownTo, type ObjectRecord } from '../../scene/objects/ObjectRecord.js';
import { ruleFor } from '../../scene/objects/rules.js';
import type { SceneParts } from '../../scene/SceneParts.js';
import type { SceneRenderer } from '../../three/renderer.js';
import { CameraOcclusion, SharedBuffer, worldOf } from './CameraOcclusion.js';
import { DISTURBS, flagsOf, HiddenState, TRANSMITS, UNTESTED, WORLD_SUMS } from './HiddenState.js';
import { isAsDrawn } from './InstanceOccluders.js';
import { type Candidate, Occluders } from './Occluders.js';
import { occlusionSettingsOf, whyNotBehindGlass, whyNotInPass } from './occlusionSettings.js';
import { probeOf } from './probe.js';
import { whyHidesNothing, whyNeverHidden } from './rules.js';

/** With fewer objects in the frustum, a search does not pay, unless one of them has instances. */
const FEWEST_IN_VIEW = 64;
/** Share of all coordinates by which shaders may be off at clipping planes. */
const CLIP_ERROR = 2 ** -18;

const DISTURBED = 'something in view has callbacks, writes the stencil, or depths that are farther';

/**
 * Leaves objects out of a camera's passes if they cannot be seen, as they lie behind other objects of the same pass.
 *
 * In each pass, (1) every object in the frustum is asked whether it may be hidden, and whether it lets others be
 * hidden; (2) occluders are drawn into a small buffer that errs towards visible; (3) objects behind the buffer are left
 * out. Only (1) is done while camera, scene and occluders are unchanged.
 */
export class SceneOcclusion implements OcclusionReport, PassStep {
  readonly stage = 'occlusion';
  readonly #scene: Scene;
  readonly #entries: Entries;
  readonly #follower: SceneFollower;
  readonly #limits: SceneLimits;
  readonly #above: InheritedState;
  readonly #occluders: Occluders;
  readonly #state: HiddenState;
  readonly #marks: WeakMap<Object3D, boolean>;
  readonly #cameras = new WeakMap<Camera, CameraOcclusion>();
  readonly #buffer = new SharedBuffer();
  /** The occlusion of the camera whose pass has begun; null if no object is to be hidden in the pass. */
  #begun: CameraOcclusion | null = null;
  #finds = 0;
  readonly #mayHide = new IdSet();
  readonly #list = new IdList();
  readonly #box = new Float64Array(BOX);

  /** @param marks Whether a subtree may hide objects and be hidden; an object's nearest mark, own first, decides. */
  constructor({ entries, follower, limits }: SceneParts, scene: Scene, marks: WeakMap<Object3D, boolean>) {
    this.#scene = scene;
    this.#entries = entries;
    this.#follower = follower;
    this.#limits = limits;
    this.#marks = marks;
    occlusionReports.set(scene, this);
    this.#above = new InheritedState(follower.hierarchy.root);
    this.#occluders = new Occluders(entries, (id) => this.#state.forget(id));
    this.#state = new HiddenState(entries, (object) => this.#isAllowed(object));
  }

  dispose(): void {
    this.#occluders.dispose();
    occlusionReports.delete(this.#scene);
  }

  ruleChanged(): void {
    this.#state.forgetAll();
  }

  waitFor(renderer: SceneRenderer): Promise<boolean> | null {
    return probeOf(renderer);
  }

  /** Begins a pass; false if no object is to be hidden in it, as hiding is impossible or does not pay. */
  beginPass({ renderer, camera, passes }: ActiveRender): boolean {
    this.#begun = null;
    if (passes !== 1) return false;
    const view = getOrMake(this.#cameras, camera, () => new CameraOcclusion(this.#mayDraw));
    view.beginPass();
    view.whyNothing = whyNotInPass(renderer, camera, this.#scene);
    if (view.whyNothing === null && view.payoff.takeTurn()) this.#begun = view;
    return this.#begun !== null;
  }

  /** Takes hidden objects off the list; returns null if no search was made. */
  leaveOut(seen: IdList, always: ReadonlySet<ObjectRecord>, pass: Pass): PartHider | null {
    const view = this.#begun;
    const { records } = this.#entries.byId;
    if (view === null || (seen.length < FEWEST_IN_VIEW && ![...seen].some((id) => records[id]?.hasInstances)))
      return null;
    this.#occluders.update();
    const flags = this.#askAll(pass, seen, always);
    view.whyNothing = whyNotWith(flags, pass) ?? this.#find(view, pass, flags);
    if (view.whyNothing !== null) return null;
    this.#takeHidden(view, seen);
    view.isFound = true;
    this.#count(view, seen, pass.isBatched);
    return this.#hiderIn(view);
  }

  /** Finds the objects in the frustum that may be hidden; returns the flags of all that is drawn. */
  #askAll(pass: Pass, seen: IdList, always: ReadonlySet<ObjectRecord>): number {
    const state = this.#state;
    const mayHide = this.#mayHide;
    const others = this.#list;
    let all = 0;
    mayHide.clear();
    state.sort(seen, mayHide, others);
    for (let i = 0; i < others.length; i++) {
      const id = others.ids[i];
      if (isShownTo(this.#entries.byId.objects[id] as Object3D, pass.layers.mask)) all |= state.flags[id];
    }
    for (const { id, object } of always) {
      if (id >= 0) mayHide.remove(id);
      else if (isShownTo(object, pass.layers.mask)) all |= flagsOf(object);
    }
    for (const { object } of this.#entries.quarantined) if (isShownTo(object, pass.layers.mask)) all |= flagsOf(object);
    for (const object of this.#follower.hierarchy.excluded) {
      object.traverse((below) => {
        if (isShownTo(below, pass.layers.mask)) all |= flagsOf(below);
      });
    }
    return all;
  }

  /** Finds the visible objects, unless the last result holds; returns why no result is possible, or null. */
  #find(view: CameraOcclusion, pass: Pass, flags: number): string | null {
    const { renderer, isBatched, changes, layers, views } = pass;
    const occluders = this.#occluders;
    // Instances, batches, and renderers other than `WebGLRenderer` multiply by world matrices in programs.
    const isInWorld =
      isBatched || occluders.instanced.size > 0 || renderer.isWebGLRenderer !== true || (flags & WORLD_SUMS) !== 0;
    const settings = occlusionSettingsOf(pass, isInWorld, occluders.magnitude);
    const { logarithmic, ...others } = settings;
    const stamps = [this.#entries.version, occluders.version, changes, layers.mask];
    const key = [...Object.values(others).flat(), logarithmic?.near, logarithmic?.far, ...stamps];
    if (view.isAsBefore(pass, key)) return null;
    const buffer = this.#buffer.beginPass(view, settings);
    view.found = ++this.#finds;
    if (buffer === null) return NO_MEMORY;
    if (!view.draw(pass, settings, occluders, buffer)) return UNKNOWN_CAMERA;
    view.visible.clear();
    view.visible.addAll(queryVisible(this.#entries.measured, views[0], buffer, this.#list));
    view.key = key;
    return null;
  }

  /** True when a candidate may hide other objects in a pass: it is drawn there, as a whole, and opaque. */
  readonly #mayDraw = ({ record, instance }: Candidate, pass: Pass): boolean => {
    const { object, parent, id } = record;
    if (id < 0 || !isShownTo(object, pass.layers.mask) || whyHidesNothing(object) !== null) return false;
    if (this.#limits.current?.isLeftOut(id)) return false;
    if (instance !== null && !isAsDrawn(instance, object as InstancedMesh)) return false;
    // The object must not lie in one that is hidden, or drawn as a whole.
    if (this.#above.findReach(parent) !== OPEN) return false;
    if (!this.#follower.hierarchy.root.visible || !this.#isAllowed(object)) return false;
    const { material } = object as Mesh;
    if (!isUncut(this.#entries.measured.getBox(id, this.#box), (material as Material).clippingPlanes)) return false;
    return !object.frustumCulled || object.intersectsFrustum(pass.frustum);
  };

  #takeHidden(view: CameraOcclusion, seen: IdList): void {
    const { ids, length } = seen;
    const mayHide = this.#mayHide.words;
    const visible = view.visible.words;
    const { hidden } = view;
    hidden.reserve(length);
    let n = 0;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const word = id >>> 5;
      // Beyond the end of an array the word is undefined, which bitwise operators take as 0.
      if ((mayHide[word] & ~visible[word] & (1 << (id & 31))) === 0) ids[n++] = id;
      else hidden.ids[hidden.length++] = id;
    }
    seen.length = n;
  }

  #count(view: CameraOcclusion, seen: IdList, isBatched: boolean): void {
    const { ids, length } = view.hidden;
    let { hiddenTriangles } = view;
    for (let i = 0; i < length; i++) hiddenTriangles += this.#state.triangles[ids[i]];
    const occluderTriangles = view.drawn.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0);
    const looks = seen.length + length + view.instanceLooks;
    view.payoff.note(
      length * (isBatched ? WEIGHTS.batched : 1) + hiddenTriangles * WEIGHTS.triangle,
      view.drawn.length * WEIGHTS.occluder + occluderTriangles * WEIGHTS.occluderTriangle + looks * WEIGHTS.look,
    );
    view.instanceLooks = view.hiddenTriangles = 0;
  }

  #hiderIn(view: CameraOcclusion): PartHider {
    const { records } = this.#follower.hierarchy;
    return {
      found: view.found,
      mayHideIn: (object) => this.#mayHide.has(records.get(object)?.id ?? -1),
      isHidden: (box) => this.#buffer.of(view)?.isHidden(box, 0) === true,
      note: (looks, hiddenTriangles) => {
        view.instanceLooks += looks;
        view.hiddenTriangles += hiddenTriangles;
      },
    };
  }

  explain(object: Object3D, camera: Camera): string | null {
    const { whyNothing = null, hidden = [] } = this.#cameras.get(camera) ?? {};
    if (whyNothing !== null) return `It is drawn, and so is everything behind others in this picture: ${whyNothing}.`;
    const id = this.#follower.hierarchy.records.get(object)?.aggregate?.id ?? -1;
    if (id >= 0 && [...hidden].includes(id)) return 'It is hidden behind others.';
    const why = this.#isAllowed(object) ? whyNeverHidden(object) : 'index.occlude left it out';
    return why === null ? null : `It is always drawn, even behind others: ${why}.`;
  }

  bufferOf(camera: Camera): OcclusionSnapshot | null {
    const view = this.#cameras.get(camera);
    const buffer = view?.isFound ? this.#buffer.of(view) : null;
    if (!view || buffer === null) return null;
    const { width, height, near } = buffer;
    const occluders = view.drawn.map((one) => ({ object: one.record.object, world: worldOf(one) }));
    const { objects } = this.#entries.byId;
    const hidden = Array.from(view.hidden, (id) => objects[id]).filter((object) => object !== null);
    return { width, height, near, occluders, hidden };
  }

  /** False for an object that `index.occlude` excepts. */
  #isAllowed(object: Object3D): boolean {
    const record = this.#follower.hierarchy.recordOf(object);
    return record === undefined || (ruleFor(record, this.#marks) ?? true);
  }
}

const NO_MEMORY = 'there is no memory for its depth buffer';
const UNKNOWN_CAMERA = 'its camera, or its clipping planes, are of a kind for which nothing can be promised';

/** Why no object is hidden in a pass whose draws have these flags; null if objects may be hidden. */
function whyNotWith(flags: number, { renderer }: Pass): string | null {
  if ((flags & DISTURBS) !== 0) return DISTURBED;
  if ((flags & UNTESTED) !== 0 && renderer.isWebGLRenderer !== true) return DISTURBED;
  return (flags & TRANSMITS) !== 0 ? whyNotBehindGlass(renderer) : null;
}

function isUncut(b: Float64Array, planes: readonly Plane[] | null): boolean {
  if (!planes?.length) return true;
  const reach = b.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return planes.every(({ normal: { x, y, z }, constant }) => {
    const least = x * b[x > 0 ? 0 : 3] + y * b[y > 0 ? 1 : 4] + z * b[z > 0 ? 2 : 5] + constant;
    return least > CLIP_ERROR * (3 * reach + Math.abs(constant));
  });
}
