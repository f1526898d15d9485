import {
  AdditiveBlending,
  BatchedMesh,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Float16BufferAttribute,
  GLBufferAttribute,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InstancedMesh,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  IntType,
  Line,
  LineBasicMaterial,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshDepthMaterial,
  MeshLambertMaterial,
  MeshMatcapMaterial,
  MeshNormalMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  MeshToonMaterial,
  type Object3D,
  ObjectSpaceNormalMap,
  Points,
  ReplaceStencilOp,
  ShaderMaterial,
  ShadowMaterial,
  SkinnedMesh,
  Sprite,
  Texture,
} from 'three';
import { MeshBasicNodeMaterial, MeshStandardNodeMaterial, NodeMaterial, StorageBufferAttribute } from 'three/webgpu';
import { describe, expect, it } from 'vitest';
import { whyGeometryAlone } from '../../src/batching/KnownGeometry.js';
import { isStillPlain, whyMaterialAlone, whyMeshAlone } from '../../src/batching/whyNotBatched.js';

const box = new BoxGeometry();
const paint = new MeshBasicMaterial();
const own = (properties: object): Mesh => Object.assign(new Mesh(box, paint), properties);

describe('of objects', () => {
  it.each<[string, () => Object3D]>([
    ['a mesh', () => own({})],
    ['a mesh that casts and receives shadows', () => own({ castShadow: true, receiveShadow: true })],
    ['a mesh of a class of its own', () => new (class Tree extends Mesh {})(box, paint)],
    ['a mesh with a sort order and layers', () => own({ renderOrder: 3 })],
    ['a mesh that counts once', () => own({ count: 1 })],
  ])('%s joins', (_label, make) => {
    expect(whyMeshAlone(make())).toBe(null);
    expect(isStillPlain(make() as Mesh)).toBe(true);
  });

  it.each<[string, () => Object3D, boolean]>([
    ['a line', () => new Line(box, new LineBasicMaterial()), true],
    ['points', () => new Points(box), true],
    ['a sprite', () => new Sprite(), true],
    ['instances', () => new InstancedMesh(box, paint, 2), false],
    ['a list of materials with a hole', () => own({ material: [paint, undefined] }), true],
    ['a batch', () => new BatchedMesh(1, 1, 1, paint), false],
    ['a skinned mesh', () => new SkinnedMesh(box, paint), true],
    ['a mesh without a material', () => own({ material: null }), true],
    // What may come to a mesh that has joined is asked in each frame.
    ['a callback before it is drawn', () => own({ onBeforeRender() {} }), false],
    ['a callback after it is drawn', () => own({ onAfterRender() {} }), false],
    ['a callback before its shadow', () => own({ onBeforeShadow() {} }), false],
    ['a callback after its shadow', () => own({ onAfterShadow() {} }), false],
    ['a depth material', () => own({ customDepthMaterial: new MeshDepthMaterial() }), false],
    ['a distance material', () => own({ customDistanceMaterial: new MeshDepthMaterial() }), false],
    ['an occlusion test', () => own({ occlusionTest: true }), false],
    ['a count', () => own({ count: 4 }), false],
  ])('%s does not', (_label, make, staysPlain) => {
    expect(whyMeshAlone(make())).not.toBe(null);
    expect(isStillPlain(make() as Mesh)).toBe(staysPlain);
  });
});

describe('of materials', () => {
  it.each<[string, () => Material]>([
    ['basic', () => new MeshBasicMaterial()],
    ['Lambert', () => new MeshLambertMaterial()],
    ['Phong', () => new MeshPhongMaterial()],
    ['standard', () => new MeshStandardMaterial()],
    ['physical', () => new MeshPhysicalMaterial({ clearcoat: 1 })],
    ['toon', () => new MeshToonMaterial()],
    ['matcap', () => new MeshMatcapMaterial()],
    ['normal', () => new MeshNormalMaterial()],
    ['nodes without a node of their own', () => new MeshStandardNodeMaterial()],
    ['an opacity that is not used', () => new MeshBasicMaterial({ opacity: 0.5 })],
    ['a normal map', () => new MeshPhongMaterial({ normalMap: new Texture() })],
    ['a normal map that is not there', () => new MeshPhongMaterial({ normalMapType: ObjectSpaceNormalMap })],
    ['glass', () => new MeshBasicMaterial({ transparent: true, opacity: 0.5 })],
    ['light that is added in order', () => new MeshBasicMaterial({ transparent: true, blending: AdditiveBlending })],
    ['a stencil test that writes nothing', () => new MeshBasicMaterial({ stencilWrite: true })],
  ])('%s joins', (_label, make) => expect(whyMaterialAlone(make())).toBe(null));

  it.each<[string, () => Material]>([
    ['one that transmits', () => new MeshPhysicalMaterial({ transmission: 0.5 })],
    ['one that blends', () => new MeshBasicMaterial({ blending: AdditiveBlending })],
    ['one without a depth test', () => new MeshBasicMaterial({ depthTest: false })],
    ['one that does not write depth', () => new MeshBasicMaterial({ depthWrite: false })],
    [
      'one that writes the stencil',
      () => new MeshBasicMaterial({ stencilWrite: true, stencilZPass: ReplaceStencilOp }),
    ],
    ['a wireframe', () => new MeshBasicMaterial({ wireframe: true })],
    [
      'normals in object space',
      () => new MeshPhongMaterial({ normalMap: new Texture(), normalMapType: ObjectSpaceNormalMap }),
    ],
    ['a shader', () => new ShaderMaterial()],
    ['a shadow', () => new ShadowMaterial()],
    ['a shader that is changed', () => Object.assign(new MeshBasicMaterial(), { onBeforeCompile() {} })],
    ['one with a callback', () => Object.assign(new MeshBasicMaterial(), { onBeforeRender() {} })],
    ['a node of its own', () => Object.assign(new MeshBasicNodeMaterial(), { positionNode: {} })],
    ['a node on a material without nodes', () => Object.assign(new MeshBasicMaterial(), { colorNode: {} })],
    ['nodes alone', () => new NodeMaterial()],
  ])('%s does not', (_label, make) => expect(whyMaterialAlone(make())).not.toBe(null));
});

