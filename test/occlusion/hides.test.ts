import { BoxGeometry, Matrix4, Object3D, OrthographicCamera, PerspectiveCamera } from 'three';
import { expect, test } from 'vitest';
import { OccluderMesh } from '../../src/occlusion/OccluderMesh.js';
import { BACK, BOTH, FRONT, OcclusionBuffer } from '../../src/occlusion/OcclusionBuffer.js';

const geometry = new BoxGeometry();
const mesh = new OccluderMesh(geometry.attributes.position.array, geometry.index?.array);
const behind = Float64Array.of(-1, -1, -10, 1, 1, -8);
const before = Float64Array.of(-1, -1, -3, 1, 1, -2);
const beside = Float64Array.of(2, -1, -10, 6, 1, -8);

test('a mesh is welded to its corners', () => {
  expect([mesh.positions.length / 3, mesh.triangleCount, mesh.edges.length / 2]).toEqual([8, 12, 18]);
  expect([...mesh.reach]).toEqual([0.5, 0.5, 0.5]);
});

test.each([
  ['perspective', new PerspectiveCamera(60, 16 / 9, 0.1, 100)],
  ['orthographic', new OrthographicCamera(-8, 8, 4.5, -4.5, 0.1, 100)],
])('a wall hides what is behind it: %s', (_, camera) => {
  const buffer = OcclusionBuffer.create(160, 96)!;
  const settings = {
    projection: camera.projectionMatrix.elements,
    view: camera.matrixWorldInverse.elements,
    viewportWidth: 1600,
    viewportHeight: 900,
  };
  const wall = new Object3D();
  wall.position.z = -5;
  wall.scale.set(4, 4, 0.5);
  wall.updateMatrix();
  const { elements } = wall.matrix;
  const answers = (side: number, matrix: ArrayLike<number> = elements): boolean[] => {
    expect(buffer.beginPass(settings)).toBe(true);
    buffer.draw(mesh, matrix, 0, side);
    const early = [behind, before, beside].map((box) => buffer.isHidden(box, 0));
    buffer.end();
    const late = [behind, before, beside].map((box) => buffer.isHidden(box, 0));
    expect(late).toEqual(early);
    return late;
  };
  for (const side of [FRONT, BACK, BOTH]) expect(answers(side)).toEqual([true, false, false]);
  const mirrored = new Matrix4().makeScale(-1, 1, 1).multiply(wall.matrix).elements;
  for (const side of [FRONT, BACK, BOTH]) expect(answers(side, mirrored)).toEqual([true, false, false]);
  expect(answers(FRONT, new Matrix4().elements)).toEqual([false, false, false]);
});

test('what is behind a wall by less than a logarithm of depth is rounded by may be seen', () => {
  const camera = new PerspectiveCamera(60, 16 / 9, 0.1, 500);
  const buffer = OcclusionBuffer.create(160, 96)!;
  const wall = new Matrix4().makeScale(40, 40, 1).setPosition(0, 0, -50.5);
  const isHidden = (behind: number, logarithmic: { near: number; far: number } | null): boolean => {
    buffer.beginPass({
      projection: camera.projectionMatrix.elements,
      view: camera.matrixWorldInverse.elements,
      viewportWidth: 1600,
      viewportHeight: 900,
      logarithmic,
    });
    buffer.draw(mesh, wall.elements);
    buffer.end();
    return buffer.isHidden(Float64Array.of(-1, -1, -60, 1, 1, -50 - behind), 0);
  };
  for (const log of [null, camera]) expect([-1, 2].map((behind) => isHidden(behind, log))).toEqual([false, true]);
  // A share of 24 bits of log2(1 + far), as lengths at this distance: some tenths of a thousandth, and as much again.
  expect([0.001, 0.005].map((behind) => isHidden(behind, camera))).toEqual([false, true]);
});
