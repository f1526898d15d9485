import * as THREE from 'three';
import { MeshBasicNodeMaterial, MeshStandardNodeMaterial, NodeMaterial, StorageBufferAttribute } from 'three/webgpu';
import { describe, expect, it } from 'vitest';
import { badPartOf, isFlat, KnownGeometry } from '../../src/batching/KnownGeometry.js';
import { whyMaterialAlone, whyMeshAlone } from '../../src/batching/whyNotBatched.js';

const box = new THREE.BoxGeometry();
const paint = new THREE.MeshBasicMaterial();
const own = (properties: object): THREE.Mesh => Object.assign(new THREE.Mesh(box, paint), properties);

describe('of objects', () => {
  it.each<[string, THREE.Object3D]>([
    ['a mesh', own({})],
    ['a mesh that casts and receives shadows', own({ castShadow: true, receiveShadow: true })],
    ['a mesh of a class of its own', new (class Tree extends THREE.Mesh {})(box, paint)],
    ['a mesh with a sort order and layers', own({ renderOrder: 3 })],
    ['a mesh that counts once', own({ count: 1 })],
  ])('%s joins', (_label, object) => expect(whyMeshAlone(object)).toBe(null));

  it.each<[string, THREE.Object3D]>([
    ['a line', new THREE.Line(box, new THREE.LineBasicMaterial())],
    ['points', new THREE.Points(box)],
    ['a sprite', new THREE.Sprite()],
    ['instances', new THREE.InstancedMesh(box, paint, 2)],
    ['a list of materials with a hole', own({ material: [paint, undefined] })],
    ['a batch', new THREE.BatchedMesh(1, 1, 1, paint)],
    ['a skinned mesh', new THREE.SkinnedMesh(box, paint)],
    ['a mesh without a material', own({ material: null })],
    ['a callback before it is drawn', own({ onBeforeRender() {} })],
    ['a callback after it is drawn', own({ onAfterRender() {} })],
    ['a callback before its shadow', own({ onBeforeShadow() {} })],
    ['a callback after its shadow', own({ onAfterShadow() {} })],
    ['a test of its own whether it is in view', own({ intersectsFrustum: () => false })],
    ['a depth material', own({ customDepthMaterial: new THREE.MeshDepthMaterial() })],
    ['a distance material', own({ customDistanceMaterial: new THREE.MeshDepthMaterial() })],
    ['an occlusion test', own({ occlusionTest: true })],
    ['a count', own({ count: 4 })],
  ])('%s does not', (_label, object) => expect(whyMeshAlone(object)).not.toBe(null));
});

describe('of materials', () => {
  const texture = new THREE.Texture();
  const normalMapType = THREE.ObjectSpaceNormalMap;
  const blending = THREE.AdditiveBlending;
  const basic = (properties: object): THREE.Material => Object.assign(new THREE.MeshBasicMaterial(), properties);
  const phong = (properties: object): THREE.Material => Object.assign(new THREE.MeshPhongMaterial(), properties);

  it.each<[string, THREE.Material]>([
    ['basic', basic({})],
    ['Lambert', new THREE.MeshLambertMaterial()],
    ['Phong', phong({})],
    ['standard', new THREE.MeshStandardMaterial()],
    ['physical', new THREE.MeshPhysicalMaterial({ clearcoat: 1 })],
    ['toon', new THREE.MeshToonMaterial()],
    ['matcap', new THREE.MeshMatcapMaterial()],
    ['normal', new THREE.MeshNormalMaterial()],
    ['nodes without a node of their own', new MeshStandardNodeMaterial()],
    ['an opacity that is not used', basic({ opacity: 0.5 })],
    ['a normal map', phong({ normalMap: texture })],
    ['a normal map that is not there', phong({ normalMapType })],
    ['glass', basic({ transparent: true, opacity: 0.5 })],
    ['light that is added in order', basic({ transparent: true, blending })],
    ['a stencil test that writes nothing', basic({ stencilWrite: true })],
  ])('%s joins', (_label, material) => expect(whyMaterialAlone(material)).toBe(null));

  it.each<[string, THREE.Material]>([
    ['one that transmits', new THREE.MeshPhysicalMaterial({ transmission: 0.5 })],
    ['one that blends', basic({ blending })],
    ['one without a depth test', basic({ depthTest: false })],
    ['one that does not write depth', basic({ depthWrite: false })],
    ['one that writes the stencil', basic({ stencilWrite: true, stencilZPass: THREE.ReplaceStencilOp })],
    ['a wireframe', basic({ wireframe: true })],
    ['normals in object space', phong({ normalMap: texture, normalMapType })],
    ['a shader', new THREE.ShaderMaterial()],
    ['a shadow', new THREE.ShadowMaterial()],
    ['a shader that is changed', basic({ onBeforeCompile() {} })],
    ['one with a callback', basic({ onBeforeRender() {} })],
    ['a node of its own', Object.assign(new MeshBasicNodeMaterial(), { positionNode: {} })],
    ['a node on a material without nodes', basic({ colorNode: {} })],
    ['nodes alone', new NodeMaterial()],
  ])('%s does not', (_label, material) => expect(whyMaterialAlone(material)).not.toBe(null));
});

it('a node is found when it comes with a new version', () => {
  const material = new THREE.MeshBasicMaterial();
  expect(whyMaterialAlone(material)).toBe(null);
  Object.assign(material, { positionNode: {} }).needsUpdate = true;
  expect(whyMaterialAlone(material)).not.toBe(null);
  Object.assign(material, { positionNode: null }).needsUpdate = true;
  expect(whyMaterialAlone(material)).toBe(null);
});

