// What is measured of the meshes of a scene, and of the instances of one mesh.
import { BoxGeometry, Frustum, Group, Matrix4, Mesh, MeshBasicMaterial, Raycaster, Scene, Vector3 } from 'three';
import { digestIds } from './answers.mjs';
import { inPlanes } from './exact.mjs';
import { closest, held, queries, timed, worldly } from './workloads.mjs';
import { cameraAt, rays, someIds } from './worlds.mjs';

/** What a page waits for when it loads, in a process that has done nothing yet; and what it has then. */
export const LOADING_WORKLOADS = {
  load: worldly(['build'], load, { isFresh: true }),
  'memory of a mesh': worldly(['build'], memory),
  'move 1 %': worldly(['follow'], moves),
  'cull 10 %, of a scene': worldly(['cull'], culls, { share: 0.1 }),
  'pick all, of a scene': worldly(['pick'], picks),
  'pick first, of a scene': worldly(['pickFirst'], firstPicks),
};

/** What a pass is to draw of instances, which is made just before it draws, and picks. */
export const INSTANCE_WORKLOADS = {
  'list 1 %': worldly(['list'], lists(false), { share: 0.01 }),
  'list 10 %': worldly(['list'], lists(false), { share: 0.1 }),
  'list 50 %': worldly(['list'], lists(false), { share: 0.5 }),
  'sorted list 10 %': worldly(['list'], lists(true), { share: 0.1 }),
  'instances hit': worldly(['hits'], hits),
};

/** Plain three takes milliseconds for a pick of a scene, and many of instances. */
const PICKS = 40;
const HITS = 10;

/** How a unit box is placed and scaled to have each box of a world as its bounds. */
function placesOf(boxes) {
  return Array.from({ length: boxes.length / 6 }, (_, id) => {
    const [x0, y0, z0, x1, y1, z1] = boxes.subarray(6 * id);
    const position = new Vector3((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2);
    return { position, scale: new Vector3(x1 - x0, y1 - y0, z1 - z0) };
  });
}

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
  return { scene, meshes };
}

function load(adapter, boxes) {
  const { scene, meshes } = buildScene(boxes);
  held();
  return () => ({ time: 1e3 * timed(() => adapter.build(scene, meshes)), answers: [] });
}

function memory(adapter, boxes) {
  const { scene, meshes } = buildScene(boxes);
  const before = held();
  adapter.build(scene, meshes);
  const bytes = (held() - before) / meshes.length;
  return () => ({ time: bytes, answers: [] });
}

/** Frames in which one mesh of a hundred moves: its matrices, and what is to be told of it. */
function moves(adapter, boxes) {
  const { scene, meshes } = buildScene(boxes);
  adapter.build(scene, meshes);
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

/** The same adapter, built of something else than boxes. */
const builtOf = (adapter, build) => Object.assign(Object.create(adapter), { build });

function camerasOf(views) {
  return views.map(({ pose, planes }) => {
    const camera = cameraAt(pose);
    camera.updateMatrixWorld();
    const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    return Object.assign(camera, { planes, frustum: new Frustum().setFromProjectionMatrix(matrix) });
  });
}

/** three culls by spheres, structures by boxes, which are tighter: what only its sphere shows may be there or not. */
function culls(adapter, boxes, { views }) {
  const { scene, meshes } = buildScene(boxes);
  const digest = (seen, { planes, frustum }) => {
    const ids = seen
      .map(({ number }) => number)
      .filter((id) => inPlanes(boxes, 6 * id, planes) || !meshes[id].intersectsFrustum(frustum));
    return digestIds({ ids, length: ids.length });
  };
  const built = builtOf(adapter, () => adapter.build(scene, meshes));
  return queries('cull', undefined, { digest, isSameNumber: false })(built, boxes, { views: camerasOf(views) });
}

function raycastersOf(boxes, count) {
  return rays(boxes, count).map(
    ({ origin, direction }) => new Raycaster(new Vector3(...origin), new Vector3(...direction)),
  );
}

function picks(adapter, boxes) {
  const { scene, meshes } = buildScene(boxes);
  const digest = (found) => digestIds({ ids: found.map(({ object }) => object.number), length: found.length });
  const built = builtOf(adapter, () => adapter.build(scene, meshes));
  return queries('pick', () => raycastersOf(boxes, PICKS), { digest })(built, boxes, {});
}

function firstPicks(adapter, boxes) {
  const { scene, meshes } = buildScene(boxes);
  const built = builtOf(adapter, () => adapter.build(scene, meshes));
  const distance = (found) => found[0]?.distance ?? Number.POSITIVE_INFINITY;
  return closest('pickFirst', () => raycastersOf(boxes, PICKS), distance)(built, boxes, {});
}

function builtOfInstances(adapter, boxes, isSorted) {
  const matrices = placesOf(boxes).map(({ position, scale: { x, y, z } }) =>
    new Matrix4().makeScale(x, y, z).setPosition(position),
  );
  return builtOf(adapter, () => adapter.build(new BoxGeometry(), matrices, isSorted));
}

/** Some cull by spheres and some by boxes: as above. */
function lists(isSorted) {
  return (adapter, boxes, { views }) => {
    const digest = ({ ids, length }, { planes }) => {
      const seen = Array.from(ids.subarray(0, length)).filter((id) => inPlanes(boxes, 6 * id, planes));
      return digestIds({ ids: seen, length: seen.length });
    };
    const built = builtOfInstances(adapter, boxes, isSorted);
    return queries('list', undefined, { digest, isSameNumber: false })(built, boxes, { views: camerasOf(views) });
  };
}

function hits(adapter, boxes) {
  // A ray through an edge may hit one box twice, or one of two neighbours.
  const digest = (found) => {
    const ids = [...new Set(found.map(({ instanceId, batchId }) => instanceId ?? batchId))];
    return digestIds({ ids, length: ids.length });
  };
  return queries('hits', () => raycastersOf(boxes, HITS), { digest })(builtOfInstances(adapter, boxes), boxes, {});
}
