import * as THREE from 'three';
import { ShadowMesh } from 'three/addons/objects/ShadowMesh.js';
import { describe, expect, it } from 'vitest';
import type { SceneIndex } from '../../../src/index.js';
import { accelerated, indexed } from '../../helpers/indexed.js';
import { boxMesh } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';

/** What is done to a scene before the first frame, and the step of each frame. */
type Play = (scene: THREE.Scene) => (frame: number) => void;

/** The world matrices of all objects of a played scene, after each update by `start`'s way. */
function matricesOf(play: Play, start: (scene: THREE.Scene) => () => void): number[][][] {
  const scene = new THREE.Scene();
  const step = play(scene);
  scene.updateMatrixWorld();
  const update = start(scene);
  const frames: number[][][] = [];
  for (let frame = 1; frame <= 6; frame++) {
    step(frame);
    update();
    const matrices: number[][] = [];
    scene.traverse(({ matrixWorld }) => matrices.push([...matrixWorld.elements]));
    frames.push(matrices);
  }
  return frames;
}

const plain = (scene: THREE.Scene) => () => scene.updateMatrixWorld();
const byScene = (scene: THREE.Scene) => {
  accelerated(scene);
  return () => scene.updateMatrixWorld();
};
const byIndex = (scene: THREE.Scene) => {
  const index = indexed(scene);
  return () => index.update();
};

/** A mesh whose matrix is written by hand. */
function byHand(): THREE.Mesh {
  const mesh = boxMesh();
  mesh.matrixAutoUpdate = false;
  return mesh;
}

/** What scripts of the model test do not come to. */
const PLAYS = Object.entries<Play>({
  'one where the scene does not update itself, with and without the flag': (scene) => {
    scene.matrixAutoUpdate = false;
    const [mesh, group, below] = [byHand(), new THREE.Group(), byHand()];
    scene.add(mesh, group.add(below));
    return (frame) => {
      mesh.matrix.setPosition(frame, 0, 0);
      below.matrix.setPosition(frame, 0, 0);
      mesh.matrixWorldNeedsUpdate = frame === 4;
      if (frame === 5) scene.matrixWorldNeedsUpdate = true;
    };
  },
  'one that came where nothing forces it': (scene) => {
    scene.matrixAutoUpdate = false;
    return (frame) => {
      const mesh = frame % 2 ? byHand() : boxMesh(frame);
      mesh.matrix.setPosition(frame, 0, 0);
      scene.add(mesh);
    };
  },
  'a world matrix that is another object': (scene) => {
    const [group, mesh] = [new THREE.Group(), boxMesh(2)];
    scene.add(group.add(mesh));
    return (frame) => {
      if (frame === 3) mesh.matrixWorld = new THREE.Matrix4();
      if (frame === 4) group.matrixWorld = new THREE.Matrix4();
    };
  },
  'a shadow mesh': (scene) => {
    const mesh = boxMesh(-1, 1);
    const shadow = new ShadowMesh(mesh);
    scene.add(mesh, shadow);
    return (frame) => {
      mesh.position.x = frame;
      shadow.update(new THREE.Plane(new THREE.Vector3(0, 1, 0), 0.01), new THREE.Vector4(5, 7, -1, 0.001));
    };
  },
  'an updateMatrixWorld of an object’s own, which is told whether it is forced': (scene) => {
    let now = 0;
    const [free, below] = [new THREE.Group(), boxMesh()];
    for (const object of [free, below]) {
      object.matrixAutoUpdate = false;
      object.updateMatrixWorld = (force) => {
        object.matrixWorld.elements[15] = now + (force === true ? 100 : 0);
      };
    }
    scene.add(free, new THREE.Group().add(below));
    return (frame) => {
      now = frame;
      scene.matrixAutoUpdate = frame < 4;
    };
  },
});

it.each(PLAYS)('%s is followed as three follows it, accelerated and by an index', (_label, play) => {
  const expected = matricesOf(play, plain);
  expect(matricesOf(play, byScene)).toEqual(expected);
  expect(matricesOf(play, byIndex)).toEqual(expected);
});

it('the matrix pass of an accelerated scene forces what three forces when it is told to', () => {
  const play: Play = (scene) => {
    scene.matrixAutoUpdate = false;
    const mesh = byHand();
    scene.add(mesh);
    return (frame) => mesh.matrix.setPosition(frame, 0, 0);
  };
  const forced = (start: (scene: THREE.Scene) => () => void) => (scene: THREE.Scene) => {
    start(scene);
    return () => scene.updateMatrixWorld(true);
  };
  expect(matricesOf(play, forced(byScene))).toEqual(matricesOf(play, forced(plain)));
});

describe.each(['accelerate', 'SceneIndex'])('of %s: what is put into a list of children by hand', (kind) => {
  const start = (scene: THREE.Scene): { index: SceneIndex; update: () => void } => {
    const index = kind === 'accelerate' ? accelerated(scene) : indexed(scene);
    return { index, update: () => (kind === 'accelerate' ? scene.updateMatrixWorld() : index.update()) };
  };

  it.each([null, 'its parent'])('comes and goes with it, and then has as its parent: %s', (kept) => {
    const scene = new THREE.Scene().add(new THREE.Group());
    const { index, update } = start(scene);
    const mesh = boxMesh(5);
    mesh.parent = scene;
    scene.children.push(mesh);
    update();
    expect(index.queryPoint(new THREE.Vector3(5, 0, 0))).toEqual([mesh]);
    scene.children.pop();
    if (kept === null) mesh.parent = null;
    update();
    expect([index.has(mesh), index.size]).toEqual([false, 0]);
    expect(validateScene(index)).toEqual([]);
  });
});
