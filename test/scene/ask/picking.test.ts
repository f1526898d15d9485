import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { createIndex, SceneIndex, STRUCTURES } from '../../../src/index.js';
import { updated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { boxMesh, mixedScene, strewn } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';
import { seeds } from '../../helpers/width.js';

const camera = new THREE.PerspectiveCamera();
camera.position.set(0, 0, 80);
camera.updateMatrixWorld();

function randomRay(next: () => number): THREE.Raycaster {
  const origin = new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(120);
  const target = new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(40);
  const raycaster = new THREE.Raycaster(origin, target.sub(origin).normalize());
  raycaster.camera = camera;
  if (next() < 0.3) raycaster.near = next() * 40;
  if (next() < 0.3) raycaster.far = raycaster.near + next() * 80;
  raycaster.params.Line.threshold = next() < 0.5 ? 0.2 : 1;
  raycaster.params.Points.threshold = next() < 0.5 ? 0.3 : 1;
  return raycaster;
}

function expectSamePicks(index: SceneIndex, scene: THREE.Scene, raycaster: THREE.Raycaster): number {
  const expected = raycaster.intersectObject(scene);
  const got = index.raycast(raycaster);
  const tell = (hits: THREE.Intersection[]): unknown[] => hits.map((hit) => ({ ...hit, object: hit.object.uuid }));
  expect(tell(got)).toEqual(tell(expected));
  const first = index.raycastFirst(raycaster);
  expect(first ? tell([first]) : []).toEqual(tell(expected.slice(0, 1)));
  return expected.length;
}

describe.each(STRUCTURES)('picking with %s', (structure) => {
  it.each(seeds(4, 1))('gives what three gives over mixed objects, seed %i', (seed) => {
    const next = random(seed);
    const scene = mixedScene(next, 150);
    const index = new SceneIndex(scene, { index: createIndex(structure, { capacity: 4 }) });
    let hits = 0;
    for (let i = 0; i < 150; i++) hits += expectSamePicks(index, scene, randomRay(next));
    expect(hits).toBeGreaterThan(50);
  });
});

describe('picking', () => {
  const down = new THREE.Raycaster(new THREE.Vector3(0, 10, 0), new THREE.Vector3(0, -1, 0));

  it('keeps the order of the scene among hits at the same distance', () => {
    const scene = new THREE.Object3D() as THREE.Scene;
    const meshes = [boxMesh(), boxMesh(), boxMesh(), boxMesh()];
    scene.add(meshes[0], meshes[1]);
    const index = new SceneIndex(scene);
    scene.add(meshes[2]);
    meshes[1].add(meshes[3]);
    index.update();
    expectSamePicks(index, scene, down);
    expect(index.raycast(down).map((hit) => hit.object)[0]).toBe(meshes[0]);
  });

  it('respects layers, not visibility, as three does', () => {
    const scene = new THREE.Object3D() as THREE.Scene;
    const [near, far] = [boxMesh(0, 2, 0), boxMesh(0, -2, 0)];
    scene.add(near, far);
    near.layers.set(3);
    far.visible = false;
    const index = new SceneIndex(scene);
    expectSamePicks(index, scene, down);
    expect(index.raycastFirst(down)?.object).toBe(far);
  });

  it('calls a raycast of the user, wherever the object is, and honours its false', () => {
    const scene = new THREE.Object3D() as THREE.Scene;
    const group = new THREE.Object3D();
    const inside = boxMesh(0, 0, 0);
    scene.add(group);
    group.add(inside);
    const index = new SceneIndex(scene);
    expect(index.raycastFirst(down)?.object).toBe(inside);
    group.raycast = (_raycaster, hits) => {
      hits.push({ distance: 1, point: new THREE.Vector3(), object: group });
      return false as never;
    };
    index.update();
    expectSamePicks(index, scene, down);
    expect(index.raycast(down)).toHaveLength(1);
    const mesh = boxMesh(500, 0, 0);
    mesh.raycast = (_raycaster, hits) => {
      hits.push({ distance: 0.5, point: new THREE.Vector3(), object: mesh });
    };
    scene.add(mesh);
    index.update();
    expectSamePicks(index, scene, down);
    expect(index.raycastFirst(down)?.object).toBe(mesh);
  });

  it('widens the threshold of points with the scale they have come to', () => {
    const scene = new THREE.Object3D() as THREE.Scene;
    const parent = new THREE.Object3D();
    const points = new THREE.Points(strewn(random(1), 1), new THREE.PointsMaterial());
    points.geometry.attributes.position.setXYZ(0, 0, 0, 0);
    parent.add(points);
    scene.add(parent);
    const index = new SceneIndex(scene);
    parent.scale.setScalar(10);
    index.update();
    // Nine units beside the point: within the threshold of 1 in the space of the points, beyond it in the world.
    const raycaster = new THREE.Raycaster(new THREE.Vector3(9, 10, 0), new THREE.Vector3(0, -1, 0));
    points.geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), 5);
    expect(expectSamePicks(index, scene, raycaster)).toBe(1);
  });

  it('finds sprites that keep their size on screen', () => {
    const scene = new THREE.Object3D() as THREE.Scene;
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ sizeAttenuation: false }));
    scene.add(sprite);
    const index = new SceneIndex(scene);
    const raycaster = new THREE.Raycaster();
    const eye = new THREE.PerspectiveCamera(50, 1, 0.1, 1000);
    eye.position.z = 100;
    eye.updateMatrixWorld();
    raycaster.setFromCamera({ x: 0.5, y: 0.5 } as never, eye);
    expect(expectSamePicks(index, scene, raycaster)).toBe(1);
  });

  it('picks a LOD as three does, levels and all', () => {
    const scene = new THREE.Object3D() as THREE.Scene;
    const lod = new THREE.LOD();
    lod.addLevel(boxMesh(0, 0, 0, 2), 0);
    lod.addLevel(boxMesh(0, 1, 0), 20);
    scene.add(lod);
    const index = new SceneIndex(scene);
    expect(index.size).toBe(1);
    expectSamePicks(index, scene, down);
  });

  it('survives a raycast that throws, or changes the scene', () => {
    const scene = new THREE.Object3D() as THREE.Scene;
    const [bad, good] = [boxMesh(0, 2, 0), boxMesh(0, 0, 0)];
    scene.add(bad, good);
    const index = new SceneIndex(scene);
    bad.raycast = () => {
      throw new Error('mine');
    };
    index.update();
    expect(() => index.raycast(down)).toThrow('mine');
    bad.raycast = () => {
      scene.remove(good);
    };
    expect(updated(index).raycast(down)).toEqual([]);
    expect(validateScene(index)).toEqual([]);
    bad.raycast = THREE.Mesh.prototype.raycast;
    index.update();
    expectSamePicks(index, scene, down);
  });
});
