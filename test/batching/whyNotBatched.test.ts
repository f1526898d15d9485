import * as THREE from 'three';
import { MeshBasicNodeMaterial, MeshStandardNodeMaterial, NodeMaterial, StorageBufferAttribute } from 'three/webgpu';
import { describe, expect, it } from 'vitest';
import { whyGeometryAlone } from '../../src/batching/KnownGeometry.js';
import { isStillPlain, whyMaterialAlone, whyMeshAlone } from '../../src/batching/whyNotBatched.js';

const box = new THREE.BoxGeometry();
const paint = new THREE.MeshBasicMaterial();
const own = (properties: object): THREE.Mesh => Object.assign(new THREE.Mesh(box, paint), properties);

describe('of objects', () => {
  it.each<[string, () => THREE.Object3D]>([
    ['a mesh', () => own({})],
    ['a mesh that casts and receives shadows', () => own({ castShadow: true, receiveShadow: true })],
    ['a mesh of a class of its own', () => new (class Tree extends THREE.Mesh {})(box, paint)],
    ['a mesh with a sort order and layers', () => own({ renderOrder: 3 })],
    ['a mesh that counts once', () => own({ count: 1 })],
  ])('%s joins', (_label, make) => {
    expect(whyMeshAlone(make())).toBe(null);
    expect(isStillPlain(make() as THREE.Mesh)).toBe(true);
  });

  it.each<[string, () => THREE.Object3D, boolean]>([
    ['a line', () => new THREE.Line(box, new THREE.LineBasicMaterial()), true],
    ['points', () => new THREE.Points(box), true],
    ['a sprite', () => new THREE.Sprite(), true],
    ['instances', () => new THREE.InstancedMesh(box, paint, 2), false],
    ['a list of materials with a hole', () => own({ material: [paint, undefined] }), true],
    ['a batch', () => new THREE.BatchedMesh(1, 1, 1, paint), false],
    ['a skinned mesh', () => new THREE.SkinnedMesh(box, paint), true],
    ['a mesh without a material', () => own({ material: null }), true],
    // What may come to a mesh that has joined is asked in each frame.
    ['a callback before it is drawn', () => own({ onBeforeRender() {} }), false],
    ['a callback after it is drawn', () => own({ onAfterRender() {} }), false],
    ['a callback before its shadow', () => own({ onBeforeShadow() {} }), false],
    ['a callback after its shadow', () => own({ onAfterShadow() {} }), false],
    ['a depth material', () => own({ customDepthMaterial: new THREE.MeshDepthMaterial() }), false],
    ['a distance material', () => own({ customDistanceMaterial: new THREE.MeshDepthMaterial() }), false],
    ['an occlusion test', () => own({ occlusionTest: true }), false],
    ['a count', () => own({ count: 4 }), false],
  ])('%s does not', (_label, make, staysPlain) => {
    expect(whyMeshAlone(make())).not.toBe(null);
    expect(isStillPlain(make() as THREE.Mesh)).toBe(staysPlain);
  });
});

