import {
  BoxGeometry,
  BufferGeometry,
  CircleGeometry,
  Float32BufferAttribute,
  Matrix4,
  PlaneGeometry,
  ShapeGeometry,
} from 'three';
import { expect, test } from 'vitest';
import { isFlat } from '../../src/batching/transparentRuns.js';

const turned = (geometry: BufferGeometry): BufferGeometry =>
  geometry.applyMatrix4(new Matrix4().makeRotationX(0.7)).translate(1, 2000, -3);

test.each<[label: string, geometry: BufferGeometry, expected: boolean]>([
  ['a plane', new PlaneGeometry(2, 3, 4, 4), true],
  ['a plane that is turned, far away', turned(new PlaneGeometry(2, 3, 4, 4)), true],
  ['a disc', new CircleGeometry(1, 40), true],
  ['a shape', turned(new ShapeGeometry()), true],
  ['triangles without an index', new PlaneGeometry().toNonIndexed(), true],
  ['a box', new BoxGeometry(), false],
  ['a bent plane', bent(), false],
  ['a plane that is looked at from both sides', twoFaces(), false],
  ['two planes, one behind the other', parallel(), false],
  ['many vertices', new PlaneGeometry(1, 1, 40, 40), false],
  ['nothing', new BufferGeometry().setAttribute('position', new Float32BufferAttribute([0, 0, 0], 3)), false],
])('%s', (_label, geometry, expected) => expect(isFlat(geometry)).toBe(expected));

function bent(): BufferGeometry {
  const geometry = new PlaneGeometry(1, 1, 2, 2);
  geometry.attributes.position.setZ(4, 0.01);
  return geometry;
}

function twoFaces(): BufferGeometry {
  return new BufferGeometry().setAttribute(
    'position',
    new Float32BufferAttribute([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0], 3),
  );
}

function parallel(): BufferGeometry {
  return new BufferGeometry().setAttribute(
    'position',
    new Float32BufferAttribute([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1], 3),
  );
}
