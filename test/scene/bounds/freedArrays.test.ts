import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { explain, stats } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { accelerated, boxOf, indexOf, updated } from '../../helpers/indexed.js';
import { loadBatching } from '../../helpers/loadBatching.js';
import { drawn, loadOcclusion, wallScene } from '../../helpers/occlusion.js';
import { mainPass } from '../../helpers/passes.js';
import { allOf, batchedMesh, morphedMesh, skinnedTower } from '../../helpers/scene.js';
import { catchWarnings } from '../../helpers/warnings.js';

type Arrays = THREE.BufferAttribute | THREE.InterleavedBuffer;

/** Ways in which pages free arrays once they are uploaded. */
const WAYS: Readonly<Record<string, (of: Arrays) => void>> = {
  'set to null': (of) => Object.assign(of, { array: null }),
  deleted: (of) => Reflect.deleteProperty(of, 'array'),
  'replaced by an empty one': (of) => Object.assign(of, { array: new Float32Array(0) }),
  'sent to a worker': (of) => structuredClone(of.array.buffer, { transfer: [of.array.buffer as ArrayBuffer] }),
};

function freeAll({ attributes, index, morphAttributes }: THREE.BufferGeometry, free: (of: Arrays) => void): void {
  const all = [...Object.values(attributes), ...(morphAttributes.position ?? []), ...(index ? [index] : [])];
  const sources = all.map((each) => ('data' in each ? each.data : each) as Arrays);
  for (const source of new Set(sources)) free(source);
}

const material = new THREE.MeshBasicMaterial();

function interleaved(): THREE.BufferGeometry {
  const box = new THREE.BoxGeometry().toNonIndexed();
  const data = new THREE.InterleavedBuffer(new Float32Array([...box.attributes.position.array]), 3);
  return new THREE.BufferGeometry().setAttribute('position', new THREE.InterleavedBufferAttribute(data, 3, 0));
}

/** Objects around the origin, each with what frees all of its arrays. */
const KINDS: Readonly<Record<string, () => THREE.Mesh>> = {
  mesh: () => new THREE.Mesh(new THREE.BoxGeometry(), material),
  interleaved: () => new THREE.Mesh(interleaved(), material),
  'morph targets': morphedMesh,
  'a part of an index': () => {
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(), material);
    mesh.geometry.setDrawRange(0, 12);
    return mesh;
  },
  points: () => new THREE.Points(new THREE.BoxGeometry()) as unknown as THREE.Mesh,
  instances: () => new THREE.InstancedMesh(new THREE.BoxGeometry(), material, 4),
  skinned: skinnedTower,
  batched: () => batchedMesh(() => 0, 1),
};

const camera = eye(0, 0, 10, { far: 100 });
const warnings = catchWarnings();

describe.each(Object.entries(KINDS))('arrays of %s', (_, make) => {
  it.each(Object.entries(WAYS))('that were %s: with declared bounds it is found like any other', (_way, free) => {
    const object = make() as THREE.Mesh & Partial<THREE.InstancedMesh>;
    const bounded = object.boundingSphere === undefined ? object.geometry : (object as THREE.InstancedMesh);
    bounded.computeBoundingSphere();
    freeAll(object.geometry, free);
    if (object.instanceMatrix) free(object.instanceMatrix);
    // A geometry that is measured for the first time, and was never measured.
    object.geometry.boundingSphere ??= new THREE.Sphere(new THREE.Vector3(), 1);
    const index = indexOf(object);
    const from = (x: number, y: number, z: number) =>
      index.queryBox(new THREE.Box3(new THREE.Vector3(x, y, z), new THREE.Vector3(9, 9, 9)));
    expect([index.cull(camera), from(0, 0, 0), from(5, 5, 5)]).toEqual([[object], [object], []]);
    object.position.x = 6;
    index.update();
    index.touch(object);
    index.update();
    expect(from(5.6, 0, 0)).toEqual([object]);
    expect(warnings()).toEqual([]);
  });
});

describe('arrays that were freed', () => {
  it('without declared bounds: it is drawn as in plain three, and one warning says what to do', () => {
    const mesh = KINDS.mesh();
    mesh.frustumCulled = false;
    freeAll(mesh.geometry, WAYS['set to null']);
    const scene = new THREE.Scene().add(mesh);
    accelerated(scene);
    for (let picture = 0; picture < 3; picture++) {
      expect(mainPass(scene, camera).drawn.map(({ object }) => object)).toContain(mesh);
    }
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toContain('set geometry.boundingSphere');
  });

  it.each(Object.entries(WAYS))(
    'by being %s: an occluder no more, and out of its batch with a reason',
    async (_, free) => {
      await Promise.all([loadBatching(), loadOcclusion()]);
      const { scene, camera } = wallScene(100);
      const meshes = allOf(scene).filter((object) => (object as THREE.Mesh).isMesh) as THREE.Mesh[];
      const own = new Map([...new Set(meshes.map(({ geometry }) => geometry))].map((each) => [each, each.clone()]));
      for (const mesh of meshes) mesh.geometry = own.get(mesh.geometry) as THREE.BufferGeometry;
      for (const geometry of own.values()) geometry.computeBoundingSphere();
      const all = drawn(scene, camera).length;
      const index = accelerated(scene, { batch: { atLeast: 2 }, occlusion: true });
      for (let picture = 0; picture < 4; picture++) expect(drawn(scene, camera).length).toBeLessThan(all);
      for (const geometry of own.values()) freeAll(geometry, free);
      for (let picture = 0; picture < 4; picture++) {
        // Others wait until drawing is over.
        if (picture > 0) expect(drawn(scene, camera)).toHaveLength(all);
        else drawn(scene, camera);
        camera.position.x += 0.1;
      }
      expect(explain(index, meshes[0], camera).join()).toMatch(/has no array in memory|is too short/);
      expect(warnings()).toEqual([]);
    },
  );
});

it('vertices that only the GPU has lie in the bounds that are declared', () => {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.GLBufferAttribute({} as WebGLBuffer, 5126, 3, 4, 100) as never);
  const points = new THREE.Points(geometry);
  points.position.z = -20;
  const index = indexOf(points);
  const declare = (bounds: Partial<THREE.BufferGeometry>) => {
    Object.assign(geometry, bounds);
    index.touch(points);
    const { min, max } = boxOf(updated(index), points);
    return [...min, ...max];
  };
  expect([index.size, stats(index).quarantined]).toEqual([0, 1]);
  expect(warnings()).toEqual([expect.stringMatching(/set geometry\.boundingSphere/)]);
  expect(declare({ boundingSphere: new THREE.Sphere(new THREE.Vector3(), 5) })).toEqual([-5, -5, -25, 5, 5, -15]);
  expect(index.cull(new THREE.PerspectiveCamera())).toEqual([points]);
  const boundingBox = new THREE.Box3(new THREE.Vector3(), new THREE.Vector3(9, 9, 9));
  expect(declare({ boundingBox })).toEqual([-5, -5, -25, 9, 9, -11]);
  expect(declare({ boundingSphere: null })).toEqual([0, 0, -20, 9, 9, -11]);
});
