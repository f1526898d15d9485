import { ArrayCamera, PerspectiveCamera, Scene } from 'three';
import { describe, expect, it } from 'vitest';
import { classify, SceneIndex } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { indexOf, updated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { boxMesh } from '../../helpers/scene.js';

// That it is what three's frustum meets is tested in decisions.test.ts.
describe('what a camera sees', () => {
  it('is listed in the order in which it was made', () => {
    const next = random(3);
    const scene = new Scene();
    for (let i = 0; i < 300; i++) scene.add(boxMesh(next() * 20, next() * 20, next() * 20));
    const seen = new SceneIndex(scene).cull(eye());
    expect(seen).toEqual(scene.children.filter((child) => seen.includes(child)));
  });

  it('lacks what is hidden or on other layers, and holds what is never culled', () => {
    const [parent, child, behind] = [boxMesh(), boxMesh(1), boxMesh(0, 0, 500)];
    const scene = new Scene().add(parent.add(child), behind);
    const index = new SceneIndex(scene);
    const camera = eye(0, 0, 10, { far: 100 });
    expect(index.cull(camera)).toEqual([parent, child]);
    parent.visible = false;
    expect(index.cull(camera)).toEqual([]);
    parent.visible = true;
    child.layers.set(2);
    expect(index.cull(camera)).toEqual([parent]);
    camera.layers.enable(2);
    expect(index.cull(camera)).toEqual([parent, child]);
    behind.frustumCulled = false;
    expect(updated(index).cull(camera)).toEqual([parent, child, behind]);
    behind.visible = false;
    expect(index.cull(camera)).toEqual([parent, child]);
    scene.visible = false;
    expect(index.cull(camera)).toEqual([]);
  });

  it('is what one of the views of an ArrayCamera sees', () => {
    const [left, right, back] = [boxMesh(-30), boxMesh(30), boxMesh(0, 0, 30)];
    const index = indexOf(left, right, back);
    const camera = new ArrayCamera([-30, 30].map((x) => eye(x, 0, 10, { fov: 40, lookAt: [x, 0, 0] })));
    expect(index.cull(camera)).toEqual([left, right]);
    const target = { inside: [], intersecting: [], culled: [] };
    classify(index, camera, target);
    expect(target).toEqual({ inside: [left, right], intersecting: [], culled: [back] });
  });

  it('is seen from where the camera is now, also as part of the scene', () => {
    const [rig, mesh] = [boxMesh(0, 0, 50), boxMesh()];
    const camera = new PerspectiveCamera(60, 1, 5, 100);
    const index = indexOf(rig.add(camera), mesh);
    expect(index.cull(camera)).toEqual([mesh]);
    rig.rotation.y = Math.PI;
    expect(updated(index).cull(camera)).toEqual([]);
    camera.removeFromParent();
    camera.position.z = 10;
    expect(index.cull(camera)).toEqual([mesh]);
    camera.position.z = -10;
    expect(index.cull(camera)).toEqual([]);
  });
});
