import type { InstancedMesh, Material, Mesh } from 'three';
import { BOX } from '../../core/box.js';
import { IdList, IdSet } from '../../core/ids.js';
import type { OccluderMesh } from '../../occlusion/OccluderMesh.js';
import { BACK, BOTH, FRONT, OcclusionBuffer } from '../../occlusion/OcclusionBuffer.js';
import type { OcclusionSettings } from '../../occlusion/OcclusionView.js';
import type { Pass } from '../../passes/Pass.js';
import { Payoff } from '../../passes/Payoff.js';
import { type ScreenView, screenViews } from '../../scene/ask/cameraViews.js';
import { isInPlace } from './InstanceOccluders.js';
import { type Candidate, MOST_OCCLUDERS, MOST_TRIANGLES, type Occluders, occluderMeshOf } from './Occluders.js';
import { bufferSize } from './picture.js';

/** An occluder that brought fewer pixels nearer was of no use. */
const USEFUL = 8;
/** Pictures for which candidates are chosen at once. */
const PICTURES = 8;
/** A camera may turn by an angle of this cosine, and go this share of the distance of its middle candidate, until they are chosen anew. */
const TURN = 0.998;
const STEP = 1 / 32;
/** A share by which sizes on the screen may differ and count as the same. */
const ROUNDING = 2 ** -20;

/** An entry, or an instance of one, as it was drawn into the buffer. */
interface Occluder extends Candidate {
  readonly mesh: OccluderMesh;
  readonly side: number;
}

/** Objects hidden from a camera in its last picture, and those that hid them. */
export class CameraOcclusion {
  readonly payoff: Payoff = new Payoff();
  /** All in the frustum that is not behind anything. */
  readonly visible: IdSet = new IdSet();
  readonly hidden: IdList = new IdList();
  /** Why nothing was looked for; null where it was. */
  whyNothing: string | null = null;
  /** False for a last picture for which nothing was looked for, for whatever reason, a rest included. */
  isFound = false;
  /** Another number for each time that {@link visible} was found, of any camera. */
  found = 0;
  /** Instances that were looked at since the last count, and the triangles of those that are hidden. */
  instanceLooks = 0;
  hiddenTriangles = 0;
  /** Occluders in the order in which they were drawn into the buffer. */
  drawn: Occluder[] = [];
  /** Those that hid something, those that were drawn in vain, and those that would have been drawn, but may not hide others. */
  #useful = new Set<Candidate>();
  #useless: Occluder[] = [];
  #refused: Candidate[] = [];
  /** The last picture that was drawn. */
  settings: OcclusionSettings | null = null;
  /** All that {@link visible} depends on, besides what was drawn; empty where it means nothing. */
  key: readonly unknown[] = [];
  readonly #choice = new Choice();
  readonly #mayDraw: (candidate: Candidate, pass: Pass) => boolean;

  /** @param mayDraw True when something may hide others in a pass. */
  constructor(mayDraw: (candidate: Candidate, pass: Pass) => boolean) {
    this.#mayDraw = mayDraw;
  }

  begin(): void {
    this.hidden.length = 0;
    this.isFound = false;
  }

  /** True when what was found for the last picture holds for this one, too: the same occluders would be drawn as they were. */
  isAsBefore(pass: Pass, key: readonly unknown[]): boolean {
    return (
      key.length === this.key.length &&
      key.every((one, i) => one === this.key[i]) &&
      this.drawn.every((occluder) => this.#mayDraw(occluder, pass) && isUnchanged(occluder)) &&
      this.#useless.every(isUnchanged) &&
      !this.#refused.some((candidate) => this.#mayDraw(candidate, pass))
    );
  }

  /** Draws occluders into a buffer; false where nothing can be promised of it. */
  draw(pass: Pass, settings: OcclusionSettings, occluders: Occluders, buffer: OcclusionBuffer): boolean {
    this.key = [];
    this.settings = settings;
    this.drawn = [];
    this.#useless = [];
    this.#refused = [];
    if (!buffer.begin(settings)) return false;
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
      // Pixels that came nearer.
      const nearer = buffer.draw(occluder.mesh, worldOf(occluder), 0, occluder.side);
      (nearer > 0 ? this.drawn : this.#useless).push(occluder);
      if (nearer >= USEFUL) useful.add(candidate);
    }
    buffer.end();
    this.#useful = useful;
    return true;
  }
}

/** The buffer, which holds what one camera sees at a time. */
export class SharedBuffer {
  #buffer: OcclusionBuffer | null = null;
  #holder: CameraOcclusion | null = null;

  /** A buffer for a picture, to be drawn; null where there is no memory for it. */
  begin(holder: CameraOcclusion, settings: OcclusionSettings): OcclusionBuffer | null {
    const [width, height] = bufferSize(settings);
    if (this.#buffer?.width !== width || this.#buffer.height !== height)
      this.#buffer = OcclusionBuffer.create(width, height);
    this.#holder = holder;
    return this.#buffer;
  }

  /** The buffer as it was for the last picture of a camera. */
  of(holder: CameraOcclusion): OcclusionBuffer | null {
    if (this.#holder === holder) return this.#buffer;
    const { settings, drawn } = holder;
    if (settings === null) return null;
    const buffer = this.begin(holder, settings);
    if (!buffer?.begin(settings)) return buffer;
    for (const one of drawn) buffer.draw(one.mesh, worldOf(one), 0, one.side);
    buffer.end();
    return buffer;
  }
}

/**
 * Candidates that may hide others from a camera, nearest first. As any choice is right, and a good one is good for some
 * pictures, it is made anew only every few of them, or when the camera, or what there is to choose from, is another.
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
    this.#reach = view.isPerspective ? STEP * occluders.distanceTo(middle, view) : 0;
    this.#view = view;
    this.#left = PICTURES - 1;
    this.#members = occluders.members;
    return this.#ids;
  }

  /** True for a view from about where the choice was made. */
  #isNear(view: ScreenView, then: ScreenView): boolean {
    const turn = view.fx * then.fx + view.fy * then.fy + view.fz * then.fz;
    const way = Math.hypot(view.x - then.x, view.y - then.y, view.z - then.z);
    return turn >= TURN && way <= this.#reach && Math.abs(view.perRadius / then.perRadius - 1) < ROUNDING;
  }
}

/** By the numbers of `FrontSide`, `BackSide` and `DoubleSide`. */
const SIDES = [FRONT, BACK, BOTH];

/** The form in which an entry is drawn; null for one without triangles. */
function occluderOf({ record, instance }: Candidate): Occluder | null {
  const { geometry, material } = record.object as Mesh;
  const mesh = occluderMeshOf(geometry);
  return mesh === null ? null : { record, instance, mesh, side: SIDES[(material as Material).side] };
}

/** True when an entry is drawn as it was. */
function isUnchanged({ record, instance, mesh, side }: Occluder): boolean {
  if (instance !== null && !isInPlace(instance, record.object as InstancedMesh)) return false;
  const { geometry, material } = record.object as Mesh;
  return SIDES[(material as Material).side] === side && occluderMeshOf(geometry) === mesh;
}

export function worldOf({ record, instance }: Candidate): ArrayLike<number> {
  return instance?.world ?? record.object.matrixWorld.elements;
}
