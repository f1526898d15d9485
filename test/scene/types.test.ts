import type { Intersection, Mesh, Object3D } from 'three';
import {
  Box3,
  BoxGeometry,
  InstancedMesh,
  Line3,
  MeshBasicMaterial,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
} from 'three';
import { expectTypeOf, it } from 'vitest';
import * as lib from '../../src/index.js';
import * as core from '../../src/standalone.js';

const camera = new PerspectiveCamera();
const [box, point, corner] = [new Box3(), new Vector3(), new Vector2()];

it('results are of the type that the index was given, without a cast', () => {
  const index = new lib.SceneIndex<Mesh>(new Scene());
  expectTypeOf(index.cull(camera)).toEqualTypeOf<Mesh[]>();
  expectTypeOf(index.queryBox(box)).toEqualTypeOf<Mesh[]>();
  expectTypeOf(index.queryPoint(point)).toEqualTypeOf<Mesh[]>();
  expectTypeOf(index.nearest(point, 3)).toEqualTypeOf<lib.ObjectDistance<Mesh>[]>();
  expectTypeOf(index.querySegment(new Line3())).toEqualTypeOf<lib.ObjectContact<Mesh>[]>();
  expectTypeOf(index.raycast(new Raycaster())).toEqualTypeOf<Intersection<Mesh>[]>();
  expectTypeOf(lib.queryScreen(index, camera, corner, corner)).toEqualTypeOf<Mesh[]>();
  expectTypeOf(lib.sweep(index, box, point)).toEqualTypeOf<lib.ObjectContact<Mesh>[]>();
  expectTypeOf(lib.findPairs(index)).toEqualTypeOf<[Mesh, Mesh][]>();
  expectTypeOf(lib.stats(index)).toEqualTypeOf<lib.SceneIndexStats>();
  expectTypeOf(new lib.PairTracker(index).entered).toEqualTypeOf<readonly lib.ObjectPair<Mesh>[]>();
  expectTypeOf(new lib.VisibilityTracker(index, camera).entered).toEqualTypeOf<readonly Mesh[]>();
  expectTypeOf(lib.accelerate<Mesh>(new Scene()).cull(camera)).toEqualTypeOf<Mesh[]>();
  const lists = { inside: [] as Mesh[], intersecting: [] as Mesh[] };
  lib.classify(index, camera, lists);
});

it('without a type they are objects', () => {
  const index = new lib.SceneIndex(new Scene());
  expectTypeOf(index.cull(camera)).toEqualTypeOf<Object3D[]>();
  expectTypeOf(lib.findPairs(new core.Bvh())).toEqualTypeOf<core.IdPairs>();
  // An index of meshes is one of objects.
  expectTypeOf(new lib.SceneIndex<Mesh>(new Scene())).toExtend<lib.SceneIndex>();
});

it('an index of instances has the type of its mesh', () => {
  const index = new lib.InstanceIndex(new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 2));
  expectTypeOf(index.mesh.instanceMatrix).toEqualTypeOf<InstancedMesh['instanceMatrix']>();
  expectTypeOf(index.raycast(new Raycaster())).toExtend<Intersection<InstancedMesh>[]>();
  expectTypeOf(index).toExtend<lib.InstanceIndex>();
});
