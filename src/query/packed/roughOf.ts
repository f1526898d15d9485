import type { PackedRows } from '../../core/packed/PackedRows.js';
import { RoughBox } from '../../core/packed/RoughBox.js';
import { RoughPlanes } from '../../core/packed/RoughPlanes.js';
import { RoughSphere } from '../../core/packed/RoughSphere.js';
import type { RoughVolume } from '../../core/packed/RoughVolume.js';
import type { BoxVolume } from '../../core/shapes/BoxVolume.js';
import type { PlanesVolume } from '../../core/shapes/PlanesVolume.js';
import type { SphereVolume } from '../../core/shapes/SphereVolume.js';
import { BOX_VOLUME, SPHERE_VOLUME, type Volume } from '../../core/shapes/Volume.js';

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
