// Instances of one mesh: what a pass is to draw of them, which is made just before it draws, and picks.
import { BoxGeometry, Matrix4, Raycaster, Vector3 } from 'three';
import { digestIds } from '../answers.mjs';
import { inPlanes } from '../exact.mjs';
import { queries, worldly } from '../workloads.mjs';
import { cameraAt, rays } from '../worlds.mjs';

/** Plain three takes many milliseconds for one. */
const PICKS = 10;

export const INSTANCE_WORKLOADS = {
  'list 1 %': worldly(['list'], lists(false), { share: 0.01 }),
  'list 10 %': worldly(['list'], lists(false), { share: 0.1 }),
  'list 50 %': worldly(['list'], lists(false), { share: 0.5 }),
  'sorted list 10 %': worldly(['list'], lists(true), { share: 0.1 }),
  'instances hit': worldly(['hits'], picks),
};

/** Unit boxes, placed and scaled to have the boxes of the world as their bounds. */
function build(adapter, boxes, isSorted) {
  const matrices = Array.from({ length: boxes.length / 6 }, (_, id) => {
    const [x0, y0, z0, x1, y1, z1] = boxes.subarray(6 * id);
    const matrix = new Matrix4().makeScale(x1 - x0, y1 - y0, z1 - z0);
    return matrix.setPosition((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2);
  });
  return adapter.build(new BoxGeometry(), matrices, isSorted);
}

/** Some cull by spheres and some by boxes, which are tighter: what only its sphere shows may be there or not. */
function lists(isSorted) {
  return (adapter, boxes, { views }) => {
    const cameras = views.map(({ pose, planes }) => {
      const camera = cameraAt(pose);
      camera.updateMatrixWorld();
      return Object.assign(camera, { planes });
    });
    const asked = { build: () => build(adapter, boxes, isSorted), list: (camera) => adapter.list(camera) };
    const digest = ({ ids, length }, { planes }) => {
      const seen = Array.from(ids.subarray(0, length)).filter((id) => inPlanes(boxes, 6 * id, planes));
      return digestIds({ ids: seen, length: seen.length });
    };
    return queries('list', undefined, { digest, isSameNumber: false })(asked, boxes, { views: cameras });
  };
}

function picks(adapter, boxes) {
  const raycasters = rays(boxes, PICKS).map(
    ({ origin, direction }) => new Raycaster(new Vector3(...origin), new Vector3(...direction)),
  );
  const asked = { build: () => build(adapter, boxes, false), hits: (raycaster) => adapter.hits(raycaster) };
  // A ray through an edge may hit one box twice, or one of two neighbours.
  const digest = (hits) => {
    const ids = [...new Set(hits.map(({ instanceId, batchId }) => instanceId ?? batchId))];
    return digestIds({ ids, length: ids.length });
  };
  return queries('hits', () => raycasters, { digest })(asked, boxes, {});
}
