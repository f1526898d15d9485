import { Group, Raycaster, Scene, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { createIndex, SceneIndex } from '../../../src/index.js';
import { STRUCTURES } from '../../../src/standalone.js';
import { eye } from '../../helpers/cameras.js';
import { entriesOf, indexOf } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { boxMesh, mixedScene } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';

describe.each(STRUCTURES)('a world in a %s that moves its origin', (structure) => {
  it.each([1, 2, 3])('is where it is, at rest or not, as a new index has it: seed %i', (seed) => {
    const next = random(seed);
    const world = mixedScene(next, 120);
    const scene = new Scene().add(world);
    const index = new SceneIndex(scene, { structure: createIndex(structure) });
    index.setStatic(seed === 1 ? scene : world.children[0]);
    index.update();
    const camera = eye(20, 10, 60, { far: 200, lookAt: [20, 10, 0] });
    scene.add(camera);
    for (const [x, y, z] of [
      [-1e5, 0.1, 3e4],
      [1 / 3, -7, 1e7],
    ]) {
      world.position.add(new Vector3(x, y, z));
      camera.position.add(new Vector3(x, y, z));
      index.translate(x, y, z);
      const fresh = new SceneIndex(scene);
      expect(entriesOf(index)).toEqual(entriesOf(fresh));
      expect(validateScene(index)).toEqual([]);
      expect(new Set(index.cull(camera))).toEqual(new Set(fresh.cull(camera)));
      const caster = Object.assign(new Raycaster(), { camera });
      caster.set(camera.position, new Vector3(-0.3, -0.1, -1).normalize());
      expect(index.raycast(caster)).toEqual(caster.intersectObject(scene));
      fresh.dispose();
    }
  });
});

describe('translate', () => {
  it('finds objects that did not move, or moved otherwise, where they are', () => {
    const [still, mover] = [boxMesh(0), boxMesh(5)];
    const index = indexOf(still, mover);
    index.setStatic(still);
    mover.position.x = 300;
    index.translate(100, 0, 0);
    expect(index.queryPoint(new Vector3(0, 0, 0))).toEqual([still]);
    expect(index.queryPoint(new Vector3(300, 0, 0))).toEqual([mover]);
    expect(index.queryPoint(new Vector3(100, 0, 0))).toEqual([]);
  });

  it('takes along what is followed elsewhere, and what is above the root', () => {
    const world = new Group();
    const [root, elsewhere] = [new Group().add(boxMesh(0)), boxMesh(3)];
    world.add(root);
    const index = new SceneIndex(root);
    index.add(elsewhere);
    index.update();
    index.setStatic(root);
    index.setStatic(elsewhere);
    index.update();
    world.position.x = elsewhere.position.x = 50;
    elsewhere.position.x += 3;
    index.translate(50, 0, 0);
    expect(index.queryPoint(new Vector3(50, 0, 0))).toEqual(root.children);
    expect(index.queryPoint(new Vector3(53, 0, 0))).toEqual([elsewhere]);
  });
});
