import * as THREE from 'three';
import { afterAll, expect, test } from 'vitest';
import { endRenderer } from '../helpers/pictures.js';
import { type Plaza, PlazaTwin, rest, shadowRenderer } from './plaza.js';

/** A plaza with a caster whose every value is edited: lines of bones, holes, instances, its own depths. */
interface Stage {
  readonly plaza: Plaza;
  readonly holes: THREE.DataTexture;
  readonly material: THREE.MeshBasicMaterial;
  readonly skinned: THREE.SkinnedMesh;
  readonly instances: THREE.InstancedMesh;
  readonly custom: THREE.MeshDepthMaterial;
  readonly batch: THREE.BatchedMesh;
  readonly levels: THREE.LOD;
  readonly raw: THREE.Mesh;
  readonly gl: { buffer: WebGLBuffer; data: Float32Array };
}

const at = (x: number, y: number, z: number): THREE.Matrix4 => new THREE.Matrix4().makeTranslation(x, y, z);

function stageOn(plaza: Plaza): Stage {
  const { scene, box, paint, meshes, renderer } = plaza;
  const cast = <T extends THREE.Object3D>(object: T, x: number, z: number): T => {
    object.position.set(x, 1.5, z);
    object.castShadow = true;
    scene.add(object);
    return object;
  };
  const data = Uint8Array.from({ length: 64 }, (_, i) => (i < 32 ? 255 : 0));
  const holes = new THREE.DataTexture(data, 4, 4);
  holes.needsUpdate = true;
  const material = new THREE.MeshBasicMaterial({ alphaMap: holes, alphaTest: 0.5, side: THREE.DoubleSide });
  meshes[0].material = material;
  meshes[0].scale.setScalar(1.8);
  const geometry = new THREE.BoxGeometry(0.6, 2, 0.6);
  const { count } = geometry.attributes.position;
  geometry.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(new Array(4 * count).fill(0), 4));
  const weights = Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? 1 : 0));
  geometry.setAttribute('skinWeight', new THREE.Float32BufferAttribute(weights, 4));
  const skinned = cast(new THREE.SkinnedMesh(geometry, paint), 3, 3);
  skinned.bind(new THREE.Skeleton([new THREE.Bone()]));
  skinned.add(skinned.skeleton.bones[0]);
  const instances = cast(new THREE.InstancedMesh(box, paint, 2), -3, 3);
  instances.setMatrixAt(1, at(0, 0, 1.5));
  const custom = new THREE.MeshDepthMaterial();
  meshes[1].customDepthMaterial = custom;
  const batch = cast(new THREE.BatchedMesh(1, 24, 36, paint), 0, 4);
  batch.addInstance(batch.addGeometry(box));
  const levels = cast(new THREE.LOD(), 2, 4);
  for (const distance of [0, 100]) {
    const level = new THREE.Mesh(box, paint);
    level.castShadow = true;
    levels.addLevel(level, distance);
  }
  const gl = renderer.getContext();
  const numbers = Float32Array.from([-1, 0, 0, 1, 0, 0, 0, 1.5, 0]);
  const buffer = gl.createBuffer() as WebGLBuffer;
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.DYNAMIC_DRAW);
  renderer.resetState();
  const own = new THREE.BufferGeometry();
  own.setAttribute('position', new THREE.GLBufferAttribute(buffer, gl.FLOAT, 3, 4, 3) as never);
  own.boundingSphere = new THREE.Sphere(new THREE.Vector3(), 3);
  own.boundingBox = new THREE.Box3(new THREE.Vector3(-2, -2, -2), new THREE.Vector3(2, 2, 2));
  const raw = cast(new THREE.Mesh(own, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide })), 4, -3);
  return { plaza, holes, material, skinned, instances, custom, batch, levels, raw, gl: { buffer, data: numbers } };
}

