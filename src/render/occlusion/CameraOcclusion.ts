import type { InstancedMesh, Material, Mesh } from 'three';
import { BOX } from '../../core/box.js';
import { IdList, IdSet } from '../../core/ids.js';
import type { OccluderMesh } from '../../occlusion/OccluderMesh.js';
import { BACK, BOTH, FRONT, OcclusionBuffer } from '../../occlusion/OcclusionBuffer.js';
import type { OcclusionSettings } from '../../occlusion/OcclusionView.js';
import type { Pass } from '../../passes/Pass.js';
import { Payoff } from '../../passes/Payoff.js';
import { type ScreenView, screenViews } from '../../scene/ask/cameraViews.js';
import { isAsDrawn } from './InstanceOccluders.js';
import { type Candidate, MOST_OCCLUDERS, MOST_TRIANGLES, type Occluders, occluderMeshOf } from './Occluders.js';
import { bufferSize } from './occlusionSettings.js';

/** An occluder is of use if it brings at least this number of pixels nearer. */
const USEFUL = 8;
/** Number of pictures that use one choice of candidates. */
const PICTURES = 8;
/** Largest turn of the camera that keeps a choice, as a cosine. */
const TURN = 0.998;
/** Largest move of the camera that keeps a choice, as a share of the middle candidate's distance. */
const MOVE_STEP = 1 / 32;
/** Sizes on the screen that differ by at most this share count as the same. */
const SAME_SIZE = 2 ** -20;

/** An entry, or an instance of an entry, as it was drawn into the buffer. */
interface Occluder extends Candidate {
  readonly mesh: OccluderMesh;
  readonly side: number;
}

/** Objects hidden from a camera in its last picture, and the occluders that hid them. */
export class CameraOcclusion {
  readonly payoff: Payoff = new Payoff();
  /** All entries in the frustum that are not behind an occluder. */
  readonly visible: IdSet = new IdSet();
  readonly hidden: IdList = new IdList();
  /** Why hidden objects cannot be searched for; null if they can. */
  whyNothing: string | null = null;
  /** True when the last picture has a result of the search for hidden objects, even if none is hidden. */
  isFound = false;
  /** A new number each time that {@link visible} is computed, for any camera. */
  found = 0;
  /** Number of instances that were tested since the payoff was noted last. */
  instanceLooks = 0;
  /** Triangles of the hidden ones among the tested instances. */
  hiddenTriangles = 0;
  /** Occluders in the order in which they were drawn into the buffer. */
  drawn: Occluder[] = [];
  /** Candidates that were of use as occluders. */
  #useful = new Set<Candidate>();
  /** Occluders that brought no pixel nearer. */
  #useless: Occluder[] = [];
  /** Candidates whose turn came, but that may not hide other objects in the pass. */
  #refused: Candidate[] = [];
  /** The settings of the buffer when occluders were drawn last. */
  settings: OcclusionSettings | null = null;
  /** All values that {@link visible} depends on, besides the occluders; empty while it is invalid. */
  key: readonly unknown[] = [];
  readonly #choice = new Choice();
  readonly #mayDraw: (candidate: Candidate, pass: Pass) => boolean;

  /** @param mayDraw True when a candidate may hide other objects in a pass. */
  constructor(mayDraw: (candidate: Candidate, pass: Pass) => boolean) {
    this.#mayDraw = mayDraw;
  }

  beginPass(): void {
    this.hidden.length = 0;
    this.isFound = false;
  }