it('a node is found when it comes with a new version', () => {
  const material = new MeshBasicMaterial();
  expect(whyMaterialAlone(material)).toBe(null);
  Object.assign(material, { positionNode: {} }).needsUpdate = true;
  expect(whyMaterialAlone(material)).not.toBe(null);
  Object.assign(material, { positionNode: null }).needsUpdate = true;
  expect(whyMaterialAlone(material)).toBe(null);
});

describe('of geometries', () => {
  const triangle = (): BufferGeometry =>
    new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(9), 3));
  const partOf = (buffer: InterleavedBuffer): InterleavedBufferAttribute =>
    new InterleavedBufferAttribute(buffer, 3, 0);
  const whole = (attribute: BufferAttribute): BufferAttribute => Object.assign(attribute, { gpuType: IntType });

  it.each<[string, () => BufferGeometry]>([
    ['an indexed one', () => box],
    ['one without an index', triangle],
    ['one with colours', () => triangle().setAttribute('color', new BufferAttribute(new Uint8Array(9), 3, true))],
    ['one that draws a part', () => Object.assign(triangle(), { drawRange: { start: 0, count: 1 } })],
    ['half floats', () => triangle().setAttribute('a', new Float16BufferAttribute(new Uint16Array(3), 1))],
    ['whole numbers', () => triangle().setAttribute('a', whole(new BufferAttribute(new Int32Array(3), 1)))],
    [
      'interleaved attributes',
      () => triangle().setAttribute('a', partOf(new InterleavedBuffer(new Float32Array(9), 3))),
    ],
    [
      'the last vertex without padding',
      () => triangle().setAttribute('a', partOf(new InterleavedBuffer(new Float32Array(11), 4))),
    ],
    ['an attribute that is too long', () => triangle().setAttribute('a', new BufferAttribute(new Float32Array(20), 1))],
    ['an index of bytes', () => triangle().setIndex(new BufferAttribute(new Uint8Array(3), 1))],
  ])('%s joins', (_label, make) => expect(whyGeometryAlone(make())).toBe(null));

  it.each<[string, () => BufferGeometry, string]>([
    ['one without positions', () => new BufferGeometry(), 'it has no vertices'],
    ['one with an empty index', () => triangle().setIndex([]), 'its index is empty'],
    ['an instanced one', () => new InstancedBufferGeometry().copy(box as never), 'its geometry has instances'],
    [
      'one with morph targets',
      () => Object.assign(triangle(), { morphAttributes: { position: [new BufferAttribute(new Float32Array(9), 3)] } }),
      'its geometry has morph targets',
    ],
    [
      'an instanced attribute',
      () => triangle().setAttribute('a', new InstancedBufferAttribute(new Float32Array(3), 1)),
      'its attribute "a" is instanced',
    ],
    [
      'an instanced buffer',
      () => triangle().setAttribute('a', partOf(new InstancedInterleavedBuffer(new Float32Array(9), 3))),
      'its attribute "a" is instanced',
    ],
    [
      'a buffer of WebGL',
      () => triangle().setAttribute('a', new GLBufferAttribute({} as WebGLBuffer, 5126, 3, 4, 3) as never),
      'its attribute "a" has no array in memory that three uploads',
    ],
    [
      'what shaders compute',
      () => triangle().setAttribute('a', new StorageBufferAttribute(3, 1)),
      'its attribute "a" may be written by the graphics card',
    ],
    [
      'numbers of eight bytes',
      () => triangle().setAttribute('a', new BufferAttribute(new Float64Array(3), 1)),
      'its attribute "a" has no array in memory that three uploads',
    ],
    [
      'an attribute that is too short',
      () => triangle().setAttribute('a', new BufferAttribute(new Float32Array(2), 1)),
      'its attribute "a" is too short',
    ],
    [
      'an array that was thrown away',
      () => triangle().setAttribute('a', Object.assign(new BufferAttribute(new Float32Array(3), 1), { array: null })),
      'its attribute "a" has no array in memory that three uploads',
    ],
    [
      'one that waits for its upload',
      () =>
        triangle().setAttribute(
          'a',
          new BufferAttribute(new Float32Array(3), 1).onUpload(() => {}),
        ),
      'its attribute "a" has a method onUploadCallback of its own',
    ],
    [
      'a buffer that waits for its upload',
      () => triangle().setAttribute('a', partOf(new InterleavedBuffer(new Float32Array(9), 3).onUpload(() => {}))),
      'its attribute "a" has a method onUploadCallback of its own',
    ],
  ])('%s does not', (_label, make, reason) => expect(whyGeometryAlone(make())).toBe(reason));
});
