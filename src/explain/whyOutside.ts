import { Box3, type Camera, Frustum, Matrix4, Vector3 } from 'three';
import { viewAt, viewCount } from '../scene/ask/cameraPlanes.js';
import type { Entries } from '../scene/follow/Entries.js';
import type { Traits } from '../scene/follow/Traits.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { adviceFor } from './labels.js';

/** The order in which three keeps the planes of a frustum, opposite ones side by side. */
const PLANES = ['right', 'left', 'bottom', 'top', 'far', 'near'];

/** Planes of the camera that the bounds of an entry lie beyond. */
export function whyOutside(
  record: ObjectRecord,
  entry: ObjectRecord,
  camera: Camera,
  traits: Traits,
  entries: Entries,
): string[] {
  const [minX, minY, minZ, maxX, maxY, maxZ] = entries.index.getBox(entry.id);
  const box = new Box3(new Vector3(minX, minY, minZ), new Vector3(maxX, maxY, maxZ));
  const views = Array.from({ length: viewCount(camera) }, (_, i) => beyond(box, viewAt(camera, i)));
  if (views.some((planes) => planes.length === 0)) return [];
  const what = record === entry ? 'It' : 'The LOD';
  let but = '';
  if (traits.neverCulled.has(entry)) {
    but = `; it is drawn all the same, as ${entry.frustumCulled ? 'it decides that by itself' : 'its frustumCulled is false'}`;
  } else if (!entry.object.frustumCulled) {
    but = `; its frustumCulled is false, which the index does not know yet: ${adviceFor(entry)}`;
  }
  return views.map((planes, i) => {
    const where = views.length === 1 ? '' : ` of view ${i}`;
    return `${what} lies outside the frustum${where}: ${planes.join(', ')}${but}.`;
  });
}

/**
 * The planes of a camera behind which a box lies as a whole, by the test of `Frustum.intersectsBox`. What is behind a
 * camera is on the wrong side of left and right at once: these say nothing then.
 */
function beyond(box: Box3, camera: Camera): string[] {
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const { planes } = new Frustum().setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
  const corner = new Vector3();
  const distances = planes.map((plane) => {
    const { x, y, z } = plane.normal;
    corner.set((x > 0 ? box.max : box.min).x, (y > 0 ? box.max : box.min).y, (z > 0 ? box.max : box.min).z);
    return plane.distanceToPoint(corner);
  });
  const found = PLANES.map((_, i) => i).filter((i) => distances[i] < 0);
  const telling = found.filter((i) => !found.includes(i ^ 1));
  return (telling.length > 0 ? telling : found).map(
    (i) => `beyond its ${PLANES[i]} plane by ${Number((-distances[i]).toPrecision(3))}`,
  );
}
