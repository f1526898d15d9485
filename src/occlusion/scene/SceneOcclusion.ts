import {
  type Camera,
  type InstancedMesh,
  type Layers,
  type Material,
  type Mesh,
  type Object3D,
  Plane,
  type Scene,
} from 'three';
import { BOX } from '../../core/box.js';
import { IdList, IdSet } from '../../core/ids.js';
import type { ActiveRender } from '../../passes/ActiveRenders.js';
import { farthestFromOrigin, viewHeight } from '../../passes/batchOrigin.js';
import type { OcclusionReport } from '../../passes/OcclusionReport.js';
import type { PartHider, SceneRenderer } from '../../passes/Pass.js';
import { WEIGHTS } from '../../passes/Payoff.js';
import type { Entries } from '../../scene/follow/Entries.js';
import type { SceneFollower } from '../../scene/follow/SceneFollower.js';
import { isAggregate, maskOf, type ObjectRecord } from '../../scene/objects/ObjectRecord.js';
import { ruleFor } from '../../scene/objects/ruleFor.js';
import type { OcclusionBuffer } from '../OcclusionBuffer.js';
import type { OcclusionSettings } from '../OcclusionView.js';
import { BoxRuns, queryVisible } from '../walk/queryVisible.js';
import { DISTURBS, flagsOf, HiddenState, IN_WORLD, TRANSMITS, UNTESTED } from './HiddenState.js';
import { isInPlace } from './InstanceOccluders.js';
import { LastPictures } from './LastPictures.js';
import { type Candidate, Occluders, type OcclusionSizes } from './Occluders.js';
import { type AskedPicture, askedPicture, FINEST, type Picture, pictureOf } from './pictureOf.js';
import { whyHidesNothing } from './rules.js';
import { drawOccluder, isUnchanged, makeView, occluderOf, type View, ViewBuffer } from './View.js';

export { probeOf } from './probe.js';

import { NARROWEST, TILE, TOO_SMALL, whyNotInPass, whyNotSampled } from './whyNotInPass.js';

/** What is seen of a scene: in a camera's pass, or by whoever asks `SceneIndex.cull`. */
export interface Sight {
  readonly camera: Camera;
  readonly layers: Layers;
  /** Null where it is not known who draws. */
  readonly renderer: SceneRenderer | null;
  /** What the renderer tests listed objects against once more; null where nobody does. */
  readonly frustum: Parameters<Object3D['intersectsFrustum']>[0] | null;
  /** The planes of the frustum in the world, one array for each view of an `ArrayCamera`. */
  readonly views: readonly Float64Array[];
  /** A number that changes when any world matrix does. */
  readonly changes: number;
  /** What is not drawn though it is in view, as it is small or far away; null where all is. */
  readonly limited: { isLeftOut(id: number): boolean } | null;
}

/** An occluder that brought fewer pixels nearer was of no use. */
const USEFUL = 8;
/** Share of all coordinates by which shaders may be off where clipping planes cut. */
const CLIP_ERROR = 2 ** -18;

/** A pass that is to be given what is not hidden. */
interface Wanted {
  readonly view: View;
  readonly picture: Picture;
}

/**
 * Leaves out of a camera's passes, and of what `SceneIndex.cull` returns, what cannot be seen, as it is behind what the same
 * pass draws.
 *
 * For each: (1) everything in the frustum is asked whether it may be hidden, and whether it lets others be hidden; (2)
 * occluders are drawn into a small buffer that errs on the side of what is seen; (3) what lies behind that is left out. Only (1)
 * is done while camera, scene and occluders are as they were.
 */
export class SceneOcclusion {
  readonly #entries: Entries;
  readonly #follower: SceneFollower;
  readonly #occluders: Occluders;
  readonly #state: HiddenState;
  /** Subtrees that neither hide nor are hidden, or do again. */
  readonly #marks: WeakMap<Object3D, boolean>;
  /** Of cameras that draw, and of those that `SceneIndex.cull` was asked about. */
  readonly #views = new WeakMap<Camera, View>();
  readonly #askedViews = new WeakMap<Camera, View>();
  /** Of each camera, the one of its two views that was used last. */
  readonly #lastViews = new WeakMap<Camera, View>();
  #isBusy = false;
  readonly #buffer = new ViewBuffer();
  #finds = 0;
  readonly report: OcclusionReport;
  #wanted: Wanted | null = null;
  readonly #mayHide = new IdSet();
  readonly #runs = new BoxRuns();
  readonly #list = new IdList();
  readonly #box = new Float64Array(BOX);