describe('of materials', () => {
  it.each<[string, () => THREE.Material]>([
    ['basic', () => new THREE.MeshBasicMaterial()],
    ['Lambert', () => new THREE.MeshLambertMaterial()],
    ['Phong', () => new THREE.MeshPhongMaterial()],
    ['standard', () => new THREE.MeshStandardMaterial()],
    ['physical', () => new THREE.MeshPhysicalMaterial({ clearcoat: 1 })],
    ['toon', () => new THREE.MeshToonMaterial()],
    ['matcap', () => new THREE.MeshMatcapMaterial()],
    ['normal', () => new THREE.MeshNormalMaterial()],
    ['nodes without a node of their own', () => new MeshStandardNodeMaterial()],
    ['an opacity that is not used', () => new THREE.MeshBasicMaterial({ opacity: 0.5 })],
    ['a normal map', () => new THREE.MeshPhongMaterial({ normalMap: new THREE.Texture() })],
    [
      'a normal map that is not there',
      () => new THREE.MeshPhongMaterial({ normalMapType: THREE.ObjectSpaceNormalMap }),
    ],
    ['glass', () => new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.5 })],
    [
      'light that is added in order',
      () => new THREE.MeshBasicMaterial({ transparent: true, blending: THREE.AdditiveBlending }),
    ],
    ['a stencil test that writes nothing', () => new THREE.MeshBasicMaterial({ stencilWrite: true })],
  ])('%s joins', (_label, make) => expect(whyMaterialAlone(make())).toBe(null));

  it.each<[string, () => THREE.Material]>([
    ['one that transmits', () => new THREE.MeshPhysicalMaterial({ transmission: 0.5 })],
    ['one that blends', () => new THREE.MeshBasicMaterial({ blending: THREE.AdditiveBlending })],
    ['one without a depth test', () => new THREE.MeshBasicMaterial({ depthTest: false })],
    ['one that does not write depth', () => new THREE.MeshBasicMaterial({ depthWrite: false })],
    [
      'one that writes the stencil',
      () => new THREE.MeshBasicMaterial({ stencilWrite: true, stencilZPass: THREE.ReplaceStencilOp }),
    ],
    ['a wireframe', () => new THREE.MeshBasicMaterial({ wireframe: true })],
    [
      'normals in object space',
      () => new THREE.MeshPhongMaterial({ normalMap: new THREE.Texture(), normalMapType: THREE.ObjectSpaceNormalMap }),
    ],
    ['a shader', () => new THREE.ShaderMaterial()],
    ['a shadow', () => new THREE.ShadowMaterial()],
    ['a shader that is changed', () => Object.assign(new THREE.MeshBasicMaterial(), { onBeforeCompile() {} })],
    ['one with a callback', () => Object.assign(new THREE.MeshBasicMaterial(), { onBeforeRender() {} })],
    ['a node of its own', () => Object.assign(new MeshBasicNodeMaterial(), { positionNode: {} })],
    ['a node on a material without nodes', () => Object.assign(new THREE.MeshBasicMaterial(), { colorNode: {} })],
    ['nodes alone', () => new NodeMaterial()],
  ])('%s does not', (_label, make) => expect(whyMaterialAlone(make())).not.toBe(null));
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
  const partOf = (buffer: THREE.InterleavedBuffer): THREE.InterleavedBufferAttribute =>
    new THREE.InterleavedBufferAttribute(buffer, 3, 0);
  const whole = (attribute: THREE.BufferAttribute): THREE.BufferAttribute =>
    Object.assign(attribute, { gpuType: THREE.IntType });

  it.each(
    Object.entries<() => THREE.BufferGeometry>({
      'an indexed one': () => box,
      'one without an index': triangle,
      'one with colours': () => triangle().setAttribute('color', new THREE.BufferAttribute(new Uint8Array(9), 3, true)),
      'one that draws a part': () => Object.assign(triangle(), { drawRange: { start: 0, count: 1 } }),
      'half floats': () => triangle().setAttribute('a', new THREE.Float16BufferAttribute(new Uint16Array(3), 1)),
      'whole numbers': () => triangle().setAttribute('a', whole(new THREE.BufferAttribute(new Int32Array(3), 1))),
      'interleaved attributes': () =>
        triangle().setAttribute('a', partOf(new THREE.InterleavedBuffer(new Float32Array(9), 3))),
      'the last vertex without padding': () =>
        triangle().setAttribute('a', partOf(new THREE.InterleavedBuffer(new Float32Array(11), 4))),
      'an attribute that is too long': () =>
        triangle().setAttribute('a', new THREE.BufferAttribute(new Float32Array(20), 1)),
      'an index of bytes': () => triangle().setIndex(new THREE.BufferAttribute(new Uint8Array(3), 1)),
    }),
  )('%s joins', (_label, make) => expect(whyGeometryAlone(make())).toBe(null));

  it.each<[string, () => THREE.BufferGeometry, string]>([
    ['one without positions', () => new THREE.BufferGeometry(), 'it has no vertices'],
    ['one with an empty index', () => triangle().setIndex([]), 'its index is empty'],
    ['an instanced one', () => new THREE.InstancedBufferGeometry().copy(box as never), 'its geometry has instances'],
    [
      'one with morph targets',
      () =>
        Object.assign(triangle(), {
          morphAttributes: { position: [new THREE.BufferAttribute(new Float32Array(9), 3)] },
        }),
      'its geometry has morph targets',
    ],
    [
      'an instanced attribute',
      () => triangle().setAttribute('a', new THREE.InstancedBufferAttribute(new Float32Array(3), 1)),
      'its attribute "a" is instanced',
    ],
    [
      'an instanced buffer',
      () => triangle().setAttribute('a', partOf(new THREE.InstancedInterleavedBuffer(new Float32Array(9), 3))),
      'its attribute "a" is instanced',
    ],
    [
      'a buffer of WebGL',
      () => triangle().setAttribute('a', new THREE.GLBufferAttribute({} as WebGLBuffer, 5126, 3, 4, 3) as never),
      'its attribute "a" has no array in memory that three uploads',
    ],
    [
      'what shaders compute',
      () => triangle().setAttribute('a', new StorageBufferAttribute(3, 1)),
      'its attribute "a" may be written by the graphics card',
    ],
    [
      'numbers of eight bytes',
      () => triangle().setAttribute('a', new THREE.BufferAttribute(new Float64Array(3), 1)),
      'its attribute "a" has no array in memory that three uploads',
    ],
    [
      'an attribute that is too short',
      () => triangle().setAttribute('a', new THREE.BufferAttribute(new Float32Array(2), 1)),
      'its attribute "a" is too short',
    ],
    [
      'an array that was thrown away',
      () =>
        triangle().setAttribute('a', Object.assign(new THREE.BufferAttribute(new Float32Array(3), 1), { array: null })),
      'its attribute "a" has no array in memory that three uploads',
    ],
    [
      'one that waits for its upload',
      () =>
        triangle().setAttribute(
          'a',
          new THREE.BufferAttribute(new Float32Array(3), 1).onUpload(() => {}),
        ),
      'its attribute "a" has a method onUploadCallback of its own',
    ],
    [
      'a buffer that waits for its upload',
      () =>
        triangle().setAttribute('a', partOf(new THREE.InterleavedBuffer(new Float32Array(9), 3).onUpload(() => {}))),
      'its attribute "a" has a method onUploadCallback of its own',
    ],
  ])('%s does not', (_label, make, reason) => expect(whyGeometryAlone(make())).toBe(reason));
});
