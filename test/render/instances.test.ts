import * as THREE from 'three';
import { MeshBasicNodeMaterial } from 'three/webgpu';
import { beforeAll, describe, expect, it } from 'vitest';
import { accelerate, explain } from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { setClock, stopClock } from '../helpers/clock.js';
import { loadBatchCode } from '../helpers/drawnByIndex.js';
import { accelerated } from '../helpers/indexed.js';
import { mainPass } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { anyCamera, anyMatrix, idsOf, instancedCrowd, placeAnywhere } from '../instances/table/crowds.js';

stopClock();

const COUNT = 500;
const REACH = 20;

beforeAll(loadBatchCode);

const crowd = (seed: number): THREE.InstancedMesh => {
  const mesh = instancedCrowd(random(seed), COUNT, REACH);
  mesh.castShadow = true;
  return mesh;
};

/** A scene of these objects, accelerated. */
function sceneOf(...objects: THREE.Object3D[]): THREE.Scene {
  const scene = new THREE.Scene().add(...objects);
  accelerated(scene);
  return scene;
}

/** A camera in a corner that sees a part of the crowd. */
const corner = (far = 20): THREE.PerspectiveCamera => eye(-REACH, 0, -REACH, { fov: 30, far });

type Instances = THREE.InstancedMesh;

/** What a pass of the camera draws for a mesh; undefined for nothing. */
function drawnFor(mesh: Instances, scene: THREE.Scene, camera: THREE.Camera, isSorted = true): Instances | undefined {
  const found = mainPass(scene, camera, isSorted).drawn.filter(({ object }) => object.id === mesh.id);
  expect(found.length).toBeLessThan(2);
  return found[0]?.object as Instances | undefined;
}

/** What a shader takes of the vertices, and of each target. */
function weightsOf({ morphTexture }: Instances, row: number): number[] {
  const { data, width } = (morphTexture as THREE.DataTexture).image;
  return [...(data as Float32Array).subarray(row * width, (row + 1) * width)];
}

/** Instances with a vertex in view, by three's own matrices. */
function visibleOf(mesh: Instances, camera: THREE.Camera): number[] {
  const toClip = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  toClip.multiply(mesh.matrixWorld);
  const { geometry } = mesh;
  const { position } = geometry.attributes;
  const targets = geometry.morphAttributes.position ?? [];
  const visible: number[] = [];
  const matrix = new THREE.Matrix4();
  const vertex = new THREE.Vector4();
  const moved = new THREE.Vector4();
  for (let i = 0; i < mesh.count; i++) {
    mesh.getMatrixAt(i, matrix);
    matrix.premultiply(toClip);
    const [base, ...weights] = targets.length === 0 ? [1] : weightsOf(mesh, i);
    for (let v = 0; v < position.count; v++) {
      vertex.fromBufferAttribute(position as THREE.BufferAttribute, v).multiplyScalar(base);
      for (let k = 0; k < weights.length; k++) {
        vertex.addScaledVector(moved.fromBufferAttribute(targets[k] as THREE.BufferAttribute, v), weights[k]);
      }
      vertex.setW(1).applyMatrix4(matrix);
      const { x, y, z, w } = vertex;
      if (Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) > w) continue;
      visible.push(i);
      break;
    }
  }
  return visible;
}

/** Fails unless a pass draws a part of the instances, in order, with all that have a vertex in view. */
function expectPart(mesh: Instances, drawn: Instances | undefined, camera: THREE.Camera): number[] {
  const ids = idsOf(mesh, drawn);
  expect(ids).not.toContain(-1);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  const drawnIds = new Set(ids);
  expect(visibleOf(mesh, camera).filter((id) => !drawnIds.has(id))).toEqual([]);
  return ids;
}

