// What both versions do: by name a function that sets a workload up and returns its calls, and the index whose counters say
// what a call cost. A version that lacks something of it throws, and has no figures there.
import { BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene } from 'three';

const QUERIES = 64;
/** Of a motion there and back: an even number. */
const FRAMES = 16;
const STRUCTURES = ['packed', 'looseOctree', 'octree', 'grid', 'bvh', 'bruteForce'];

export function workloads(library, tools, n) {
  const all = {};
  for (const [world, make] of Object.entries({ uniform: tools.uniformBoxes, flat: tools.flatBoxes })) {
    for (const structure of STRUCTURES) {
      for (const [what, prepare] of Object.entries(ON_BOXES)) {
        all[`${world}, ${structure}, ${what}`] = () => {
          const boxes = make(n, 7);
          const filled = () => {
            const index = library.createIndex(structure);
            index.addAll(boxes);
            return index;
          };
          return prepare({ library, tools, boxes, filled });
        };
      }
    }
  }
  for (const [what, prepare] of Object.entries(ON_SCENE)) {
    all[`scene, ${what}`] = () => prepare({ library, tools, boxes: tools.uniformBoxes(n, 7) });
  }
  return all;
}

/** What the scan is measured by: a camera that sees about a tenth. */
export function cameras({ cameraPlanes }, count = QUERIES) {
  return poses(count).map((camera) => cameraPlanes(camera));
}

function poses(count) {
  return Array.from({ length: count }, (_, i) => {
    const angle = (i / count) * 2 * Math.PI;
    const camera = new PerspectiveCamera(60, 1.6, 0.1, 600);
    camera.position.set(Math.cos(angle) * 300, 30 + Math.sin(angle * 3) * 20, Math.sin(angle) * 300);
    camera.lookAt(0, 0, 0);
    return camera;
  });
}

/** Places in the world where boxes are. */
function places(boxes, { random }) {
  const next = random(9);
  return Array.from({ length: QUERIES }, () => {
    const o = 6 * Math.floor((next() * boxes.length) / 6);
    return [boxes[o], boxes[o + 1], boxes[o + 2]];
  });
}

/** A query at places where boxes are, into a list of a class. */
const asking =
  (list, ask) =>
  ({ library, tools, boxes, filled }) => {
    const index = filled();
    return { index, calls: places(boxes, tools).map((at, i) => ask(index, at, new library[list](), i)) };
  };

const ON_BOXES = {
  cull: ({ library, tools, filled }) => {
    const index = filled();
    const out = new library.IdList();
    return { index, calls: cameras(tools).map((planes) => () => index.queryPlanes(planes, out)) };
  },
  'first ray hit': asking('Hits', (index, at, out, i) => {
    const ray = { origin: at, direction: [Math.sin(i), 0.1, Math.cos(i)] };
    return () => index.raycastFirst(ray, out);
  }),
  'all ray hits': asking('Hits', (index, at, out, i) => {
    const ray = { origin: at, direction: [Math.sin(i), 0.1, Math.cos(i)] };
    return () => index.raycast(ray, out);
  }),
  box: asking('IdList', (index, [x, y, z], out) => {
    const box = [x, y, z, x + 50, y + 50, z + 50];
    return () => index.queryBox(box, out);
  }),
  sphere: asking('IdList', (index, at, out) => () => index.querySphere(...at, 30, out)),
  'ten nearest': asking('Hits', (index, at, out) => () => index.nearest(...at, 10, Number.POSITIVE_INFINITY, out)),
  pairs: ({ library, filled }) => {
    const index = filled();
    const out = new library.IdPairs();
    return { index, calls: [() => library.findPairs(index, out)] };
  },
  'move all and cull': (given) => moving(given, 1, 0.5),
  'move 1 % far and cull': (given) => moving(given, 100, 400),
  'remove and add 1 %': ({ boxes, filled }) => {
    const index = filled();
    const ids = Int32Array.from({ length: boxes.length / 600 }, (_, i) => 100 * i);
    const call = () => {
      for (let i = 0; i < ids.length; i++) index.remove(ids[i]);
      for (let i = 0; i < ids.length; i++) ids[i] = index.add(boxes.subarray(600 * i, 600 * i + 6));
    };
    return { calls: [call] };
  },
  'remove and add 10 % at once': ({ boxes, filled }) => {
    const index = filled();
    let ids = Int32Array.from({ length: boxes.length / 60 }, (_, i) => 10 * i);
    const call = () => {
      index.removeAll(ids);
      ids = index.addAll(boxes.subarray(0, 6 * ids.length));
    };
    return { calls: [call] };
  },
  build: ({ filled }) => {
    const kept = { index: null };
    const call = () => {
      kept.index = filled();
    };
    return { calls: [call], filled };
  },
};

/** Frames in which every `step`th box is elsewhere by up to half of `by`, there and back, then a camera culls. */
function moving({ library, tools, boxes, filled }, step, by) {
  const index = filled();
  const next = tools.random(15);
  const ids = Int32Array.from({ length: Math.ceil(boxes.length / 6 / step) }, (_, i) => step * i);
  const there = new Float64Array(6 * ids.length);
  const back = new Float64Array(6 * ids.length);
  for (let i = 0; i < ids.length; i++) {
    for (let c = 0; c < 3; c++) {
      const o = 6 * ids[i] + c;
      const offset = (next() - 0.5) * by;
      for (const side of [0, 3]) {
        back[6 * i + c + side] = boxes[o + side];
        there[6 * i + c + side] = boxes[o + side] + offset;
      }
    }
  }
  const out = new library.IdList();
  return {
    index,
    calls: cameras(tools, FRAMES).map((planes, i) => () => {
      index.updateAll(ids, i % 2 === 0 ? there : back);
      index.queryPlanes(planes, out);
    }),
  };
}

const ON_SCENE = {
  cull: (given) => {
    const index = makeScene(given);
    const seen = [];
    return { index, calls: poses(QUERIES).map((camera) => () => index.cull(camera, seen)) };
  },
  'update, nothing moved': (given) => {
    const index = makeScene(given);
    return { calls: [() => index.update()] };
  },
  'update, all static': (given) => {
    const index = makeScene(given);
    index.setStatic(index.root);
    index.update();
    return { calls: [() => index.update()] };
  },
};

function makeScene({ library, boxes }) {
  const scene = new Scene();
  const geometry = new BoxGeometry();
  const material = new MeshBasicMaterial();
  for (let o = 0; o < boxes.length; o += 6) {
    const mesh = new Mesh(geometry, material);
    mesh.position.set(boxes[o], boxes[o + 1], boxes[o + 2]);
    scene.add(mesh);
  }
  return new library.SceneIndex(scene);
}
