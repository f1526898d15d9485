import type { InstancedMesh, Material, Mesh } from 'three';
import { IdList, IdSet } from '../../core/ids.js';
import { Payoff } from '../../passes/Payoff.js';
import type { OccluderMesh } from '../OccluderMesh.js';
import { BACK, BOTH, FRONT, OcclusionBuffer } from '../OcclusionBuffer.js';
import type { OcclusionSettings } from '../OcclusionView.js';
import { Choice } from './Choice.js';
import { isInPlace } from './InstanceOccluders.js';
import { type Candidate, type OcclusionSizes, occluderMeshOf } from './Occluders.js';

/** Two matrices, and sizes, layers, versions. */
const KEY = 47;

/** An entry, or an instance of one, as it was drawn into the buffer. */
export interface Occluder extends Candidate {
  readonly mesh: OccluderMesh;
  readonly side: number;
}

/** What is kept for a camera. */
export interface View {
  sizes: OcclusionSizes;
  readonly payoff: Payoff;
  readonly choice: Choice;
  /** Those that hid something, and all that were drawn into the buffer, in that order. */
  useful: Set<Candidate>;
  drawn: Occluder[];
  /** Those that were drawn in vain, and those that would have been drawn, but may not hide others. */
  useless: Occluder[];
  refused: Candidate[];
  /** What {@link visible} depends on, as of when it was made: numbers of camera and picture, then versions. */
  readonly key: Float64Array;
  /** Whether programs add up places in the world; else matrices of meshes are multiplied with that of the camera before. */
  isInWorld: boolean;
  /** Whether some of what is drawn is in batches. */
  isBatched: boolean;
  settings: OcclusionSettings | null;
  width: number;
  height: number;
  /** All in the frustum that is not behind anything. */
  readonly visible: IdSet;
  /** What was left out of the list. */
  readonly hidden: IdList;
  /** Why nothing was looked for; null where it was. */
  whyNothing: string | null;
  /** Another number for each time that {@link visible} was found, of any view. */
  found: number;
  /** Instances that were looked at since the last count, and the triangles of those that are hidden. */
  instanceLooks: number;
  hiddenTriangles: number;
  /** False for a last picture for which nothing was looked for, for whatever reason, a rest included. */
  isFound: boolean;
}

export function makeView(sizes: OcclusionSizes): View {
  return {
    sizes,
    payoff: new Payoff(),
    choice: new Choice(),
    useful: new Set(),
    drawn: [],
    useless: [],
    refused: [],
    key: new Float64Array(KEY).fill(Number.NaN),
    isInWorld: true,
    isBatched: false,
    settings: null,
    width: 0,
    height: 0,
    visible: new IdSet(),
    hidden: new IdList(),
    whyNothing: null,
    found: 0,
    instanceLooks: 0,
    hiddenTriangles: 0,
    isFound: false,
  };
}

/** What an entry is drawn as; null for one without triangles. */
export function occluderOf({ record, instance }: Candidate): Occluder | null {
  const { geometry, material } = record.object as Mesh;
  const mesh = occluderMeshOf(geometry);
  return mesh === null ? null : { record, instance, mesh, side: SIDES[(material as Material).side] };
}

/** True when an entry is drawn as it was. */
export function isUnchanged({ record, instance, mesh, side }: Occluder): boolean {
  if (instance !== null && !isInPlace(instance, record.object as InstancedMesh)) return false;
  const { geometry, material } = record.object as Mesh;
  return SIDES[(material as Material).side] === side && occluderMeshOf(geometry) === mesh;
}

/** The world matrix with which something is drawn: sixteen numbers. */
export function worldOf({ record, instance }: Candidate): ArrayLike<number> {
  return instance?.world ?? record.object.matrixWorld.elements;
}

/** Draws an occluder; returns how many pixels came nearer. */
export function drawOccluder(occluder: Occluder, buffer: OcclusionBuffer): number {
  return buffer.draw(occluder.mesh, worldOf(occluder), 0, occluder.side);
}

/** Draws some of the occluders of a view once more, into another buffer; false if nothing can be promised of them. */
export function redraw(buffer: OcclusionBuffer, view: View, isDrawn: (occluder: Occluder) => boolean): boolean {
  if (view.settings === null || !buffer.begin(view.settings)) return false;
  for (const occluder of view.drawn) if (isDrawn(occluder)) drawOccluder(occluder, buffer);
  buffer.end();
  return true;
}

/** The occluders of a view that hide a box; none for one that is beside the screen. */
export function hidersIn(view: View, box: Float64Array): Occluder[] {
  const buffer = OcclusionBuffer.create(view.width, view.height);
  if (buffer === null) return [];
  const isHiddenBy = (isDrawn: (occluder: Occluder) => boolean): boolean =>
    redraw(buffer, view, isDrawn) && buffer.isHidden(box, 0);
  if (isHiddenBy(() => false)) return [];
  // The last without which it would be seen hides most, as occluders come by distance.
  const needed = view.drawn.filter((one) => !isHiddenBy((other) => other !== one));
  if (needed.length > 0) return needed;
  const alone = view.drawn.find((one) => isHiddenBy((other) => other === one));
  return alone === undefined ? view.drawn : [alone];
}

/** By the numbers of `FrontSide`, `BackSide` and `DoubleSide`. */
const SIDES = [FRONT, BACK, BOTH];

/** The buffer, which holds one view at a time. */
export class ViewBuffer {
  #buffer: OcclusionBuffer | null = null;
  #held: View | null = null;

  /** A buffer for a view, to be drawn; null where there is no memory for it. */
  begin(view: View): OcclusionBuffer | null {
    const { width, height } = view;
    if (this.#buffer?.width !== width || this.#buffer.height !== height)
      this.#buffer = OcclusionBuffer.create(width, height);
    this.#held = view;
    return this.#buffer;
  }

  /** The buffer as it was for the last picture of a view. */
  with(view: View): OcclusionBuffer | null {
    const isHeld = this.#held === view;
    const buffer = this.begin(view);
    if (!isHeld && buffer !== null) redraw(buffer, view, () => true);
    return buffer;
  }
}