describe('instances of an accelerated scene', () => {
  it.each([1, 2, 3, 4, 5, 6])('are drawn if they are in view, seed %i', (seed) => {
    const next = random(100 + seed);
    const mesh = crowd(seed);
    if (seed % 2 === 0) for (let i = 0; i < COUNT; i++) mesh.setColorAt(i, new THREE.Color(next(), next(), next()));
    placeAnywhere(mesh, next, true);
    const scene = sceneOf(new THREE.Group().add(mesh), new THREE.DirectionalLight());
    let parts = 0;
    for (let frame = 0; frame < 40; frame++) {
      const camera = anyCamera(next, REACH);
      const drawn = drawnFor(mesh, scene, camera, frame % 3 > 0);
      const ids = expectPart(mesh, drawn, camera);
      if (drawn !== mesh && ids.length > 0) parts++;
      expect(drawn === mesh || ids.length <= COUNT / 2).toBe(true);
      for (let i = frame % 5; i < COUNT; i += 50) mesh.setMatrixAt(i, anyMatrix(next, REACH));
      mesh.instanceMatrix.needsUpdate = true;
      if (frame % 7 === 0) mesh.rotateY(0.3);
      if (frame === 20) mesh.count = COUNT - 100;
      if (frame === 30) mesh.count = COUNT;
    }
    expect(parts).toBeGreaterThan(10);
  });

  it('are packed anew only where others are seen', () => {
    const mesh = crowd(7);
    const scene = sceneOf(mesh);
    const camera = corner();
    const { instanceMatrix } = drawnFor(mesh, scene, camera) as Instances;
    const { version } = instanceMatrix;
    expect(drawnFor(mesh, scene, camera)?.instanceMatrix).toBe(instanceMatrix);
    expect(instanceMatrix.version).toBe(version);
    instanceMatrix.clearUpdateRanges();
    camera.rotateY(0.02);
    const ids = expectPart(mesh, drawnFor(mesh, scene, camera), camera);
    expect(instanceMatrix.version).toBe(version + 1);
    const [{ start, count }] = instanceMatrix.updateRanges;
    expect(count).toBeLessThanOrEqual(16 * ids.length - start);
    // What is not uploaded yet is not forgotten.
    camera.rotateY(-0.02);
    drawnFor(mesh, scene, camera);
    expect(instanceMatrix.updateRanges).toHaveLength(1);
    expect(instanceMatrix.updateRanges[0].start).toBeLessThanOrEqual(start);
    // One that moves is all that is uploaded.
    const [, , third] = idsOf(mesh, drawnFor(mesh, scene, camera));
    const matrix = new THREE.Matrix4();
    mesh.getMatrixAt(third, matrix);
    mesh.setMatrixAt(third, matrix.premultiply(new THREE.Matrix4().makeTranslation(0.01, 0, 0)));
    mesh.instanceMatrix.needsUpdate = true;
    instanceMatrix.clearUpdateRanges();
    drawnFor(mesh, scene, camera);
    expect(instanceMatrix.updateRanges).toEqual([{ start: 32, count: 16 }]);
  });

  it.each([false, true])('go with the weights of their morph targets, relative: %s', (isRelative) => {
    const next = random(15);
    const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial(), COUNT);
    const { geometry } = mesh;
    const { position } = geometry.attributes;
    const stretch = (x: number, y: number): THREE.BufferAttribute => {
      const target = position.clone() as THREE.BufferAttribute;
      for (let v = 0; v < target.count; v++) {
        const [sx, sy] = isRelative ? [0, 0] : [target.getX(v), target.getY(v)];
        target.setXYZ(v, sx + x * position.getX(v), sy + y, isRelative ? 0 : target.getZ(v));
      }
      return target;
    };
    geometry.morphTargetsRelative = isRelative;
    geometry.morphAttributes.position = [stretch(2, 0), stretch(0, 2)];
    mesh.updateMorphTargets();
    const weigh = (i: number): void => {
      mesh.morphTargetInfluences = [4 * next() - 1, 2 * next()];
      mesh.setMorphAt(i, mesh);
    };
    for (let i = 0; i < COUNT; i++) {
      mesh.setMatrixAt(i, anyMatrix(next, 5 * REACH));
      weigh(i);
    }
    const scene = sceneOf(mesh);
    let parts = 0;
    for (let frame = 0; frame < 60; frame++) {
      const camera = anyCamera(next, 5 * REACH);
      const drawn = drawnFor(mesh, scene, camera);
      const ids = expectPart(mesh, drawn, camera);
      if (drawn !== undefined && drawn !== mesh) parts++;
      for (const [row, id] of ids.entries()) expect(weightsOf(drawn as Instances, row)).toEqual(weightsOf(mesh, id));
      weigh(frame);
      (mesh.morphTexture as THREE.DataTexture).needsUpdate = true;
    }
    expect(parts).toBeGreaterThan(5);
  });

  it('are drawn wherever they are if their matrices are projective, or NaN', () => {
    const mesh = crowd(16);
    const bent = new THREE.Matrix4().setPosition(0, 500, 0);
    bent.elements[7] = 0.3;
    mesh.setMatrixAt(7, bent);
    mesh.setMatrixAt(9, new THREE.Matrix4().setPosition(Number.NaN, 0, 0));
    const drawn = drawnFor(mesh, sceneOf(mesh), corner());
    expect(drawn).not.toBe(mesh);
    expect(idsOf(mesh, drawn)).toEqual(expect.arrayContaining([7, 9]));
  });

  it.each([
    [0.1, 10_000],
    [1, 5000],
  ])('are drawn just beyond a far plane that is rounded, near %f and far %i', (near, far) => {
    const count = 2000;
    const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial(), count);
    const next = random(18);
    // Half of them on both sides of the plane, the others behind the camera.
    for (let i = 0; i < count; i++) {
      const depth = i % 2 === 0 ? far * (1 + 0.1 * (next() - 0.5)) : -far * next();
      const [x, y] = [0, 0].map(() => 0.2 * far * (next() - 0.5));
      mesh.setMatrixAt(i, new THREE.Matrix4().setPosition(x, y, -depth));
    }
    const camera = new THREE.PerspectiveCamera(60, 1, near, far);
    const ids = new Set(idsOf(mesh, drawnFor(mesh, sceneOf(mesh), camera)));
    const single = camera.projectionMatrix.elements.map(Math.fround);
    for (let i = 0; i < count; i += 2) {
      const z = mesh.instanceMatrix.array[16 * i + 14];
      // In clip space, as a graphics card has it.
      const isWithin = Math.fround(Math.fround(single[10] * z) + single[14]) <= Math.fround(-z);
      if (isWithin) expect(ids.has(i), `at ${-z}`).toBe(true);
    }
    expect(ids.size).toBeLessThan(count / 2);
  });

  it('are drawn with materials that have holes, and where they are of no use', () => {
    const mesh = crowd(19);
    const scene = sceneOf(mesh);
    mesh.material = [new THREE.MeshBasicMaterial(), null as never];
    mesh.customDepthMaterial = null as never;
    expect(drawnFor(mesh, scene, corner())).not.toBe(mesh);
    mesh.geometry = mesh.geometry.clone();
    mesh.geometry.setAttribute('position', new THREE.GLBufferAttribute({} as never, 5126, 3, 4, 24) as never);
    mesh.frustumCulled = false;
    expect(drawnFor(mesh, scene, corner())).toBe(mesh);
  });

  it('are left out with the whole mesh where three leaves that out, by a sphere of long ago', () => {
    const mesh = crowd(17);
    const scene = sceneOf(mesh);
    expect(drawnFor(mesh, scene, corner())).not.toBe(mesh);
    mesh.boundingSphere = new THREE.Sphere(new THREE.Vector3(0, 900, 0), 1);
    expect(drawnFor(mesh, scene, corner())).toBe(undefined);
  });

  it('are all drawn where most are seen, most move, or there are few', () => {
    const mesh = crowd(9);
    const few = instancedCrowd(random(10), 100, REACH);
    const scene = new THREE.Scene().add(mesh, few);
    const index = accelerate(scene);
    expect(drawnFor(mesh, scene, eye())).toBe(mesh);
    // It is not asked about again at once.
    drawnFor(mesh, scene, corner());
    expect(drawnFor(mesh, scene, corner())).not.toBe(mesh);
    expect([few, undefined]).toContain(drawnFor(few, scene, corner()));
    index.dispose();
    expect(drawnFor(mesh, scene, corner())).toBe(mesh);
  });

  it('are all drawn until their index is built', () => {
    const mesh = instancedCrowd(random(11), 20_000, 200);
    const scene = new THREE.Scene().add(mesh);
    setClock(0.1);
    const index = accelerated(scene);
    const camera = corner(50);
    expect(drawnFor(mesh, scene, camera)).toBe(mesh);
    expect(explain(index, mesh, camera).join()).toContain('being built');
    while (drawnFor(mesh, scene, camera) === mesh);
    expectPart(mesh, drawnFor(mesh, scene, camera), camera);
    expect(explain(index, mesh, camera)).toEqual(['It is drawn.']);
    // As many as these are measured bit by bit.
    for (let i = 0; i < 10_000; i++) mesh.setMatrixAt(i, anyMatrix(Math.random, 100));
    mesh.instanceMatrix.needsUpdate = true;
    expect(drawnFor(mesh, scene, camera)).toBe(mesh);
    while (drawnFor(mesh, scene, camera) === mesh);
    expectPart(mesh, drawnFor(mesh, scene, camera), camera);
  });

  it('leave nothing behind', () => {
    const mesh = crowd(12);
    mesh.addEventListener('removed', () => {});
    const before = Object.getOwnPropertyNames(mesh);
    const scene = new THREE.Scene().add(mesh);
    const index = accelerate(scene);
    const drawn = drawnFor(mesh, scene, corner()) as Instances;
    expect(drawn).not.toBe(mesh);
    let freed = 0;
    drawn.addEventListener('dispose', () => freed++);
    index.dispose();
    expect(freed).toBe(1);
    expect(Object.getOwnPropertyNames(mesh)).toEqual(before);
    expect((mesh as unknown as { _listeners: { dispose?: unknown[] } })._listeners.dispose ?? []).toEqual([]);
  });
});