/** Each changes the shadow of plain three, and nothing else that is compared. */
const EDITS: { readonly [value: string]: (stage: Stage) => unknown } = {
  'alphaToCoverage on': ({ material }) => Object.assign(material, { alphaTest: 0, alphaToCoverage: true }),
  'alphaToCoverage off': ({ material }) => Object.assign(material, { alphaToCoverage: false }),
  alphaTest: ({ material }) => Object.assign(material, { alphaTest: 0.5 }),
  'the matrix of a texture': ({ holes }) => {
    holes.matrixAutoUpdate = false;
    holes.matrix.setUvTransform(0, 0.5, 1, 1, 0, 0, 0);
  },
  'the matrix of a texture again': ({ holes }) => holes.matrix.setUvTransform(0, 0, 1, 0.5, 0, 0, 0),
  'the matrix of a texture made by three': ({ holes }) => Object.assign(holes, { matrixAutoUpdate: true }),
  'rotation of a texture': ({ holes }) => Object.assign(holes, { rotation: 1 }),
  'another texture': ({ material, holes }) => {
    const { data, width, height } = holes.image;
    material.alphaMap = new THREE.DataTexture(
      Uint8Array.from(data as Uint8Array, (value) => 255 - value),
      width,
      height,
    );
    material.alphaMap.needsUpdate = true;
  },
  'layers of a caster': ({ plaza: { meshes } }) => meshes[2].layers.set(1),
  'layers of the camera': ({ plaza: { camera } }) => camera.layers.enable(1),
  'the matrix that binds': ({ skinned }) => skinned.bindMatrix.makeTranslation(0, 0.5, 0),
  'a bone': ({ skinned }) => skinned.skeleton.bones[0].position.set(0.6, 0, 0),
  'the inverse of a bone': ({ skinned }) => skinned.skeleton.boneInverses[0].makeTranslation(0, 0, 0.6),
  bindMode: ({ skinned }) => {
    skinned.bindMode = THREE.DetachedBindMode;
    skinned.bindMatrixInverse.makeTranslation(0, 0.4, 0.4);
  },
  'a matrix of instances': ({ instances }) => {
    instances.setMatrixAt(0, at(0, 0.6, 0));
    instances.instanceMatrix.needsUpdate = true;
  },
  'fewer instances': ({ instances }) => Object.assign(instances, { count: 1 }),
  'a depth material of the page': ({ custom }) =>
    Object.assign(custom, { visible: true, polygonOffset: true, polygonOffsetFactor: 1e6 }),
  'another depth material': ({ plaza: { meshes } }) => Object.assign(meshes[1], { customDepthMaterial: undefined }),
  'a batch of the page': ({ batch }) => batch.setMatrixAt(0, at(0.7, 0, 0)),
  'a level in its place': ({ levels }) => levels.levels[0].object.position.set(0.5, 0, 0),
  'a level that casts none': ({ levels }) => Object.assign(levels.levels[0].object, { castShadow: false }),
  'a buffer of WebGL': ({ plaza: { renderer }, gl: { buffer, data } }) => {
    const gl = renderer.getContext();
    data[7] = 0.4;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, data);
    renderer.resetState();
  },
  'a test of its own': ({ plaza: { meshes } }) => Object.assign(meshes[3], { intersectsFrustum: () => false }),
  'what that test says': ({ plaza: { meshes } }) => {
    const [, , , mesh] = meshes;
    mesh.intersectsFrustum = () => mesh.userData.isSeen !== false;
  },
  'what that test says again': ({ plaza: { meshes } }) => Object.assign(meshes[3].userData, { isSeen: false }),
  'a callback that moves it': ({ plaza: { meshes } }) => {
    meshes[4].onBeforeShadow = () => void meshes[4].modelViewMatrix.premultiply(at(0, 0.8, 0));
  },
  'zoom of the camera of a lamp': ({ plaza: { lamp } }) => {
    lamp.shadow.camera.fov = 80;
    lamp.shadow.camera.updateProjectionMatrix();
  },
};

const renderers = [shadowRenderer(), shadowRenderer()] as const;
afterAll(() => {
  for (const renderer of renderers) endRenderer(renderer);
});

test('each value that a shadow depends on has maps drawn anew when it alone changes', async () => {
  const twin = new PlazaTwin(renderers);
  const stages = new Map(twin.both.map((plaza) => [plaza, stageOn(plaza)]));
  await twin.settle();
  await twin.tell(rest, rest);
  for (const [name, edit] of Object.entries(EDITS)) {
    const before = twin.changes;
    expect(await twin.frame((plaza) => edit(stages.get(plaza) as Stage)), name).toBe(0);
    expect(twin.changes, `${name} changes nothing`).toBe(before + 1);
    await twin.tell(rest);
  }
  twin.dispose();
});
