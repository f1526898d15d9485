import { type Camera, type Intersection, Object3D, type Raycaster, type Scene } from 'three';
import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { lazy } from '../core/lazy.js';
import { Packed } from '../packed/Packed.js';
import { PassDetector } from '../passes/PassDetector.js';
import { isLimit } from '../scene/DrawLimits.js';
import { claimIndex, releaseIndex } from '../scene/follow/Entries.js';
import { replacedUpdates } from '../scene/follow/Motion.js';
import { areMoreThan } from '../scene/objects/areMoreThan.js';
import { describeError } from '../scene/objects/checks.js';
import { filteredRaycasts, replaceMethod } from '../scene/objects/methods.js';
import { type PartsSource, SceneParts } from '../scene/SceneParts.js';
import type { Settings } from './AccelerateOptions.js';
import type { Prospects } from './Prospects.js';
import { keepFast, RenderSession } from './RenderSession.js';
import { type SceneCasts, watchCasts } from './ScenePicking.js';

/**
 * What the index must spare, by what it costs, to be made, and how often over: each look counts as much as it finds
 * to be spared. A camera turns, and engines take longer over objects that once had other properties: waking in vain costs.
 */
const WORTH = 1.5;
const CONFIRMED = 10;
/** Looks in a row that have to find that it spares less than it costs until it is given up. */
const PATIENCE = 4;
/**
 * Casts without a picture between them take about as long as making the index when there have been so many: a page that
 * draws on demand may cast at each move of the pointer, and draw nothing. With fewer objects, none is made for casts.
 */
const CASTS = 32;
const FEWEST_CAST_AT = 500;

/**
 * Makes the index of an accelerated scene when it pays, and gives it up when it does not.
 *
 * | state | what there is | leaves it |
 * | --- | --- | --- |
 * | at rest | the scene as three made it, but for two methods: one counts pictures, one counts casts | when an index would pay, by {@link Prospects}: waking; after many casts without a picture: awake; when something is asked of the index: awake for good |
 * | waking | besides, a method in the place of the scene's matrix update, and an index of a part of the scene, which grows with each update | when that is the whole scene: awake |
 * | awake | index and {@link RenderSession} | when it has not paid for some time: at rest |
 * | awake for good | the same | never |
 *
 * So whatever was asked of an index still holds while there is one: only one that nobody asked is given up. At rest and
 * while it wakes, a scene is drawn by three alone: no picture is drawn from an index that does not know all matrices. A
 * question asked then is answered by the world matrices as they are, which three would draw.
 */
export class Standby implements PartsSource, SceneCasts {
  readonly #scene: Scene;
  readonly #structure: SpatialIndex;
  readonly #settings: Settings;
  readonly #detector: PassDetector;
  /** Null until the code for it is there; until then the scene is at rest. */
  #prospects: Prospects | null = null;
  /** Casts at the scene at rest since the last picture, and how many of them make the index. */
  #casts = 0;
  #enoughCasts = CASTS;
  #parts: SceneParts | null = null;
  /** Those of a part of the scene, while it wakes. */
  #growing: SceneParts | null = null;
  #session: RenderSession | null = null;
  /** Takes the hooks off the scene: those of all states but the last, those at rest, and that of waking. */
  #unhook = NOTHING;
  #unhookRest = NOTHING;
  #unhookWaking = NOTHING;
  readonly #unwatch: () => void;
  #isAwakeForGood = false;
  /** Of looks in a row that were for another state. */
  #votes = 0;
  /** When it was disposed of, in words; null while it is in use. */
  #end: string | null = null;
  readonly #steps: (() => void)[] = [];

  constructor(scene: Scene, structure: SpatialIndex, settings: Settings) {
    this.#scene = scene;
    this.#structure = claimIndex(structure, 'SceneIndex.structure');
    this.#settings = settings;
    this.#detector = new PassDetector(scene);
    const { cullCasters, occlusion, limits, batching } = settings;
    const isExplicit = cullCasters || occlusion !== null || isLimit(limits) || batching.atLeast > 0;
    if (settings.standby && !isExplicit) {
      const { parent } = scene;
      parent?.updateWorldMatrix(true, false);
      scene.updateMatrixWorld(parent !== null);
      this.#hook();
      this.#rest();
    } else {
      this.#isAwakeForGood = true;
      this.#wake((parts) => parts.update());
    }
    this.#unwatch = watchCasts(scene, this);
  }

