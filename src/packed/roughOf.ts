import type { BoxVolume } from '../core/shapes/BoxVolume.js';
import type { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import type { SphereVolume } from '../core/shapes/SphereVolume.js';
import { BOX_VOLUME, SPHERE_VOLUME, type Volume } from '../core/shapes/Volume.js';
import type { PackedRows } from './PackedRows.js';
import { RoughBox } from './RoughBox.js';
import { RoughPlanes } from './RoughPlanes.js';
import { RoughSphere } from './RoughSphere.js';
import type { RoughVolume } from './RoughVolume.js';

/** A volume as it is tested against these rows; the object is reused for the next one. */
export function roughOf(volume: Volume, rows: PackedRows): RoughVolume {
  if (volume.kind === BOX_VOLUME) {
    box.set(volume as BoxVolume, rows.frame);
    return box;
  }
  if (volume.kind === SPHERE_VOLUME) {
    sphere.set(volume as SphereVolume, rows.frame, rows.reach());
    return sphere;
  }
  planes.set(volume as PlanesVolume, rows.frame, rows.reach());
  return planes;
}

const box = /* @__PURE__ */ new RoughBox();
const sphere = /* @__PURE__ */ new RoughSphere();
const planes = /* @__PURE__ */ new RoughPlanes();