describe('all instances are drawn', () => {
  const cases = Object.entries<(mesh: Instances, scene: THREE.Scene) => void>({
    'its frustumCulled': (mesh) => (mesh.frustumCulled = false),
    'only meshes of': (mesh) => (mesh.count = 10),
    morphTexture: (mesh) => (mesh.morphTexture = new THREE.DataTexture(new Uint8Array(2 * COUNT), 2, COUNT)),
    'instanced attribute speed': (mesh) =>
      mesh.geometry.setAttribute('speed', new THREE.InstancedBufferAttribute(new Float32Array(COUNT), 1)),
    ShaderMaterial: (mesh) => (mesh.material = new THREE.ShaderMaterial()),
    onBeforeCompile: (mesh) => Object.assign(mesh.material, { onBeforeCompile: () => {} }),
    displacementMap: (mesh) => (mesh.material = new THREE.MeshStandardMaterial({ displacementMap: {} as never })),
    positionNode: (mesh) => Object.assign(mesh.material, { isNodeMaterial: true, positionNode: {} }),
    'material places vertices': (mesh) =>
      (mesh.material = Object.assign(new MeshBasicNodeMaterial(), { setupPosition: () => null as never })),
    'places vertices': (mesh) => {
      class Waving extends MeshBasicNodeMaterial {
        override setupVertex() {
          return null as never;
        }
      }
      mesh.material = new Waving();
    },
    customDepth: (mesh) => (mesh.customDepthMaterial = new THREE.ShaderMaterial()),
    'own onBeforeRender': (mesh) => (mesh.onBeforeRender = () => {}),
    'has an onBeforeRender': (mesh) => Object.assign(mesh.material, { onBeforeRender: () => {} }),
    occlusion: (mesh) => Object.assign(mesh, { occlusionTest: true }),
    instanceColor: (mesh) => (mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(30), 3)),
    'lies below': (mesh, scene) =>
      scene.add(new THREE.LineSegments(new THREE.BoxGeometry(50, 50, 50), new THREE.LineBasicMaterial()).add(mesh)),
  });

  it.each(cases)('where %s', (why, change) => {
    const mesh = crowd(13);
    mesh.geometry = mesh.geometry.clone();
    mesh.material = new THREE.MeshBasicMaterial();
    const scene = new THREE.Scene().add(mesh);
    const index = accelerated(scene);
    const camera = corner();
    expect(drawnFor(mesh, scene, camera)).not.toBe(mesh);
    change(mesh, scene);
    expect(drawnFor(mesh, scene, camera)).toBe(mesh);
    const reasons = explain(index, mesh, camera).filter((reason) => reason.includes('instances'));
    expect(reasons).toEqual([expect.stringContaining(why === 'customDepth' ? 'ShaderMaterial' : why)]);
  });

  it('in a scene whose materials are all overridden by a shader', () => {
    const mesh = crowd(14);
    const scene = sceneOf(mesh, new THREE.Mesh());
    scene.overrideMaterial = new THREE.MeshBasicMaterial();
    expect(drawnFor(mesh, scene, corner())).not.toBe(mesh);
    scene.overrideMaterial = new THREE.ShaderMaterial();
    expect(drawnFor(mesh, scene, corner())).toBe(mesh);
  });
});