  /** The structure, also while it holds nothing. */
  get structure(): SpatialIndex {
    return this.#parts?.entries.measured ?? this.#structure;
  }

  get parts(): SceneParts {
    if (this.#parts !== null) return this.#parts;
    return this.#end === null ? this.open('accelerate') : this.#emptyParts();
  }

  open(where: string): SceneParts {
    if (this.#end === null && this.#parts === null) {
      this.#unhook();
      this.#unhook = NOTHING;
      this.#giveUpWaking();
      this.#wake((parts) => parts.follower.processEarly());
    }
    this.#isAwakeForGood = true;
    // Parts that were disposed of throw.
    return this.parts.open(where);
  }

  forCast(isLarge: boolean): SceneParts | null {
    if (this.#parts === null && this.#end === null && isLarge) this.#countCast();
    return this.#parts;
  }

  castBelow(top: Object3D, raycaster: Raycaster, hits: Intersection[]): boolean {
    if (this.#parts === null) this.forCast(top === this.#scene || areMoreThan([top], FEWEST_CAST_AT));
    return this.#session?.picking.castBelow(top, raycaster, hits) === true;
  }

  mayHit(list: Object3D[], raycaster: Raycaster, isDeep: boolean): Object3D[] {
    return this.#session?.picking.mayHit(list, raycaster, isDeep) ?? list;
  }

  /** Draws the meshes of a subtree in batches, or not; false for one that is not followed. */
  setBatched(object: Object3D, isBatched: boolean): boolean {
    return this.#session?.setBatched(object, isBatched) === true;
  }

  /** Runs a step when the index is disposed of. */
  onDispose(step: () => void): void {
    this.#steps.push(step);
  }

  dispose(when = ''): void {
    if (this.#end !== null) return;
    this.#end = when;
    for (const step of this.#steps) step();
    this.#giveUpWaking();
    if (this.#parts === null) releaseIndex(this.#structure);
    else this.#parts.dispose(when);
    this.#unhookRest();
    this.#unhook();
    this.#unwatch();
    this.#detector.remove();
  }

  /**
   * Has the session of an index serve renderers and raycasters.
   * @param begin Makes the entries, by an update or as things are.
   * @param grown The index, if the scene was waking.
   * @throws with everything as it was.
   */
  #wake(begin: (parts: SceneParts) => void, grown: SceneParts | null = null): void {
    this.#unhookRest();
    this.#unhookRest = NOTHING;
    let parts = grown;
    if (parts === null) releaseIndex(this.#structure);
    try {
      parts ??= new SceneParts(this.#scene, this.#structure, 'followed');
      begin(parts);
      const session = new RenderSession(this.#scene, parts, this.#settings, this.#detector);
      session.install();
      this.#session = session;
    } catch (error) {
      parts?.dispose();
      this.#detector.remove();
      if (!this.#isAwakeForGood) {
        claimIndex(this.#structure, 'SceneIndex.structure');
        this.#rest();
      }
      throw error;
    }
    this.#parts = parts;
    this.#votes = 0;
    this.#prospects?.watchIndex();
  }

  /** Gives the index up. */
  #sleep(): void {
    this.#parts?.dispose();
    this.#parts = this.#session = null;
    this.#votes = 0;
    claimIndex(this.#structure, 'SceneIndex.structure');
    this.#prospects?.afterIndex();
    this.#enoughCasts *= 4;
    this.#rest();
  }

  /** Watches the ends of pictures, as long as the index may come and go. */
  #hook(): void {
    const scene = this.#scene as unknown as { onAfterRender: Hook };
    const before = scene.onAfterRender;
    const after = (camera: Camera): void => this.#afterPicture(camera);
    this.#unhook = replaceMethod(scene, 'onAfterRender', function (renderer, rendered, camera, target) {
      after(camera);
      before.call(this, renderer, rendered, camera, target);
    });
  }

  /** Counts casts while there is no index; one that wants the first hit alone needs it. */
  #rest(): void {
    const scene = this.#scene;
    const own = Object.hasOwn(scene, 'raycast') ? scene.raycast : null;
    const needsIndex = (raycaster: Raycaster): boolean => this.#noteCast(raycaster);
    const raycast = function (this: Object3D, raycaster: Raycaster, hits: Intersection[]): unknown {
      // The method that the scene has with an index calls its own as well.
      if (needsIndex(raycaster)) return scene.raycast(raycaster, hits);
      return (own ?? Object.getPrototypeOf(this).raycast).call(this, raycaster, hits);
    };
    filteredRaycasts.set(raycast, own);
    this.#unhookRest = replaceMethod(scene, 'raycast', raycast as Scene['raycast']);
    keepFast(scene);
  }

  #noteCast(raycaster: Raycaster): boolean {
    if (this.#parts !== null || this.#end !== null) return false;
    if ((raycaster as { firstHitOnly?: boolean }).firstHitOnly === true) this.open('accelerate');
    else this.#countCast();
    return this.#parts !== null;
  }

  /** Counts a cast at the scene at rest, and makes the index if there have been many since the last picture. */
  #countCast(): void {
    const mayWake = this.#unhook !== NOTHING;
    if (++this.#casts % this.#enoughCasts !== 0 || !mayWake || !areMoreThan([this.#scene], FEWEST_CAST_AT)) return;
    try {
      this.#giveUpWaking();
      this.#wake((parts) => parts.follower.processEarly());
    } catch (error) {
      this.#stayAtRest(error);
    }
  }

  #afterPicture(camera: Camera): void {
    if (this.#isAwakeForGood || this.#end !== null) return;
    const casts = this.#casts;
    this.#casts = 0;
    const code = estimates();
    if (code === null) return;
    this.#prospects ??= new code.Prospects(this.#scene, this.#settings.isBatched);
    const worth = this.#prospects.afterPicture(camera, casts, this.#session?.batchCount ?? null);
    if (worth === null) return;
    const isAtRest = this.#parts === null;
    const isForChange = isAtRest ? worth > WORTH : worth < 1;
    if (!isForChange) this.#votes = 0;
    else if (isAtRest) {
      this.#votes += Math.floor(worth);
      if (this.#votes >= CONFIRMED) this.#wakeWithUpdates();
    } else if (++this.#votes >= PATIENCE && !this.#session?.isRendering) this.#sleep();
    else this.#prospects.hurry();
  }

  /** Has updates of the scene's matrices make the index from now on. */
  #wakeWithUpdates(): void {
    // Too few updates came since the last look.
    if (this.#unhookWaking !== NOTHING) return;
    const scene = this.#scene;
    const before = scene.updateMatrixWorld;
    const update = (force = false): void => {
      // Methods that wrap this one may outlive it.
      if (this.#unhookWaking === NOTHING || !this.#grow(force)) before.call(scene, force);
    };
    replacedUpdates.set(update, before);
    this.#unhookWaking = replaceMethod(scene, 'updateMatrixWorld', update);
  }

  /**
   * Does an update, by what there is of the index, which grows by it.
   * @returns false, with a warning and without an update, for a scene that cannot have an index.
   */
  #grow(force: boolean): boolean {
    try {
      if (this.#growing === null) {
        releaseIndex(this.#structure);
        this.#growing = new SceneParts(this.#scene, this.#structure, 'waiting');
      }
      if (this.#growing.follower.grow(this.#prospects?.slice ?? 0, force)) return true;
      const parts = this.#growing;
      this.#growing = null;
      this.#unhookWaking();
      this.#unhookWaking = NOTHING;
      this.#wake(() => {}, parts);
    } catch (error) {
      this.#giveUpWaking();
      this.#stayAtRest(error);
      return false;
    }
    this.#scene.updateMatrixWorld(force);
    return true;
  }

  /** Never wakes by itself again, as the scene cannot have an index: whoever asks for it gets the error. */
  #stayAtRest(error: unknown): void {
    console.warn(`accelerate: falling back to plain three: ${describeError(error)}`);
    this.#unhook();
    this.#unhook = NOTHING;
  }

  /** Leaves the scene as it is at rest. */
  #giveUpWaking(): void {
    this.#unhookWaking();
    this.#unhookWaking = NOTHING;
    if (this.#growing === null) return;
    this.#growing.dispose();
    this.#growing = null;
    claimIndex(this.#structure, 'SceneIndex.structure');
  }

  /** The parts of an index that was disposed of before it was made. */
  #emptyParts(): SceneParts {
    const parts = new SceneParts(new Object3D(), new Packed(), 'followed');
    parts.dispose(this.#end as string);
    return parts;
  }
}

type Hook = (this: Scene, renderer: unknown, scene: Scene, camera: Camera, target: unknown) => void;

const estimates = lazy(() => import('./Prospects.js'));

const NOTHING = (): void => {};