  constructor(entries: Entries, follower: SceneFollower, marks: WeakMap<Object3D, boolean>) {
    this.#entries = entries;
    this.#follower = follower;
    this.#marks = marks;
    this.#occluders = new Occluders(entries, (id) => this.#state.forget(id));
    this.#state = new HiddenState(
      entries.byId,
      (object) => this.#isAllowed(object),
      (id) => entries.measured.getBox(id, this.#box),
    );
    this.report = new LastPictures({
      entries,
      follower,
      lastViews: this.#lastViews,
      buffer: this.#buffer,
      isAllowed: (object) => this.#isAllowed(object),
    });
  }

  dispose(): void {
    this.#occluders.dispose();
  }

  /** False for what `index.occlude` excepts. */
  #isAllowed(object: Object3D): boolean {
    return ruleFor(object, this.#marks) ?? true;
  }

  /** To be called when a mark changed. */
  noteMarks(): void {
    this.#state.forgetAll();
  }

  /** True when what is hidden in a pass is to be found, however much is in view; then `cull` finds it. */
  begin({ renderer, camera, passes }: ActiveRender, scene: Scene, sizes: OcclusionSizes): boolean {
    this.#wanted = null;
    if (passes !== 1) return false;
    const view = this.#viewOf(camera, this.#views, sizes);
    const picture = pictureOf(renderer);
    view.whyNothing = whyNotInPass(renderer, camera, scene, picture);
    if (view.whyNothing !== null || picture === null || !view.payoff.begin()) return false;
    this.#wanted = { view, picture };
    return true;
  }

