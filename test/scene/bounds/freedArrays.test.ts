import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { accelerate, explain, SceneIndex } from '../../../src/index.js';
import { loadBatching } from '../../helpers/loadBatching.js';
import { drawn, loadOcclusion, wallScene } from '../../helpers/occlusion.js';
import { mainPass } from '../../helpers/passes.js';
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

function morphing(): THREE.BufferGeometry {
  const box = new THREE.BoxGeometry();
  box.morphAttributes.position = [box.attributes.position.clone() as THREE.BufferAttribute];
  return box;
}

function part(): THREE.BufferGeometry {
  const box = new THREE.BoxGeometry();
  box.setDrawRange(0, 12);
  return box;
}

function skinned(): THREE.SkinnedMesh {
  const box = new THREE.BoxGeometry();
  const { count } = box.attributes.position;
  box.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(new Uint16Array(4 * count), 4));
  const weights = Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? 1 : 0));
  box.setAttribute('skinWeight', new THREE.Float32BufferAttribute(weights, 4));
  const mesh = new THREE.SkinnedMesh(box, material);
  const bone = new THREE.Bone();
  mesh.add(bone);
  mesh.bind(new THREE.Skeleton([bone]));
  return mesh;
}

function batched(): THREE.BatchedMesh {
  const batch = new THREE.BatchedMesh(1, 24, 36, material);
  batch.addInstance(batch.addGeometry(new THREE.BoxGeometry()));
  return batch;
}

/** Objects around the origin, each with what frees all of its arrays. */
const KINDS: Readonly<Record<string, () => THREE.Mesh>> = {
  mesh: () => new THREE.Mesh(new THREE.BoxGeometry(), material),
  interleaved: () => new THREE.Mesh(interleaved(), material),
  'morph targets': () => new THREE.Mesh(morphing(), material),
  'a part of an index': () => new THREE.Mesh(part(), material),
  points: () => new THREE.Points(new THREE.BoxGeometry()) as unknown as THREE.Mesh,
  instances: () => new THREE.InstancedMesh(new THREE.BoxGeometry(), material, 4),
  skinned,
  batched,
};

const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
camera.position.z = 10;
camera.updateMatrixWorld();

describe.each(Object.entries(KINDS))('arrays of %s', (_, make) => {
  const warnings = catchWarnings();

  it.each(Object.entries(WAYS))('that were %s: with declared bounds it is found like any other', (_way, free) => {
    const object = make() as THREE.Mesh & Partial<THREE.InstancedMesh>;
    const bounded = object.boundingSphere === undefined ? object.geometry : (object as THREE.InstancedMesh);
    bounded.computeBoundingSphere();
    freeAll(object.geometry, free);
    if (object.instanceMatrix) free(object.instanceMatrix);
    // A geometry that is measured for the first time, and was never measured.
    object.geometry.boundingSphere ??= new THREE.Sphere(new THREE.Vector3(), 1);
    const scene = new THREE.Scene().add(object);
    const index = new SceneIndex(scene);
    expect(index.cull(camera)).toContain(object);
    expect(index.queryBox(new THREE.Box3(new THREE.Vector3(0, 0, 0), new THREE.Vector3(9, 9, 9)))).toContain(object);
    expect(index.queryBox(new THREE.Box3(new THREE.Vector3(5, 5, 5), new THREE.Vector3(9, 9, 9)))).toEqual([]);
    object.position.x = 6;
    index.update();
    index.touch(object);
    index.update();
    expect(index.queryBox(new THREE.Box3(new THREE.Vector3(5.6, 0, 0), new THREE.Vector3(9, 9, 9)))).toContain(object);
    expect(warnings()).toEqual([]);
    index.dispose();
  });
});

describe('arrays that were freed', () => {
  const warnings = catchWarnings();

  it('without declared bounds: it is drawn as in plain three, and one warning says what to do', () => {
    const mesh = KINDS.mesh();
    mesh.frustumCulled = false;
    freeAll(mesh.geometry, WAYS['set to null']);
    const scene = new THREE.Scene().add(mesh);
    const index = accelerate(scene);
    for (let picture = 0; picture < 3; picture++) {
      expect(mainPass(scene, camera).drawn.map(({ object }) => object)).toContain(mesh);
    }
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toContain('set geometry.boundingSphere');
    index.dispose();
  });

  it.each(Object.entries(WAYS))(
    'by being %s: an occluder no more, and out of its batch with a reason',
    async (_, free) => {
      await Promise.all([loadBatching(), loadOcclusion()]);
      const { scene, camera } = wallScene(100);
      const meshes: THREE.Mesh[] = [];
      scene.traverse((object) => void ((object as THREE.Mesh).isMesh && meshes.push(object as THREE.Mesh)));
      const own = new Map([...new Set(meshes.map(({ geometry }) => geometry))].map((each) => [each, each.clone()]));
      for (const mesh of meshes) mesh.geometry = own.get(mesh.geometry) as THREE.BufferGeometry;
      for (const geometry of own.values()) geometry.computeBoundingSphere();
      const all = drawn(scene, camera).length;
      const index = accelerate(scene, { batch: { atLeast: 2 }, occlusion: true });
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
      index.dispose();
    },
  );
});
