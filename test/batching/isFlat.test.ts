import * as THREE from 'three';
import { expect, test } from 'vitest';
import { isFlat } from '../../src/batching/KnownGeometry.js';

const turned = (geometry: THREE.BufferGeometry): THREE.BufferGeometry =>
  geometry.applyMatrix4(new THREE.Matrix4().makeRotationX(0.7)).translate(1, 2000, -3);

test.each<[label: string, geometry: THREE.BufferGeometry, expected: boolean]>([
  ['a plane', new THREE.PlaneGeometry(2, 3, 4, 4), true],
  ['a plane that is turned, far away', turned(new THREE.PlaneGeometry(2, 3, 4, 4)), true],
  ['a disc', new THREE.CircleGeometry(1, 40), true],
  ['a shape', turned(new THREE.ShapeGeometry()), true],
  ['triangles without an index', new THREE.PlaneGeometry().toNonIndexed(), true],
  ['a box', new THREE.BoxGeometry(), false],
  ['a bent plane', bent(), false],
  ['a plane that is looked at from both sides', twoFaces(), false],
  ['two planes, one behind the other', parallel(), false],
  ['many vertices', new THREE.PlaneGeometry(1, 1, 40, 40), false],
  [
    'nothing',
    new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute([0, 0, 0], 3)),
    false,
  ],
])('%s', (_label, geometry, expected) => expect(isFlat(geometry)).toBe(expected));

function bent(): THREE.BufferGeometry {
  const geometry = new THREE.PlaneGeometry(1, 1, 2, 2);
  geometry.attributes.position.setZ(4, 0.01);
  return geometry;
}

function twoFaces(): THREE.BufferGeometry {
  return new THREE.BufferGeometry().setAttribute(
    'position',
    new THREE.Float32BufferAttribute([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0], 3),
  );
}

function parallel(): THREE.BufferGeometry {
  return new THREE.BufferGeometry().setAttribute(
    'position',
    new THREE.Float32BufferAttribute([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1], 3),
  );
}
