import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { SceneIndex } from '../../../src/index.js';
import { throwIt } from '../../helpers/failures.js';
import { accelerated, indexed, updated } from '../../helpers/indexed.js';
import { boxMesh } from '../../helpers/scene.js';

const alongX = () => new THREE.Raycaster(new THREE.Vector3(-100, 0, 0), new THREE.Vector3(1, 0, 0));

describe('of objects that stood still an update notices', () => {
  it.each([
    ['an accelerated scene', accelerated],
    ['an index', indexed],
  ] as const)('a `raycast` of its own, and one of its class: %s', (_label, make) => {
    class Marker extends THREE.Mesh {}
    const [own, ofClass] = [boxMesh(0, 50), new Marker(new THREE.BoxGeometry()).translateY(50)];
    const index = make(new THREE.Scene().add(own, ofClass));
    for (let i = 0; i < 3; i++) index.update();
    expect(index.raycast(alongX())).toEqual([]);
    const hitAnywhere: THREE.Mesh['raycast'] = function (this: THREE.Mesh, _, hits) {
      hits.push({ distance: 1, point: new THREE.Vector3(), object: this });
    };
    own.raycast = hitAnywhere;
    Marker.prototype.raycast = hitAnywhere;
    const hits = updated(index).raycast(alongX());
    expect(hits.map(({ object }) => object)).toEqual([own, ofClass]);
  });

  it('an edit made before an update that ends in an exception', () => {
    const [mesh, broken] = [boxMesh(), new THREE.Group()];
    mesh.geometry = new THREE.BoxGeometry();
    const index = indexed(new THREE.Scene().add(broken, mesh));
    for (let i = 0; i < 3; i++) index.update();
    mesh.geometry.translate(7, 0, 0);
    broken.updateMatrixWorld = () => throwIt(new Error('no'));
    expect(() => index.update()).toThrow('no');
    broken.removeFromParent();
    expect(updated(index).queryPoint(new THREE.Vector3(7, 0, 0))).toEqual([mesh]);
  });
});

describe('several indices of one scene', () => {
  const heights = (scene: THREE.Scene): number[] => scene.children.map(({ matrixWorld }) => matrixWorld.elements[13]);
  const stacked = (count: number, isAccelerated = false) => {
    const scene = new THREE.Scene().add(...Array.from({ length: 40 }, (_, i) => boxMesh(10 * i)));
    const indices = Array.from({ length: count }, (_, i) =>
      isAccelerated && i === 0 ? accelerated(scene) : indexed(scene),
    );
    for (let i = 0; i < 3; i++) for (const index of indices) index.update();
    return { scene, indices };
  };

  it.each([
    [2, false],
    [2, true],
    [7, false],
  ])('%i of them, accelerated %s, each see what moved and came back between their updates', (count, isAccelerated) => {
    const { scene, indices } = stacked(count, isAccelerated);
    for (let round = 0; round < 2 * count; round++) {
      for (const mesh of scene.children) mesh.position.y = 50;
      indices[round % count].update();
      expect(heights(scene)).toEqual(scene.children.map(() => 50));
      for (const mesh of scene.children) mesh.position.y = 0;
      const other = indices[(round + 1) % count];
      other.update();
      expect(heights(scene)).toEqual(scene.children.map(() => 0));
      expect(other.raycast(alongX())).toHaveLength(4 * scene.children.length);
    }
    for (const index of indices) index.dispose();
    for (const mesh of scene.children) expect(mesh.matrixWorldNeedsUpdate).toBe(false);
  });

  it('leave nothing that a later one takes for its own', () => {
    for (let round = 0; round < 20; round++) {
      const { scene, indices } = stacked(2);
      indices[round % 2].dispose();
      const [kept, late] = [indices[(round + 1) % 2], new SceneIndex(scene)];
      for (const index of [kept, late, kept, late]) index.update();
      for (const mesh of scene.children) mesh.position.y = 50;
      late.update();
      for (const mesh of scene.children) mesh.position.y = 0;
      kept.update();
      expect(heights(scene)).toEqual(scene.children.map(() => 0));
      kept.dispose();
      late.dispose();
    }
  });
});
