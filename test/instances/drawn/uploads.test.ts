import { type Camera, Color, InstancedBufferAttribute, type InstancedMesh, Scene } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { eye } from '../../helpers/cameras.js';
import { stopClock } from '../../helpers/clock.js';
import { loadBatchCode } from '../../helpers/drawnByIndex.js';
import { FakeGl, type Rows } from '../../helpers/FakeGl.js';
import { accelerated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { anyMatrix, instancedCrowd } from '../table/crowds.js';

stopClock();

const COUNT = 500;
const REACH = 20;

beforeAll(loadBatchCode);

/** A crowd that is drawn by an index, and its twin in plain three. */
function pair(seed: number) {
  const make = (): { mesh: InstancedMesh; scene: Scene; renderer: FakeGl } => {
    const next = random(seed);
    const mesh = instancedCrowd(next, COUNT, REACH);
    mesh.name = 'crowd';
    for (let i = 0; i < COUNT; i++) mesh.setColorAt(i, new Color(next(), next(), next()));
    return { mesh, scene: new Scene().add(mesh), renderer: new FakeGl() };
  };
  const [fast, plain] = [make(), make()];
  return { fast, plain, index: accelerated(fast.scene) };
}

const corner = (): Camera => eye(-REACH, 0, -REACH, { fov: 30, far: 20 });
const other = (): Camera => eye(REACH, 0, -REACH, { fov: 50, far: 25 });
const far = (): Camera => eye(0, 0, 90);

const rows = ({ renderer, scene }: { renderer: FakeGl; scene: Scene }, camera: Camera) =>
  renderer.render(scene, camera).get('crowd') ?? [];

/** Fails unless a picture has no row that plain three has not, in its order. */
function expectRowsOf(plain: Rows, fast: Rows): void {
  const places = new Map(plain.map((row, i) => [row, i]));
  const found = fast.map((row) => places.get(row) ?? -1);
  expect(found).not.toContain(-1);
  expect(found).toEqual([...found].sort((a, b) => a - b));
}

describe('what is uploaded for instances', () => {
  it.each([
    ['added', false],
    ['set anew', true],
  ])('is never missing, where ranges of changes are %s', (_, isAnew) => {
    const { fast, plain, index } = pair(1);
    const next = random(2);
    for (let frame = 0; frame < 40; frame++) {
      const camera = frame % 8 < 2 ? far() : corner();
      expectRowsOf(rows(plain, camera), rows(fast, camera));
      const from = Math.floor(next() * (COUNT - 20));
      const matrices = Array.from({ length: 20 }, () => anyMatrix(next, REACH));
      for (const { instanceMatrix } of [fast.mesh, plain.mesh]) {
        if (isAnew) instanceMatrix.clearUpdateRanges();
        instanceMatrix.addUpdateRange(16 * from, 16 * 20);
        for (const [k, matrix] of matrices.entries()) matrix.toArray(instanceMatrix.array, 16 * (from + k));
        instanceMatrix.needsUpdate = true;
      }
      if (frame === 30) index.dispose();
    }
    expectRowsOf(rows(plain, far()), rows(fast, far()));
  });

  it('is what three was told of, and of the attribute that is there', () => {
    const { fast, plain } = pair(3);
    const next = random(4);
    rows(fast, corner());
    rows(plain, corner());
    // Without needsUpdate: three goes on with what it has.
    for (let i = 0; i < COUNT; i++) {
      const matrix = anyMatrix(next, REACH);
      for (const { mesh } of [fast, plain]) mesh.setMatrixAt(i, matrix);
    }
    expectRowsOf(rows(plain, other()), rows(fast, other()));
    // The same array in another attribute, whose version is 0 again.
    for (const { mesh } of [fast, plain]) {
      const colours = mesh.instanceColor as InstancedBufferAttribute;
      mesh.instanceMatrix = new InstancedBufferAttribute(mesh.instanceMatrix.array, 16);
      for (let i = 0; i < colours.array.length; i++) colours.array[i] = 1 - colours.array[i];
      mesh.instanceColor = new InstancedBufferAttribute(colours.array, 3);
    }
    for (const camera of [other(), corner(), far()]) expectRowsOf(rows(plain, camera), rows(fast, camera));
  });

  it('is kept for a picture while others are made within it, by one camera again and again', () => {
    const { fast, plain } = pair(5);
    for (let frame = 0; frame < 4; frame++) {
      const pictures = [plain, fast].map(({ renderer, scene }) => {
        const within = (): void => {
          const mirror = [other(), corner()][frame % 2];
          for (let turn = 0; turn < 3; turn++) renderer.render(scene, mirror);
        };
        return renderer.render(scene, corner(), within).get('crowd') ?? [];
      });
      expect(pictures[1].length).toBeGreaterThan(0);
      expectRowsOf(pictures[0], pictures[1]);
    }
  });

  it('stays for the picture in which a mesh is taken out', () => {
    const { fast, plain } = pair(6);
    for (const camera of [corner(), corner()]) {
      const [expected, found] = [plain, fast].map(({ renderer, scene, mesh }) => {
        return renderer.render(scene, camera, () => scene.remove(mesh)).get('crowd') ?? [];
      });
      expectRowsOf(expected, found);
      for (const { scene, mesh } of [plain, fast]) scene.add(mesh);
    }
  });
});