  /** True when the last result holds for this picture, too: the same occluders would be drawn in the same way. */
  isAsBefore(pass: Pass, key: readonly unknown[]): boolean {
    return (
      key.length === this.key.length &&
      key.every((one, i) => one === this.key[i]) &&
      this.drawn.every((occluder) => this.#mayDraw(occluder, pass) && isUnchanged(occluder)) &&
      this.#useless.every(isUnchanged) &&
      !this.#refused.some((candidate) => this.#mayDraw(candidate, pass))
    );
  }

  /** Draws occluders into a buffer; false when the buffer guarantees nothing. */
  draw(pass: Pass, settings: OcclusionSettings, occluders: Occluders, buffer: OcclusionBuffer): boolean {
    this.key = [];
    this.settings = settings;
    this.drawn = [];
    this.#useless = [];
    this.#refused = [];
    if (!buffer.beginPass(settings)) return false;
    const useful = new Set<Candidate>();
    for (const id of this.#choice.make(occluders, pass, buffer, this.#useful)) {
      if (buffer.occluders >= MOST_OCCLUDERS || buffer.triangles >= MOST_TRIANGLES) break;
      // A hidden occluder hides nothing more.
      if (buffer.isHidden(occluders.boxes, BOX * id)) continue;
      const candidate = occluders.candidates[id] as Candidate;
      const occluder = this.#mayDraw(candidate, pass) ? occluderOf(candidate) : null;
      if (occluder === null) {
        this.#refused.push(candidate);
        continue;
      }
      // The number of pixels that came nearer.
      const nearer = buffer.draw(occluder.mesh, worldOf(occluder), 0, occluder.side);
      (nearer > 0 ? this.drawn : this.#useless).push(occluder);
      if (nearer >= USEFUL) useful.add(candidate);
    }
    buffer.end();
    this.#useful = useful;
    return true;
  }
}

/** The buffer, which holds the occluders of one camera at a time. */
export class SharedBuffer {
  #buffer: OcclusionBuffer | null = null;
  #holder: CameraOcclusion | null = null;

  /** A buffer for a picture, to be drawn; null if there is no memory for it. */
  beginPass(holder: CameraOcclusion, settings: OcclusionSettings): OcclusionBuffer | null {
    const [width, height] = bufferSize(settings);
    if (this.#buffer?.width !== width || this.#buffer.height !== height)
      this.#buffer = OcclusionBuffer.create(width, height);
    this.#holder = holder;
    return this.#buffer;
  }

  /** The buffer as it was for the last picture of a camera; null without one, or without memory. */
  of(holder: CameraOcclusion): OcclusionBuffer | null {
    if (this.#holder === holder) return this.#buffer;
    const { settings, drawn } = holder;
    if (settings === null) return null;
    const buffer = this.beginPass(holder, settings);
    if (!buffer?.beginPass(settings)) return buffer;
    for (const one of drawn) buffer.draw(one.mesh, worldOf(one), 0, one.side);
    buffer.end();
    return buffer;
  }
}

/**
 * Candidates that may hide others from a camera, nearest first. Any choice is right, and a good one stays good for some
 * pictures. So it is made anew only every few pictures, or when the camera or the set of candidates has changed.
 */
class Choice {
  #ids: readonly number[] = [];
  #left = 0;
  #members = -1;
  #reach = 0;
  #view: ScreenView | null = null;

  make(
    occluders: Occluders,
    { camera, views }: Pass,
    { width, height }: OcclusionBuffer,
    useful: ReadonlySet<Candidate>,
  ): readonly number[] {
    const [view] = screenViews(camera, () => [width, height]);
    const isSame = this.#left-- > 0 && occluders.members === this.#members;
    if (isSame && this.#view !== null && this.#isNear(view, this.#view)) return this.#ids;
    this.#ids = occluders.choose(views[0], view, useful);
    const middle = this.#ids[this.#ids.length >> 1] ?? -1;
    this.#reach = view.isPerspective ? MOVE_STEP * occluders.distanceTo(middle, view) : 0;
    this.#view = view;
    this.#left = PICTURES - 1;
    this.#members = occluders.members;
    return this.#ids;
  }

  /** True for a view from about where the choice was made. */
  #isNear(view: ScreenView, then: ScreenView): boolean {
    const turn = view.fx * then.fx + view.fy * then.fy + view.fz * then.fz;
    const way = Math.hypot(view.x - then.x, view.y - then.y, view.z - then.z);
    return turn >= TURN && way <= this.#reach && Math.abs(view.perRadius / then.perRadius - 1) < SAME_SIZE;
  }
}

/** Sides by the numbers of `FrontSide`, `BackSide` and `DoubleSide`. */
const SIDES_DRAWN = [FRONT, BACK, BOTH];

/** The form in which a candidate is drawn; null for one without triangles. */
function occluderOf({ record, instance }: Candidate): Occluder | null {
  const { geometry, material } = record.object as Mesh;
  const mesh = occluderMeshOf(geometry);
  return mesh === null ? null : { record, instance, mesh, side: SIDES_DRAWN[(material as Material).side] };
}

/** True when an occluder still has the triangles and sides that were drawn, and an instance its matrix. */
function isUnchanged({ record, instance, mesh, side }: Occluder): boolean {
  if (instance !== null && !isAsDrawn(instance, record.object as InstancedMesh)) return false;
  const { geometry, material } = record.object as Mesh;
  return SIDES_DRAWN[(material as Material).side] === side && occluderMeshOf(geometry) === mesh;
}

export function worldOf({ record, instance }: Candidate): ArrayLike<number> {
  return instance?.world ?? record.object.matrixWorld.elements;
}
