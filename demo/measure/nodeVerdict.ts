import { type Box3, Frustum, Matrix4, type PerspectiveCamera, type Plane, Vector3 } from 'three';
import type { IndexNode } from './NodeTree.js';

/** In the order of three's `Frustum.planes`. */
const PLANES = ['right', 'left', 'bottom', 'top', 'far', 'near'];
const LIST = new Intl.ListFormat('en-GB');

const frustum = new Frustum();
const matrix = new Matrix4();
const corner = new Vector3();

/** How a box lies in a frustum: which plane it is outside of, or which planes it crosses; neither: it is inside. */
interface Side {
  outside: string | null;
  crossed: string[];
}

/** What culling for a camera does with a node: "Tested: …" or "Not tested: …", and why. */
export function nodeVerdict(node: IndexNode, camera: PerspectiveCamera): string {
  for (const above of ancestors(node)) {
    const { outside, crossed } = sideOf(above.box, camera);
    const which = above === node.parent ? 'its parent' : `the node above it at depth ${above.depth}`;
    if (outside) return `Not tested: ${which} is outside the ${outside} plane.`;
    if (crossed.length === 0) return `Not tested: ${which} is completely inside the view.`;
  }
  const { outside, crossed } = sideOf(node.box, camera);
  if (outside) return `Tested: outside the ${outside} plane, so everything in it is skipped.`;
  if (crossed.length === 0) return 'Tested: completely inside the view, so nothing in it is tested.';
  const planes = `${LIST.format(crossed)} plane${crossed.length > 1 ? 's' : ''}`;
  return `Tested: intersecting, as it crosses the ${planes}. Its contents are tested.`;
}

/** The class of a box for a camera. */
export function classOfBox(box: Box3, camera: PerspectiveCamera): 'inside' | 'intersecting' | 'culled' {
  const { outside, crossed } = sideOf(box, camera);
  if (outside) return 'culled';
  return crossed.length > 0 ? 'intersecting' : 'inside';
}

/** Those above a node, the top one first. */
function ancestors({ parent }: IndexNode): IndexNode[] {
  return parent ? [...ancestors(parent), parent] : [];
}

function sideOf(box: Box3, camera: PerspectiveCamera): Side {
  matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  frustum.setFromProjectionMatrix(matrix, camera.coordinateSystem);
  const crossed: string[] = [];
  for (const [i, plane] of frustum.planes.entries()) {
    if (extreme(box, plane, true) < 0) return { outside: PLANES[i]!, crossed: [] };
    if (extreme(box, plane, false) < 0) crossed.push(PLANES[i]!);
  }
  return { outside: null, crossed };
}

/** The signed distance from a plane to the corner of a box that lies furthest on its inner or outer side. */
function extreme({ min, max }: Box3, plane: Plane, inner: boolean): number {
  const { x, y, z } = plane.normal;
  corner.set(x > 0 === inner ? max.x : min.x, y > 0 === inner ? max.y : min.y, z > 0 === inner ? max.z : min.z);
  return plane.distanceToPoint(corner);
}
