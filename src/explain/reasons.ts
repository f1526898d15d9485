import { type Camera, type InstancedMesh, type LOD, type Material, type Object3D, Vector3 } from 'three';
import { inWords } from '../core/options.js';
import { cameraPlanes, HYSTERESIS, viewsOf } from '../scene/ask/cameraViews.js';
import { type LimitedView, squareOfDistance, squareOfSize } from '../scene/ask/SceneLimits.js';
import { geometryBounds, measureGeometry } from '../scene/bounds/geometryBounds.js';
import { instanceBounds, measureInstances } from '../scene/bounds/instanceBounds.js';
import { geometryOf, worldBounds } from '../scene/bounds/worldBounds.js';
import type { Entries } from '../scene/follow/Entries.js';
import type { Traits } from '../scene/follow/Traits.js';
import { hasVertices } from '../scene/objects/attributes.js';
import { describeError } from '../scene/objects/checks.js';
import { maskOf, type ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { Flags } from '../three/kinds.js';

// Each function here gives sentences for one kind of reason why an object is not seen; none without such a reason.

/** Says which of an object and its ancestors are hidden, or groups with rules of their own. */
export function whyHidden(object: Object3D, camera: Camera): string[] {
  const reasons: string[] = [];
  for (let o: Object3D | null = object; o !== null; o = o.parent) {
    const { parent } = o;
    const lod = (parent as (Object3D & Flags) | null)?.isLOD ? (parent as LOD) : null;
    const level = lod?.levels.findIndex((each) => each.object === o) ?? -1;
    const shown = lod && level >= 0 ? shownLevel(lod, camera) : -1;
    // `visible` of a level says nothing where renderers set it.
    if (shown >= 0 && shown !== level) {
      const which = labelOf(lod as LOD);
      reasons.push(`It lies in level ${level} of the LOD ${which}, which shows level ${shown} to the camera.`);
    } else if (shown < 0 && !o.visible) {
      const isItself = o === object;
      reasons.push(isItself ? 'It is hidden: its visible is false.' : `It lies below ${labelOf(o)}, which is hidden.`);
    }
    if (parent !== null) reasons.push(...whyInGroup(parent));
  }
  return reasons;
}

function whyInGroup(group: Object3D & Flags): string[] {
  if (group.isBundleGroup) {
    const which = labelOf(group);
    return [`It lies in the BundleGroup ${which}, which is drawn as it was recorded until its needsUpdate is set.`];
  }
  const { clippingPlanes, enabled } = group as { clippingPlanes?: unknown[]; enabled?: boolean };
  if (!group.isClippingGroup || !enabled || !clippingPlanes?.length) return [];
  return [`It lies in the ClippingGroup ${labelOf(group)}, whose planes may cut it away.`];
}

/** The level that a LOD would show to a camera, as `LOD.update` finds it; -1 if it leaves its levels as they are. */
function shownLevel(lod: LOD, camera: Camera): number {
  const { levels } = lod;
  if (!lod.autoUpdate || levels.length < 2 || (maskOf(lod) & camera.layers.mask) === 0) return -1;
  const eye = new Vector3().setFromMatrixPosition(camera.matrixWorld);
  const { zoom } = camera as Camera & { zoom: number };
  const distance = eye.distanceTo(new Vector3().setFromMatrixPosition(lod.matrixWorld)) / zoom;
  let level = 0;
  for (const { object, distance: from, hysteresis } of levels.slice(1)) {
    if (!(distance >= from - (object.visible ? from * hysteresis : 0))) break;
    level++;
  }
  return level;
}

export function whyNotMet(object: Object3D, camera: Camera): string[] {
  const mask = maskOf(object);
  if ((mask & camera.layers.mask) !== 0) return [];
  return [`Its layers (${inOneList(mask)}) do not meet the camera's (${inOneList(camera.layers.mask)}).`];
}

export function whyUnseen(object: Object3D & Flags): string[] {
  const { material } = object as { material?: Material | Material[] };
  if (object.isLOD) return [];
  if (!material) return ['It has no material.'];
  const isClear = (each: Material) => each.transparent && each.opacity === 0;
  if (Array.isArray(material)) {
    if (!material.every((each) => !each.visible || isClear(each))) return [];
    return ['None of its materials can be seen: each has visible false, or is transparent with opacity 0.'];
  }
  if (!material.visible) return ['Its material is hidden: its visible is false.'];
  return isClear(material) ? ['Its material is transparent with opacity 0.'] : [];
}

function inOneList(mask: number): string {
  if (mask === -1) return 'all';
  const numbers = Array.from({ length: 32 }, (_, i) => i).filter((i) => mask & (1 << i));
  return numbers.join(', ') || 'none';
}

/** Says that bounds of an entry are missing or out of date. */
export function whyNoBounds(record: ObjectRecord, entry: ObjectRecord, entries: Entries): string[] {
  const whose = record === entry ? 'Its' : `The LOD's`;
  const now = new Float64Array(6);
  try {
    worldBounds(entry.object, now);
  } catch (error) {
    return [`${whose} bounds cannot be computed, so it has no place in the index: ${describeError(error)}.`];
  }
  if (now.some(Number.isNaN)) {
    const what = entry.object.matrixWorld.elements.some(Number.isNaN) ? 'world matrix' : 'geometry';
    return [`${whose} bounds are NaN, so it has no place in the index: so is its ${what}.`];
  }
  if (entries.quarantined.has(entry)) return [`${whose} bounds were NaN at the last update: ${adviceFor(entry)}.`];
  if (now[0] > now[3])
    return [`${whose} bounds are empty, so it has no place in the index: ${whyEmpty(entry.object)}.`];
  if (entry.id < 0) return [`${whose} bounds are not in the index yet: ${adviceFor(entry)}.`];
  const filed = entries.index.getBox(entry.id);
  if (filed.some((value, i) => value !== now[i]) || hasUnnoticedInstances(entry)) {
    const then = entry.isStatic ? '' : ', or index.touch() with it if that is not enough';
    return [`${whose} bounds in the index are out of date: ${adviceFor(entry)}${then}.`];
  }
  const geometry = geometryOf(record.object);
  if (!geometry?.attributes.position || !hasVertices(geometry)) return [];
  if (measureGeometry(geometry).equals(geometryBounds(geometry))) return [];
  return ['Its vertices changed unnoticed: set needsUpdate of its positions, or call index.touch() with it.'];
}

function hasUnnoticedInstances({ hasInstances, object }: ObjectRecord): boolean {
  if (!hasInstances) return false;
  const mesh = object as InstancedMesh;
  return !measureInstances(mesh).equals(instanceBounds(mesh));
}

function whyEmpty(object: Object3D & Flags): string {
  const { count, instanceCount } = object as { count?: number; instanceCount?: number };
  if (object.isLOD) return 'nothing that is drawn lies in it';
  const geometry = geometryOf(object);
  if (geometry === null) return 'it has no geometry';
  if (object.isInstancedMesh && count === 0) return 'its count is 0';
  if (object.isBatchedMesh && instanceCount === 0) return 'it has no instances';
  return geometry.attributes.position?.count > 0 ? 'nothing of it is shown' : 'its geometry has no vertices';
}

/** The planes of a frustum in three's order, opposite planes side by side. */
const PLANES = ['right', 'left', 'bottom', 'top', 'far', 'near'];

/** Says beyond which planes of the camera the bounds of an entry lie, for each view; nothing if one view has them. */
export function whyOutside(
  record: ObjectRecord,
  entry: ObjectRecord,
  camera: Camera,
  traits: Traits,
  entries: Entries,
): string[] {
  const box = entries.index.getBox(entry.id);
  const views = viewsOf(camera).map((view) => beyond(box, view));
  if (views.some((planes) => planes.length === 0)) return [];
  const what = record === entry ? 'It' : 'The LOD';
  let but = '';
  if (traits.neverCulled.has(entry)) {
    but = `; it is drawn all the same, as ${entry.object.frustumCulled ? 'it decides that by itself' : 'its frustumCulled is false'}`;
  } else if (!entry.object.frustumCulled) {
    but = `; its frustumCulled is false, which the index does not know yet: ${adviceFor(entry)}`;
  } else if (traits.wide.has(entry)) {
    but = "; renderers go by three's sphere around lines and points, which reaches farther";
  }
  return views.map((planes, i) => {
    const where = views.length === 1 ? '' : ` of view ${i}`;
    return `${what} lies outside the frustum${where}: ${planes.join(', ')}${but}.`;
  });
}

/**
 * The planes of a camera behind which a whole box lies, by the test of `Frustum.intersectsBox`. A box behind the camera
 * is beyond both the left and the right plane, so such pairs are left out if another plane remains.
 */
function beyond(box: Float64Array, camera: Camera): string[] {
  const planes = cameraPlanes(camera);
  const distances = PLANES.map((_, i) => {
    const [x, y, z, constant] = planes.subarray(4 * i);
    return x * box[x > 0 ? 3 : 0] + y * box[y > 0 ? 4 : 1] + z * box[z > 0 ? 5 : 2] + constant;
  });
  const found = PLANES.map((_, i) => i).filter((i) => distances[i] < 0);
  const telling = found.filter((i) => !found.includes(i ^ 1));
  return (telling.length > 0 ? telling : found).map((i) => `beyond its ${PLANES[i]} plane by ${short(-distances[i])}`);
}

/** Says why `minPixels` or `maxDistance` left an entry out of the camera's last picture, or last `cull`. */
export function whyLeftOut({ id }: ObjectRecord, view: LimitedView | undefined, entries: Entries): string[] {
  if (id < 0 || !view?.isLeftOut(id)) return [];
  const { box, limits, views } = view;
  const pixels = entries.byId.isPoints[id] ? 0 : limits.minPixels;
  const distance = limits.maxDistance;
  const size = Math.sqrt(Math.max(...views.map((one) => squareOfSize(one, box))));
  const away = Math.sqrt(Math.min(...views.map((one) => squareOfDistance(one, box))));
  const why = (): string => {
    if (away > distance) return `it is farther than ${distance} from the camera (${short(away)})`;
    if (size < pixels) return `it is smaller than ${pixels} pixels (${short(size)})`;
    if (!view.wasLeftOut(id)) return 'in each view it is too small or too far away';
    return size < (1 + HYSTERESIS) * pixels
      ? `it was smaller than ${pixels} pixels, and is not a tenth larger yet (${short(size)})`
      : `it was farther than ${distance} from the camera, and is not a tenth nearer yet (${short(away)})`;
  };
  return [`It is not drawn: ${why()}.`];
}

function short(value: number): number {
  return Number(value.toPrecision(3));
}

export function labelOf(object: Object3D): string {
  return `"${inWords(object.name || object.type)}"`;
}

/** The call that makes the index check an object again. */
export function adviceFor(record: ObjectRecord | undefined): string {
  return record?.isStatic ? 'call index.touch() with it' : 'call index.update()';
}
