import { BoxGeometry, Object3D, PerspectiveCamera, SphereGeometry } from 'three';
import { expect, test, vi } from 'vitest';
import { OccluderMesh } from '../../src/occlusion/OccluderMesh.js';
import { OcclusionBuffer } from '../../src/occlusion/OcclusionBuffer.js';

test('a mesh for which memory cannot grow is not drawn, and smaller ones still are', () => {
  const camera = new PerspectiveCamera(60, 16 / 9, 0.1, 100);
  const wall = new Object3D();
  wall.position.z = -5;
  wall.scale.setScalar(4);
  wall.updateMatrix();
  const [small, large] = [new BoxGeometry(), new SphereGeometry(0.5, 128, 64)].map(
    (geometry) => new OccluderMesh(geometry.attributes.position.array, geometry.index?.array),
  );
  const buffer = OcclusionBuffer.create(160, 96)!;
  const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow');
  try {
    grow.mockImplementation(() => {
      throw new RangeError('out of memory');
    });
    const draw = (mesh: OccluderMesh): number => {
      buffer.beginPass({
        projection: camera.projectionMatrix.elements,
        view: camera.matrixWorldInverse.elements,
        viewportWidth: 1600,
        viewportHeight: 900,
      });
      const nearer = buffer.draw(mesh, wall.matrix.elements);
      expect(buffer.near.some((n) => n > 0)).toBe(nearer > 0);
      return nearer;
    };
    const before = draw(small);
    expect(before).toBeGreaterThan(0);
    expect(draw(large)).toBe(0);
    expect(draw(small)).toBe(before);
    grow.mockRestore();
    expect(draw(large)).toBeGreaterThan(0);
    expect(draw(small)).toBe(before);
  } finally {
    grow.mockRestore();
  }
});

test('where memory for the pixels cannot be had there is no buffer', () => {
  const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
    throw new RangeError('out of memory');
  });
  expect(OcclusionBuffer.create(160, 96)).toBeNull();
  grow.mockRestore();
  expect(OcclusionBuffer.create(160, 96)).not.toBeNull();
});
