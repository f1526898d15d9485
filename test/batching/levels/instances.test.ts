import {
  type BufferGeometry,
  type Camera,
  Color,
  InstancedMesh,
  Matrix4,
  type Mesh,
  MeshStandardMaterial,
  type Object3D,
  PerspectiveCamera,
  Vector3,
} from 'three';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { report } from '../../../src/index.js';
import { cameraPass, frustumOf, withinRender } from '../../helpers/passes.js';
import { random } from '../../helpers/random.js';
import { loadAllBatching } from '../Stage.js';
import { Crowd, HEIGHT, knot } from './Crowd.js';

beforeAll(loadAllBatching);
afterEach(() => vi.restoreAllMocks());

/** So many instances of a geometry, from near the origin to far away. */
function forest(count: number, seed: number, geometry: BufferGeometry = knot): InstancedMesh {
  const next = random(seed);
  const mesh = new InstancedMesh(geometry, new MeshStandardMaterial(), count);
  mesh.castShadow = true;
  const matrix = new Matrix4();
  const turn = new Matrix4();
  for (let i = 0; i < count; i++) {
    matrix.makeTranslation(200 * (next() - 0.5), 60 * (next() - 0.5), -5 - 400 * next() ** 2);
    const size = 0.2 + 2 * next();
    matrix.multiply(turn.makeRotationX(6 * next())).scale(new Vector3(size, size * (0.5 + next()), size));
    mesh.setMatrixAt(i, matrix);
    mesh.setColorAt(i, new Color(next(), next(), next()));
  }
  return mesh;
}

function lens(): PerspectiveCamera {
  return new PerspectiveCamera(50, 2, 0.1, 1000);
}

interface DrawnInstance {
  readonly count: number;
  readonly geometry: BufferGeometry;
  readonly color: string;
}

/** What some drawn objects show of the instances of a mesh, by the numbers of their matrices. */
function instancesOf(mesh: InstancedMesh, objects: readonly Object3D[]): Map<string, DrawnInstance> {
  const shown = new Map<string, DrawnInstance>();
  for (const object of objects as InstancedMesh[]) {
    if (object !== mesh && !Object.prototype.isPrototypeOf.call(mesh, object)) continue;
    const { geometry, count, instanceMatrix, instanceColor } = object;
    for (let i = 0; i < count; i++) {
      const key = instanceMatrix.array.slice(16 * i, 16 * i + 16).join();
      expect(shown.has(key)).toBe(false);
      const color = String(instanceColor?.array.slice(3 * i, 3 * i + 3));
      shown.set(key, { geometry, count: (geometry.index ?? geometry.attributes.position).count, color });
    }
  }
  return shown;
}

const keyOf = ({ instanceMatrix: { array } }: InstancedMesh, id: number): string =>
  array.slice(16 * id, 16 * id + 16).join();

function drawn(crowd: Crowd, camera: Camera): Object3D[] {
  const { renderer, scene } = crowd;
  camera.updateMatrixWorld();
  scene.updateMatrixWorld();
  return withinRender(renderer, scene, camera, () => cameraPass(scene, camera, frustumOf(camera)).drawn).map(
    ({ object }) => object,
  );
}

async function settled(mesh: InstancedMesh, camera: Camera, options = {}): Promise<Crowd> {
  const crowd = new Crowd([mesh], {}, options);
  await crowd.settle(camera);
  // The index of the instances may come after their levels.
  for (let i = 0; i < 3; i++) drawn(crowd, camera);
  return crowd;
}

/** Pixels of a unit of an instance, at the point of its ball nearest to the eye, in the corner of the picture. */
function pixelsOf(mesh: InstancedMesh, id: number, camera: PerspectiveCamera): number {
  const matrix = new Matrix4();
  mesh.getMatrixAt(id, matrix);
  // No vector is stretched by more than both matrices stretch any.
  const scale = matrix.getMaxScaleOnAxis() * mesh.matrixWorld.getMaxScaleOnAxis();
  matrix.premultiply(mesh.matrixWorld);
  const { center, radius } = mesh.geometry.boundingSphere as never as { center: Vector3; radius: number };
  const away = center.clone().applyMatrix4(matrix).distanceTo(camera.position) - scale * radius;
  const p = camera.projectionMatrix.elements;
  return (scale * (HEIGHT / 2) * p[5] * (1 + 1 / p[0] ** 2 + 1 / p[5] ** 2)) / Math.max(away, camera.near);
}

describe('instances by levels of detail', () => {
  it.each([3, 400])(
    '%d of them: each in view is drawn once, by the coarsest level that is off by at most half a pixel',
    async (count) => {
      const mesh = forest(count, 7);
      mesh.position.set(3, 1, 0);
      mesh.scale.set(1.5, 1, 1);
      const camera = lens();
      const crowd = await settled(mesh, camera);
      const fresh = lens();
      const objects = drawn(crowd, fresh);
      const shown = instancesOf(mesh, objects);
      const levels = levelsOf(crowd, mesh);
      expect(levels.counts.length).toBeGreaterThan(2);
      const seen = new Set<number>();
      for (let id = 0; id < count; id++) {
        const one = shown.get(keyOf(mesh, id));
        if (one === undefined) {
          expect(isSeen(mesh, id, fresh), String(id)).toBe(false);
          continue;
        }
        const pixels = pixelsOf(mesh, id, fresh);
        const level = levels.errors.filter((error) => error * pixels <= 0.5 * (1 + 1e-6)).length;
        const exact = levels.errors.filter((error) => error * pixels <= 0.5 * (1 - 1e-6)).length;
        const all = [knot.index?.count, ...levels.counts];
        expect([all[level], all[exact]], String(id)).toContain(one.count);
        expect(one.color).toBe(String(mesh.instanceColor?.array.slice(3 * id, 3 * id + 3)));
        seen.add(one.count);
      }
      expect(seen.size).toBeGreaterThan(count > 3 ? 3 : 0);
      expect(crowd.say(mesh, camera)).toMatch(/Its instances have \d+ levels of detail: in the last picture/);
      const [{ triangles }] = report(crowd.index).filter(({ reason }) => /drawn by levels/.test(reason));
      const sum = [...shown.values()].reduce((total, one) => total + one.count / 3, 0);
      expect(triangles).toEqual({ drawn: sum, spared: (shown.size * (knot.index?.count as number)) / 3 - sum });
    },
  );
});

function isSeen(mesh: InstancedMesh, id: number, camera: Camera): boolean {
  const matrix = new Matrix4();
  mesh.getMatrixAt(id, matrix);
  const ball = (mesh.geometry.boundingSphere as never as { clone(): never }).clone() as never as {
    applyMatrix4(m: Matrix4): never;
  };
  return frustumOf(camera).intersectsSphere(ball.applyMatrix4(matrix.premultiply(mesh.matrixWorld)));
}

/** The levels that were made of a mesh. */
function levelsOf(crowd: Crowd, mesh: Mesh): { counts: readonly number[]; errors: readonly number[] } {
  const instances = crowd.batches.groups.levels?.instances.get(mesh) as never as {
    first: { part: { levels: { counts: number[]; errors: number[] } } };
  };
  return instances.first.part.levels;
}
