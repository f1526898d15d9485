import { type Camera, type LOD, type Material, type Object3D, Vector3 } from 'three';
import { maskOf } from '../scene/objects/maskOf.js';
import type { Flags } from '../scene/objects/ObjectRecord.js';
import { labelOf } from './labels.js';

/** What is hidden, at the object or above it, and what groups with rules of their own it lies in, upwards. */
export function whyHidden(object: Object3D, camera: Camera): string[] {
  const reasons: string[] = [];
  for (let o: Object3D | null = object; o !== null; o = o.parent) {
    const { parent } = o;
    const lod = (parent as (Object3D & Flags) | null)?.isLOD ? (parent as LOD) : null;
    const level = lod?.levels.findIndex((each) => each.object === o) ?? -1;
    const shown = lod && level >= 0 ? levelFor(lod, camera) : -1;
    // Renderers set the visible of levels themselves.
    if (shown >= 0 && shown !== level) {
      reasons.push(
        `It lies in level ${level} of the LOD ${labelOf(lod as LOD)}, which shows level ${shown} to the camera.`,
      );
    } else if (shown < 0 && !o.visible) {
      reasons.push(
        o === object ? 'It is hidden: its visible is false.' : `It lies below ${labelOf(o)}, which is hidden.`,
      );
    }
    if (parent !== null) reasons.push(...whyInGroup(parent));
  }
  return reasons;
}

/** Groups with rules of their own but LODs, which the record of an object tells. */
function whyInGroup(group: Object3D & Flags): string[] {
  if (group.isBundleGroup) {
    return [
      `It lies in the BundleGroup ${labelOf(group)}, which is drawn as it was recorded until its needsUpdate is set.`,
    ];
  }
  const { clippingPlanes, enabled } = group as { clippingPlanes?: unknown[]; enabled?: boolean };
  if (!group.isClippingGroup || !enabled || !clippingPlanes?.length) return [];
  return [`It lies in the ClippingGroup ${labelOf(group)}, whose planes may cut it away.`];
}

/** The level that a LOD would show to a camera, as `LOD.update` finds it; -1 where it leaves them as they are. */
function levelFor(lod: LOD, camera: Camera): number {
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

/** Layers that do not meet the camera's. */
export function whyNotMet(object: Object3D, camera: Camera): string[] {
  const mask = maskOf(object);
  if ((mask & camera.layers.mask) !== 0) return [];
  return [`Its layers (${listOf(mask)}) do not meet the camera's (${listOf(camera.layers.mask)}).`];
}

/** Materials that show nothing. */
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

/** The numbers of the layers in a mask. */
function listOf(mask: number): string {
  if (mask === -1) return 'all';
  const numbers = Array.from({ length: 32 }, (_, i) => i).filter((i) => mask & (1 << i));
  return numbers.join(', ') || 'none';
}
