import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { accelerate } from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { drawnTriangles } from '../helpers/drawnTriangles.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { frustumOf, mainPass } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { boxMesh } from '../helpers/scene.js';

/** A scene of meshes in two groups, of which the page owns all matrices. */
class Own {
  readonly scene = new THREE.Scene();
  readonly groups = [new THREE.Group(), new THREE.Group()];
  readonly meshes = Array.from({ length: 120 }, () => boxMesh());
  readonly next = random(5);

  constructor() {
    this.scene.matrixWorldAutoUpdate = false;
    this.scene.add(...this.groups);
    this.meshes.forEach((mesh, i) => {
      (i % 3 === 0 ? this.scene : this.groups[i % 2]).add(mesh);
      this.place(mesh);
    });
  }

  place(mesh: THREE.Object3D): void {
    const { next } = this;
    mesh.matrixWorld.makeTranslation(next() * 200 - 100, next() * 60 - 30, next() * 40 - 20);
  }
}

const moveSome = (own: Own): void => own.meshes.forEach((mesh, i) => void (i % 2 === 0 && own.place(mesh)));

/** What a page does between two pictures. */
const EDITS: Record<string, (own: Own) => void> = {
  'world matrices written': moveSome,
  'single numbers of them': ({ meshes }) => {
    for (const { matrixWorld } of meshes) matrixWorld.elements[12] += 37;
  },
  'world matrices replaced': ({ meshes }) => {
    for (const mesh of meshes) mesh.matrixWorld = mesh.matrixWorld.clone().setPosition(0, 0, -9);
  },
  'flags of single objects off': (own) => {
    for (const mesh of own.meshes) Object.assign(mesh, { matrixAutoUpdate: false, matrixWorldAutoUpdate: false });
    moveSome(own);
  },
  'local matrices by hand, and one call for a group': (own) => {
    for (const mesh of own.groups[0].children) {
      mesh.matrixAutoUpdate = false;
      mesh.matrix.makeTranslation(own.next() * 9, 0, 0);
    }
    own.groups[0].position.x = 40;
    own.groups[0].updateMatrixWorld(true);
  },
  'positions that nobody applies': ({ meshes }) => {
    for (const mesh of meshes) mesh.position.set(1e4, 0, 0);
  },
  'the matrix of a group, which carries nothing': ({ groups }) => void groups[0].matrixWorld.makeTranslation(500, 0, 0),
  'objects that come and go': (own) => {
    for (const mesh of own.meshes.splice(0, 20)) mesh.removeFromParent();
    for (let i = 0; i < 20; i++) {
      const mesh = boxMesh();
      own.meshes.push(mesh);
      own.groups[1].add(mesh);
      own.place(mesh);
    }
  },
  'objects that moved to another group': ({ meshes, groups }) => {
    for (const mesh of meshes.slice(0, 9)) groups[0].add(mesh);
  },
  'another geometry': ({ meshes }) => {
    for (const mesh of meshes) mesh.geometry = new THREE.BoxGeometry(30, 1, 1);
  },
  'the whole scene updated once': ({ scene }) => scene.updateMatrixWorld(),
  'the whole scene updated from now on': (own) => {
    own.meshes.forEach((mesh, i) => void mesh.position.set(i - 60, 0, 0));
    own.scene.matrixWorldAutoUpdate = true;
  },
};

const CAMERAS = [eye(0, 0, 60), eye(90, 0, 60, { lookAt: [90, 0, 0] }), eye(-70, 10, 30, { lookAt: [-70, 0, 0] })];

const place = ({ matrixWorld }: THREE.Object3D): string => matrixWorld.elements.join(' ');

/** Where things are that a camera draws; boxes decide, as three's spheres reach farther and show no more. */
function drawnBy(scene: THREE.Scene, camera: THREE.Camera): string[] {
  const { drawn } = mainPass(scene, camera);
  const frustum = frustumOf(camera);
  const isIn = (object: THREE.Object3D): boolean => {
    const { geometry, matrixWorld } = object as THREE.Mesh;
    geometry.computeBoundingBox();
    return frustum.intersectsBox((geometry.boundingBox as THREE.Box3).clone().applyMatrix4(matrixWorld));
  };
  return drawn
    .filter(({ object }) => isIn(object))
    .map(({ object }) => place(object))
    .sort();
}

function hitsIn(scene: THREE.Scene): string[][] {
  return CAMERAS.flatMap((camera) =>
    Array.from({ length: 20 }, (_, i) => {
      const raycaster = new THREE.Raycaster();
      raycaster.setFromCamera(new THREE.Vector2(((i * 7) % 20) / 10 - 1, ((i * 3) % 20) / 10 - 1), camera);
      return raycaster.intersectObject(scene).map(({ object, distance }) => `${place(object)} at ${distance}`);
    }),
  );
}

describe.each(Object.keys(EDITS))('a page that owns its matrices: %s', (name) => {
  it('is drawn and hit as in plain three, whatever came before', () => {
    for (const before of [null, ...Object.keys(EDITS).slice(0, -1)]) {
      const [plain, fast] = [false, true].map((isFast) => {
        const own = new Own();
        const index = isFast ? accelerate(own.scene) : null;
        const said: unknown[] = [];
        for (const edit of [null, before, name]) {
          if (edit !== null) EDITS[edit](own);
          for (const camera of CAMERAS) said.push(drawnBy(own.scene, camera));
          said.push(hitsIn(own.scene));
        }
        said.push(own.meshes.map(place));
        // And as three updates it, once that is asked for.
        own.scene.updateMatrixWorld();
        said.push(own.meshes.map(place), hitsIn(own.scene));
        index?.dispose();
        return said;
      });
      expect(fast, `after ${before}`).toEqual(plain);
    }
  });
});

it('is drawn in batches by the matrices that are there', async () => {
  await loadBatching();
  const all = eye(0, 0, 300);
  const told = [false, true].map((isFast) => {
    const own = new Own();
    const index = isFast ? accelerate(own.scene, { batch: { atLeast: 2 } }) : null;
    const said: unknown[] = [];
    for (let picture = 0; picture < 6; picture++) {
      if (picture > 2) moveSome(own);
      said.push(drawnTriangles(own.scene, all, all).main);
    }
    index?.dispose();
    return said;
  });
  expect(told[1]).toEqual(told[0]);
});