  /**
   * Takes what is hidden out of a list of what is in the frustum of a pass.
   * @param always What has to be listed wherever it is.
   * @returns what finds hidden parts of what is left; null where nothing is hidden.
   */
  cull(pass: Sight, seen: IdList, always: ReadonlySet<ObjectRecord>, isBatched: boolean): PartHider | null {
    if (this.#wanted === null) return null;
    const { view, picture } = this.#wanted;
    if (seen.length < FEWEST && !this.#hasInstances(seen)) return null;
    if (!this.#cullIn(view, pass, picture, seen, always, isBatched)) return null;
    this.#count(view, seen, isBatched);
    return this.#hiderIn(view);
  }

  #hasInstances({ ids, length }: IdList): boolean {
    const { records } = this.#entries.byId;
    for (let i = 0; i < length; i++) if (records[ids[i]]?.hasInstances) return true;
    return false;
  }

  #hiderIn(view: View): PartHider {
    const { records } = this.#follower.hierarchy;
    return {
      found: view.found,
      mayHideIn: (object) => isIn(this.#mayHide, records.get(object)?.id ?? -1),
      isHidden: (box) => this.#buffer.with(view)?.isHidden(box, 0) === true,
      note: (looks, hiddenTriangles) => {
        view.instanceLooks += looks;
        view.hiddenTriangles += hiddenTriangles;
      },
    };
  }

  /** Takes what is hidden out of a list of what is in the frustum of a camera, for whoever draws that. */
  cullAsked(
    camera: Camera,
    views: readonly Float64Array[],
    asked: AskedPicture & { readonly sizes: OcclusionSizes },
    seen: IdList,
    always: ReadonlySet<ObjectRecord>,
    limited: Sight['limited'],
  ): void {
    // A getter of an object may have asked.
    if (this.#isBusy) return;
    const renderer = asked.renderer as SceneRenderer | null;
    const { hierarchy, changes } = this.#follower;
    const view = this.#viewOf(camera, this.#askedViews, asked.sizes);
    const picture = askedPicture(asked, camera, asked.sizes.width);
    view.whyNothing = whyNotInPass(renderer, camera, hierarchy.root as Scene, picture);
    if (view.whyNothing !== null || picture === null) return;
    const sight: Sight = { camera, layers: camera.layers, renderer, frustum: null, views, changes, limited };
    this.#cullIn(view, sight, picture, seen, always, false);
  }

  #cullIn(
    view: View,
    sight: Sight,
    picture: Picture,
    seen: IdList,
    always: ReadonlySet<ObjectRecord>,
    isBatched: boolean,
  ): boolean {
    this.#isBusy = true;
    try {
      this.#occluders.update();
      // Instances, batches, and other renderers multiply by matrices of the world in programs.
      view.isBatched = isBatched;
      view.isInWorld = isBatched || this.#occluders.instanced.size > 0 || sight.renderer?.isWebGLRenderer !== true;
      view.whyNothing = this.#askAll(view, sight, picture, seen, always);
      if (view.whyNothing !== null) return false;
      if (!this.#isAsBefore(view, sight, picture) && !this.#find(view, sight, picture)) return false;
      this.#leaveOut(view, seen);
      view.isFound = true;
      return true;
    } finally {
      this.#isBusy = false;
    }
  }

  /** What is kept for a camera, for a new picture. */
  #viewOf(camera: Camera, views: WeakMap<Camera, View>, sizes: OcclusionSizes): View {
    let view = views.get(camera);
    if (view === undefined) {
      view = makeView(sizes);
      views.set(camera, view);
    }
    view.sizes = sizes;
    view.hidden.length = 0;
    view.isFound = false;
    this.#lastViews.set(camera, view);
    return view;
  }

  /** Finds what may be hidden of all in the frustum; returns why nothing may be. */
  #askAll(view: View, sight: Sight, picture: Picture, seen: IdList, always: ReadonlySet<ObjectRecord>): string | null {
    const state = this.#state;
    const mayHide = this.#mayHide;
    const others = this.#list;
    let all = 0;
    state.beginPicture();
    mayHide.clear();
    state.sort(seen, mayHide, others);
    for (let i = 0; i < others.length; i++) {
      const id = others.ids[i];
      if (isShown(this.#entries.byId.objects[id] as Object3D, sight)) all |= state.flagsAt(id);
    }
    for (const { id, object } of always) {
      if (id >= 0) removeFrom(mayHide, id);
      else if (isShown(object, sight)) all |= flagsOf(object);
    }
    for (const { object } of this.#entries.quarantined) if (isShown(object, sight)) all |= flagsOf(object);
    for (const object of this.#follower.hierarchy.excluded) {
      object.traverse((below) => {
        if (isShown(below, sight)) all |= flagsOf(below);
      });
    }
    if ((all & IN_WORLD) !== 0) view.isInWorld = true;
    if ((all & DISTURBS) !== 0) return DISTURBED;
    if ((all & UNTESTED) !== 0 && sight.renderer?.isWebGLRenderer !== true) return DISTURBED;
    return (all & TRANSMITS) !== 0
      ? (whyNotSampled(sight.renderer, true) ?? this.#whyTooSmall(view, picture, true))
      : null;
  }

  #whyTooSmall(view: View, picture: Picture, isTransmissive: boolean): string | null {
    return this.#widthFor(view, picture, isTransmissive) < NARROWEST ? TOO_SMALL : null;
  }

  /** The width of the buffer for a picture. */
  #widthFor({ sizes }: View, { width, transmissionScale }: Picture, isTransmissive: boolean): number {
    const least = width * (isTransmissive ? Math.min(1, transmissionScale) : 1);
    return TILE * Math.floor(Math.min(sizes.width, least / FINEST) / TILE);
  }

  /** True when what was found for the last picture of a camera holds for this one, too. */
  #isAsBefore(view: View, sight: Sight, picture: Picture): boolean {
    const { camera } = sight;
    const { key, sizes } = view;
    let isSame = true;
    let at = 0;
    const note = (value: number): void => {
      isSame &&= key[at] === value;
      key[at++] = value;
    };
    for (let i = 0; i < 16; i++) note(camera.projectionMatrix.elements[i]);
    for (let i = 0; i < 16; i++) note(camera.matrixWorldInverse.elements[i]);
    note(picture.width);
    note(picture.height);
    note(this.#entries.version);
    note(this.#occluders.version);
    note(sight.changes);
    note(sight.layers.mask);
    note(Number(picture.hasShortDepth));
    note(Number(picture.isLogarithmic));
    note(picture.clippingPlanes.length);
    note(Number(view.isInWorld));
    note(Number(view.isBatched));
    note(sizes.width);
    note(sizes.maxOccluders);
    note(sizes.maxTriangles);
    return isSame && picture.clippingPlanes.length === 0 && this.#occludersRest(view, sight);
  }

  /** True when the occluders of the last picture would be drawn as they were, and no others. */
  #occludersRest({ drawn, useless, refused }: View, sight: Sight): boolean {
    return (
      drawn.every((occluder) => this.#mayDraw(occluder, sight) && isUnchanged(occluder)) &&
      useless.every(isUnchanged) &&
      !refused.some((candidate) => this.#mayDraw(candidate, sight))
    );
  }

  /** Draws occluders, and finds what they hide; false when nothing can be said. */
  #find(view: View, sight: Sight, picture: Picture): boolean {
    view.width = this.#widthFor(view, picture, false);
    view.height = Math.max(TILE, TILE * Math.floor((view.width * picture.height) / picture.width / TILE));
    const buffer = this.#buffer.begin(view);
    view.found = ++this.#finds;
    view.drawn.length = view.useless.length = view.refused.length = 0;
    view.settings = this.#settingsOf(sight.camera, picture, view);
    if (!buffer?.begin(view.settings)) {
      view.key.fill(Number.NaN);
      view.whyNothing =
        buffer === null
          ? 'there is no memory for its depth buffer'
          : 'its camera, or its clipping planes, are of a kind for which nothing can be promised';
      return false;
    }
    this.#draw(view, sight, buffer);
    buffer.end();
    view.visible.clear();
    view.visible.addAll(queryVisible(this.#entries.measured, sight.views[0], buffer, this.#list, this.#runs));
    return true;
  }

  #settingsOf(camera: Camera, picture: Picture, { isInWorld, isBatched }: View): OcclusionSettings {
    const { near = 0, far = 0 } = camera as { near?: number; far?: number };
    const { projectionMatrix, matrixWorldInverse, reversedDepth, coordinateSystem } = camera;
    const { elements } = projectionMatrix;
    const fromOrigin = isBatched ? farthestFromOrigin(elements) : 0;
    const sections: number[] = [];
    for (const given of picture.clippingPlanes) {
      const { normal, constant } = plane.copy(given).applyMatrix4(matrixWorldInverse);
      sections.push(normal.x, normal.y, normal.z, constant);
    }
    return {
      projection: Float64Array.from(elements),
      view: Float64Array.from(matrixWorldInverse.elements),
      depth: reversedDepth ? 'reversed' : coordinateSystem === WEBGL ? 'gl' : 'gpu',
      pictureWidth: picture.width,
      pictureHeight: picture.height,
      depthBits: picture.hasShortDepth ? 16 : 24,
      logarithmic: picture.isLogarithmic ? { near, far } : null,
      inWorldSpace: isInWorld,
      magnitude: this.#magnitude() + (isBatched && elements[15] === 1 ? fromOrigin * viewHeight(elements) : 0),
      fromOrigin,
      sections,
    };
  }

  /** How far from the origin of the world meshes with instances, or bones, are. */
  #magnitude(): number {
    let most = this.#occluders.instanceTerms;
    for (const { object } of this.#occluders.instanced) {
      const { elements: e } = object.matrixWorld;
      most = Math.max(most, Math.abs(e[12]), Math.abs(e[13]), Math.abs(e[14]));
    }
    return most;
  }

  #draw(view: View, sight: Sight, buffer: OcclusionBuffer): void {
    const occluders = this.#occluders;
    const { maxOccluders, maxTriangles } = view.sizes;
    const [planes] = sight.views;
    const useful = new Set<Candidate>();
    for (const id of view.choice.make(occluders, planes, sight.camera, view.height, view.useful, view.sizes)) {
      if (buffer.occluders >= maxOccluders || buffer.triangles >= maxTriangles) break;
      // What is hidden hides nothing more.
      if (buffer.isHidden(occluders.boxes, BOX * id)) continue;
      const candidate = occluders.candidateAt(id);
      const occluder = this.#mayDraw(candidate, sight) ? occluderOf(candidate) : null;
      if (occluder === null) {
        view.refused.push(candidate);
        continue;
      }
      const nearer = drawOccluder(occluder, buffer);
      (nearer > 0 ? view.drawn : view.useless).push(occluder);
      if (nearer >= USEFUL) useful.add(candidate);
    }
    view.useful = useful;
  }

  /** True when something may hide others in a pass: it is drawn there, as a whole, and opaque. */
  #mayDraw({ record, instance }: Candidate, sight: Sight): boolean {
    const { object, parent, id } = record;
    if (id < 0 || !isShown(object, sight) || whyHidesNothing(object) !== null) return false;
    if (sight.limited?.isLeftOut(id)) return false;
    if (instance !== null && !isInPlace(instance, object as InstancedMesh)) return false;
    // The renderer comes to it with the scene, and not with what it draws as a whole.
    const { root } = this.#follower.hierarchy;
    let above = parent;
    for (; above !== null && above.object !== root; above = above.parent) {
      if (!above.object.visible || isAggregate(above.object)) return false;
    }
    if (above === null || !root.visible || !this.#isAllowed(object)) return false;
    const { material } = object as Mesh;
    if (!isWhole(this.#entries.measured.getBox(id, this.#box), (material as Material).clippingPlanes)) return false;
    return sight.frustum === null || !object.frustumCulled || object.intersectsFrustum(sight.frustum);
  }

  /** Takes what is hidden out of a list. */
  #leaveOut(view: View, seen: IdList): void {
    const { ids, length } = seen;
    const mayHide = this.#mayHide.words;
    const visible = view.visible.words;
    const hidden = view.hidden;
    hidden.length = 0;
    hidden.reserve(length);
    let n = 0;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const word = id >>> 5;
      // Beyond the end of an array it is undefined, which bitwise operators take as 0.
      if ((mayHide[word] & ~visible[word] & (1 << (id & 31))) === 0) ids[n++] = id;
      else hidden.ids[hidden.length++] = id;
    }
    seen.length = n;
  }

  #count(view: View, seen: IdList, isBatched: boolean): void {
    const { ids, length } = view.hidden;
    let { hiddenTriangles } = view;
    for (let i = 0; i < length; i++) hiddenTriangles += this.#state.triangles[ids[i]];
    let occluderTriangles = 0;
    for (const { mesh } of view.drawn) occluderTriangles += mesh.triangleCount;
    const looks = seen.length + length + view.instanceLooks;
    view.payoff.note(
      length * (isBatched ? WEIGHTS.batched : 1) + hiddenTriangles * WEIGHTS.triangle,
      view.drawn.length * WEIGHTS.occluder + occluderTriangles * WEIGHTS.occluderTriangle + looks * WEIGHTS.look,
    );
    view.instanceLooks = view.hiddenTriangles = 0;
  }
}

const WEBGL = 2000;
/** Fewer objects in the frustum are not worth a look, unless one of them is many. */
const FEWEST = 64;
const plane = /* @__PURE__ */ new Plane();

const DISTURBED = 'something in view has callbacks, writes the stencil, or depths that are farther';

/** True for an object that is drawn when the renderer comes to it. */
function isShown(object: Object3D, { layers }: Sight): boolean {
  return object.visible && (maskOf(object) & layers.mask) !== 0;
}

/** True when no plane cuts what lies in a box. */
function isWhole(b: Float64Array, planes: readonly Plane[] | null): boolean {
  if (!planes?.length) return true;
  const reach = b.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return planes.every(({ normal: { x, y, z }, constant }) => {
    const least = x * b[x > 0 ? 0 : 3] + y * b[y > 0 ? 1 : 4] + z * b[z > 0 ? 2 : 5] + constant;
    return least > CLIP_ERROR * (3 * reach + Math.abs(constant));
  });
}

function isIn({ words }: IdSet, id: number): boolean {
  return id >= 0 && (words[id >>> 5] & (1 << (id & 31))) !== 0;
}

function removeFrom({ words }: IdSet, id: number): void {
  if (id >>> 5 < words.length) words[id >>> 5] &= ~(1 << (id & 31));
}