describe('of geometries', () => {
  const triangle = (): THREE.BufferGeometry =>
    new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(9), 3));
  const withAttribute = (attribute: object, name = 'a'): THREE.BufferGeometry =>
    triangle().setAttribute(name, attribute as THREE.BufferAttribute);
  const partOf = (buffer: THREE.InterleavedBuffer): THREE.InterleavedBufferAttribute =>
    new THREE.InterleavedBufferAttribute(buffer, 3, 0);
  const plain = (array: THREE.TypedArray): THREE.BufferAttribute => new THREE.BufferAttribute(array, 1);
  const floats = (count: number): Float32Array => new Float32Array(count);
  const whole = Object.assign(plain(new Int32Array(3)), { gpuType: THREE.IntType });
  const morphAttributes = { position: [new THREE.BufferAttribute(floats(9), 3)] };
  const waiting = (): void => {};
  const whyAlone = (geometry: THREE.BufferGeometry): string | null => new KnownGeometry(geometry).refresh(1).reason;

  it.each<[string, THREE.BufferGeometry]>([
    ['an indexed one', box],
    ['one without an index', triangle()],
    ['one with colours', withAttribute(new THREE.BufferAttribute(new Uint8Array(9), 3, true), 'color')],
    ['one that draws a part', Object.assign(triangle(), { drawRange: { start: 0, count: 1 } })],
    ['half floats', withAttribute(new THREE.Float16BufferAttribute(new Uint16Array(3), 1))],
    ['whole numbers', withAttribute(whole)],
    ['interleaved attributes', withAttribute(partOf(new THREE.InterleavedBuffer(floats(9), 3)))],
    ['the last vertex without padding', withAttribute(partOf(new THREE.InterleavedBuffer(floats(11), 4)))],
    ['an attribute that is too long', withAttribute(plain(floats(20)))],
    ['an index of bytes', triangle().setIndex(plain(new Uint8Array(3)))],
  ])('%s joins', (_label, geometry) => expect(whyAlone(geometry)).toBe(null));

  it.each<[string, THREE.BufferGeometry, string]>([
    ['one without positions', new THREE.BufferGeometry(), 'noVertices'],
    ['one with an empty index', triangle().setIndex([]), 'emptyIndex'],
    ['an instanced one', new THREE.InstancedBufferGeometry().copy(box as never), 'geometryInstances'],
    ['one with morph targets', Object.assign(triangle(), { morphAttributes }), 'morphTargets'],
  ])('%s does not', (_label, geometry, reason) => expect(whyAlone(geometry)).toBe(reason));

  it.each<[string, object, string]>([
    ['an instanced attribute', new THREE.InstancedBufferAttribute(floats(3), 1), 'instanced'],
    ['an instanced buffer', partOf(new THREE.InstancedInterleavedBuffer(floats(9), 3)), 'instanced'],
    ['a buffer of WebGL', new THREE.GLBufferAttribute({} as never, 5126, 3, 4, 3), 'notNumbers'],
    ['what shaders compute', new StorageBufferAttribute(3, 1), 'storage'],
    ['numbers of eight bytes', plain(new Float64Array(3)), 'notNumbers'],
    ['an attribute that is too short', plain(floats(2)), 'tooShort'],
    ['an array that was thrown away', Object.assign(plain(floats(3)), { array: null }), 'notNumbers'],
    ['one that waits for its upload', plain(floats(3)).onUpload(waiting), 'onUploadCallback'],
    ['a buffer that waits', partOf(new THREE.InterleavedBuffer(floats(9), 3).onUpload(waiting)), 'onUploadCallback'],
  ])('%s does not', (_label, attribute, reason) => {
    const geometry = withAttribute(attribute);
    expect(whyAlone(geometry)).toBe(reason);
    expect(badPartOf(geometry)).toEqual({ part: 'attribute "a"', reason });
  });
});

const FRONT = [0, 0, 0, 1, 0, 0, 0, 1, 0];
const turned = (geometry: THREE.BufferGeometry): THREE.BufferGeometry =>
  geometry.applyMatrix4(new THREE.Matrix4().makeRotationX(0.7)).translate(1, 2000, -3);

it.each<[label: string, geometry: THREE.BufferGeometry, expected: boolean]>([
  ['a plane', new THREE.PlaneGeometry(2, 3, 4, 4), true],
  ['a plane that is turned, far away', turned(new THREE.PlaneGeometry(2, 3, 4, 4)), true],
  ['a disc', new THREE.CircleGeometry(1, 40), true],
  ['a shape', turned(new THREE.ShapeGeometry()), true],
  ['triangles without an index', new THREE.PlaneGeometry().toNonIndexed(), true],
  ['a box', new THREE.BoxGeometry(), false],
  ['a bent plane', bent(), false],
  ['a plane that is looked at from both sides', triangles(...FRONT, 0, 0, 0, 0, 1, 0, 1, 0, 0), false],
  ['two planes, one behind the other', triangles(...FRONT, 0, 0, 1, 1, 0, 1, 0, 1, 1), false],
  ['many vertices', new THREE.PlaneGeometry(1, 1, 40, 40), false],
  ['nothing', triangles(0, 0, 0), false],
])('that triangles face one way in one plane is told of %s', (_label, geometry, expected) =>
  expect(isFlat(geometry)).toBe(expected),
);

function bent(): THREE.BufferGeometry {
  const geometry = new THREE.PlaneGeometry(1, 1, 2, 2);
  geometry.attributes.position.setZ(4, 0.01);
  return geometry;
}

function triangles(...numbers: number[]): THREE.BufferGeometry {
  return new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(numbers, 3));
}
