// What is measured of the meshes of a scene, and of the instances of one mesh.
import { BoxGeometry, Frustum, Group, Matrix4, Mesh, MeshBasicMaterial, Raycaster, Scene, Vector3 } from 'three';
import { digestIds } from './answers.mjs';
import { inPlanes } from './exact.mjs';
import { held, memory, queries, timed, worldly } from './workloads.mjs';
import { cameraAt, rays, someIds } from './worlds.mjs';

/** Plain three takes milliseconds for a pick of a scene, and many of instances. */
const PICKS = 40;
const HITS = 10;

/** A workload for an adapter that is built of something made of the boxes: the arguments of its `build`. */
const made = (make, needs, run, more) =>
  worldly(
    needs,
    (adapter, boxes, settings) => {
      const given = make(boxes);
      const built = Object.assign(Object.create(adapter), { build: () => adapter.build(...given) });
      return run(built, boxes, settings, ...given);
    },
    more,
  );
const inScene = (...rest) => made(buildScene, ...rest);
const ofInstances = (isSorted, ...rest) =>
  made((boxes) => [new BoxGeometry(), placesOf(boxes).map(matrixOf), isSorted], ...rest);
const lists = (share, isSorted = false) => ofInstances(isSorted, ['list'], culls('list', idsOf), { share });

const numbersOf = (seen) => seen.map(({ number }) => number);
const isOutside = (mesh, { frustum }) => !mesh.intersectsFrustum(frustum);
const objectsOf = (found) => found.map(({ object }) => object.number);
// A ray through an edge may hit one box twice, or one of two neighbours.
const instancesOf = (found) => [...new Set(found.map(({ instanceId, batchId }) => instanceId ?? batchId))];
const idsOf = ({ ids, length }) => Array.from(ids.subarray(0, length));
const digestOf = (toIds) => (found) => {
  const ids = toIds(found);
  return digestIds({ ids, length: ids.length });
};
const raycasters = (count) => (boxes) =>
  rays(boxes, count).map(({ origin, direction }) => new Raycaster(new Vector3(...origin), new Vector3(...direction)));

/** What a page waits for when it loads, in a process that has done nothing yet; and what it has then. */
export const LOADING_WORKLOADS = {
  load: inScene(['build'], load, { isFresh: true }),
  'memory of a mesh': inScene(['build'], memory, { isFresh: true }),
  'move 1 %': inScene(['follow'], moves),
  'cull 10 %, of a scene': inScene(['cull'], culls('cull', numbersOf, isOutside), { share: 0.1 }),
  'pick all, of a scene': inScene(['pick'], queries('pick', raycasters(PICKS), { digest: digestOf(objectsOf) })),
};

/** What a pass is to draw of instances, which is made just before it draws, and picks. */
export const INSTANCE_WORKLOADS = {
  'list 1 %': lists(0.01),
  'list 10 %': lists(0.1),
  'list 50 %': lists(0.5),
  'sorted list 10 %': lists(0.1, true),
  'instances hit': ofInstances(false, ['hits'], queries('hits', raycasters(HITS), { digest: digestOf(instancesOf) })),
};

/** How a unit box is placed and scaled to have each box of a world as its bounds. */
function placesOf(boxes) {
  return Array.from({ length: boxes.length / 6 }, (_, id) => {
    const [x0, y0, z0, x1, y1, z1] = boxes.subarray(6 * id);
    const position = new Vector3((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2);
    return { position, scale: new Vector3(x1 - x0, y1 - y0, z1 - z0) };
  });
}

const matrixOf = ({ position, scale: { x, y, z } }) => new Matrix4().makeScale(x, y, z).setPosition(position);

/** Meshes in groups of 50, in the order of ids. The id of a mesh is its `number`. */
function buildScene(boxes) {
  const scene = new Scene();
  const geometry = new BoxGeometry();
  const material = new MeshBasicMaterial();
  const meshes = placesOf(boxes).map(({ position, scale }, id) => {
    const mesh = new Mesh(geometry, material);
    mesh.position.copy(position);
    mesh.scale.copy(scale);
    mesh.number = id;
    if (id % 50 === 0) scene.add(new Group());
    scene.children.at(-1).add(mesh);
    return mesh;
  });
  scene.updateMatrixWorld();
  return [scene, meshes];
}

function load(adapter) {
  held();
  return () => ({ time: 1e3 * timed(() => adapter.build()), answers: [] });
}

/** Frames in which one mesh of a hundred moves: its matrices, and what is to be told of it. */
function moves(adapter, _boxes, _settings, _scene, meshes) {
  adapter.build();
  const some = Array.from(someIds(meshes.length, 0.01), (id) => meshes[id]);
  return (round) => {
    let time = 0;
    for (let frame = 0; frame < 10; frame++) {
      for (const { position } of some) position.x += round % 2 === 0 ? 0.1 : -0.1;
      time += timed(() => adapter.follow());
    }
    return { time: 100 * time, answers: [] };
  };
}

/**
 * What a camera sees. Some cull by spheres and some by boxes, which are tighter: what only its sphere shows may be there or
 * not, and is not compared.
 */
function culls(method, toIds, isInvented = () => false) {
  return (adapter, boxes, { views }, _root, objects) => {
    const cameras = views.map(({ pose, planes }) => {
      const camera = cameraAt(pose);
      camera.updateMatrixWorld();
      const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
      return Object.assign(camera, { planes, frustum: new Frustum().setFromProjectionMatrix(matrix) });
    });
    const digest = (seen, camera) => {
      const ids = toIds(seen).filter((id) => inPlanes(boxes, 6 * id, camera) || isInvented(objects[id], camera));
      return digestIds({ ids, length: ids.length });
    };
    return queries(method, undefined, { digest, isSameNumber: false })(adapter, boxes, { views: cameras });
  };
}
