import type { Material, Mesh, Side } from 'three';
import { IdList, IdSet } from '../../core/ids.js';
import type { ObjectRecord } from '../../scene/objects/ObjectRecord.js';
import { createOcclusionBuffer } from '../createOcclusionBuffer.js';
import { BACK, BOTH, FRONT, type OcclusionBuffer } from '../OcclusionBuffer.js';
import type { OcclusionSettings } from '../OcclusionView.js';
import { occluderMeshOf } from './Occluders.js';
import { Payoff } from './Payoff.js';

/** What the user decides. */
export interface OcclusionSizes {
  readonly width: number;
  readonly maxOccluders: number;
  readonly maxTriangles: number;
}

/** Two matrices, and sizes, layers, versions. */
const KEY = 44;

/** What is kept for a camera. */
export interface View {
  sizes: OcclusionSizes;
  readonly payoff: Payoff;
  /** Those that hid something, and all that were drawn into the buffer, in that order. */
  useful: Set<ObjectRecord>;
  drawn: ObjectRecord[];
  /** What {@link visible} depends on, as of when it was made: numbers of camera and picture, then versions. */
  readonly key: Float64Array;
  settings: OcclusionSettings | null;
  width: number;
  height: number;
  /** All in the frustum that is not behind anything. */
  readonly visible: IdSet;
  /** What was left out of the list. */
  readonly hidden: IdList;
  /** Why nothing was looked for; null where it was. */
  whyNothing: string | null;
}

export function makeView(sizes: OcclusionSizes): View {
  return {
    sizes,
    payoff: new Payoff(),
    useful: new Set(),
    drawn: [],
    key: new Float64Array(KEY).fill(Number.NaN),
    settings: null,
    width: 0,
    height: 0,
    visible: new IdSet(),
    hidden: new IdList(),
    whyNothing: null,
  };
}

/** Draws an occluder; returns how many pixels came nearer. */
export function drawOccluder({ object }: ObjectRecord, buffer: OcclusionBuffer): number {
  const { geometry, material, matrixWorld } = object as Mesh;
  const mesh = occluderMeshOf(geometry);
  return mesh === null ? 0 : buffer.draw(mesh, matrixWorld.elements, 0, sideOf(material as Material));
}

/** Draws some of the occluders of a view once more, into another buffer; false if nothing can be promised of them. */
export function redraw(buffer: OcclusionBuffer, view: View, isDrawn: (record: ObjectRecord) => boolean): boolean {
  if (view.settings === null || !buffer.begin(view.settings)) return false;
  for (const record of view.drawn) if (isDrawn(record)) drawOccluder(record, buffer);
  buffer.end();
  return true;
}

/** The occluders of a view that hide a box; none for one that is beside the screen. */
export function hidersIn(view: View, box: Float64Array): ObjectRecord[] {
  const isHiddenBy = (isDrawn: (record: ObjectRecord) => boolean): boolean => {
    const buffer = createOcclusionBuffer(view.width, view.height);
    return redraw(buffer, view, isDrawn) && buffer.isHidden(box, 0);
  };
  if (isHiddenBy(() => false)) return [];
  // The last without which it would be seen hides most, as occluders come by distance.
  const needed = view.drawn.filter((one) => !isHiddenBy((other) => other !== one));
  if (needed.length > 0) return needed;
  const alone = view.drawn.find((one) => isHiddenBy((other) => other === one));
  return alone === undefined ? view.drawn : [alone];
}

function sideOf({ side }: { side: Side }): number {
  return SIDES[side];
}

/** By the numbers of `FrontSide`, `BackSide` and `DoubleSide`. */
const SIDES = [FRONT, BACK, BOTH];
