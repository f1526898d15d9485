// How a node of three-mesh-bvh lies to six planes, for its `shapecast`.
import { CONTAINED, INTERSECTED, NOT_INTERSECTED } from 'three-mesh-bvh';

export function classifyPlanes({ min, max }, planes) {
  let result = CONTAINED;
  for (let i = 0; i < 24; i += 4) {
    const x = planes[i];
    const y = planes[i + 1];
    const z = planes[i + 2];
    const constant = planes[i + 3];
    const far = x * (x > 0 ? max.x : min.x) + y * (y > 0 ? max.y : min.y) + z * (z > 0 ? max.z : min.z);
    if (far + constant < 0) return NOT_INTERSECTED;
    const near = x * (x > 0 ? min.x : max.x) + y * (y > 0 ? min.y : max.y) + z * (z > 0 ? min.z : max.z);
    if (near + constant < 0) result = INTERSECTED;
  }
  return result;
}
