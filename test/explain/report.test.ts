import * as THREE from 'three';
import { color } from 'three/tsl';
import { MeshStandardNodeMaterial } from 'three/webgpu';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { BATCH_REASONS } from '../../src/explain/batchReasons.js';
import { type BatchOptions, explain, report, SceneIndex } from '../../src/index.js';
import { cameraAt, loadAllBatching } from '../batching/Stage.js';
import { drawnTriangles } from '../helpers/drawnTriangles.js';
import { accelerated } from '../helpers/indexed.js';

const box = new THREE.BoxGeometry();
const plane = new THREE.PlaneGeometry();
const paint = new THREE.MeshLambertMaterial();
const camera = cameraAt(10);

beforeAll(loadAllBatching);

/** A scene of objects that was drawn some times. */
function shown(objects: THREE.Object3D[], batch: BatchOptions = {}) {
  const scene = new THREE.Scene().add(...objects);
  const index = accelerated(scene, { batch: { atLeast: 4, ...batch } });
  for (let frame = 0; frame < 4; frame++) drawn(scene);
  return { scene, index, rows: report(index) };
}

function drawn(scene: THREE.Scene): void {
  scene.updateMatrixWorld();
  drawnTriangles(scene, camera, camera);
}

const own = (properties: object = {}): THREE.Mesh => Object.assign(new THREE.Mesh(box, paint), properties);
const painted = (material: THREE.Material, properties: object = {}): THREE.Mesh =>
  own({ material: Object.assign(material, properties) });
const lambert = (properties: object) => painted(new THREE.MeshLambertMaterial(), properties);
const shaped = (change: (geometry: THREE.BufferGeometry) => unknown) => {
  const geometry = new THREE.BoxGeometry();
  change(geometry);
  return own({ geometry });
};

const ALONE: [() => THREE.Object3D, RegExp][] = [
  [() => own({ onBeforeRender() {} }), /^it has its own onBeforeRender$/],
  [() => own({ customDepthMaterial: new THREE.MeshDepthMaterial() }), /customDepthMaterial: MeshDepthMaterial/],
  [() => own({ occlusionTest: true }), /occlusionTest: true/],
  [() => new THREE.LineSegments(box, paint), /^it is of type LineSegments$/],
  [() => new THREE.InstancedMesh(box, paint, 2), /^it is of type InstancedMesh$/],
  [() => Object.assign(new THREE.SkinnedMesh(box, paint), { frustumCulled: false }), /^it is of type SkinnedMesh$/],
  [() => lambert({ onBeforeCompile() {} }), /^its material has its own onBeforeCompile$/],
  [() => lambert({ onBeforeRender() {} }), /^its material has its own onBeforeRender$/],
  [() => lambert({ wireframe: true }), /wireframe: true/],
  [() => lambert({ alphaHash: true }), /alphaHash: true/],
  [() => lambert({ blending: THREE.AdditiveBlending }), /blending: 2/],
  [() => lambert({ stencilWrite: true, stencilZPass: 7681 }), /stencilWrite: true/],
  [() => lambert({ colorWrite: false }), /colorWrite: false/],
  [() => lambert({ depthFunc: THREE.AlwaysDepth }), /depthFunc: 1/],
  [() => lambert({ depthTest: false }), /^its material has depthTest: false$/],
  [() => lambert({ transparent: true, side: THREE.DoubleSide }), /transparent: true, side: DoubleSide/],
  [
    () => lambert({ normalMap: new THREE.DataTexture(), normalMapType: THREE.ObjectSpaceNormalMap }),
    /normalMapType: 1/,
  ],
  [() => painted(new THREE.MeshPhysicalMaterial({ transmission: 0.5 })), /transmission: 0.5/],
  [() => painted(new THREE.ShaderMaterial()), /^its material is of type ShaderMaterial$/],
  [() => painted(new MeshStandardNodeMaterial(), { colorNode: color(0xff0000) }), /its own colorNode/],
  [
    () => shaped((g) => g.setAttribute('own', new THREE.InstancedBufferAttribute(new Float32Array(24), 1))),
    /attribute/,
  ],
  [() => shaped((g) => (g.morphAttributes.position = [g.attributes.position as never])), /morph targets/],
  [() => shaped((g) => g.setIndex([])), /index is empty/],
  [() => new THREE.Mesh(box, []), /no group of its geometry/],
];

it('textures of the same image that differ in settings, or cannot be compared', async () => {
  vi.useFakeTimers();
  const pixels = (value: number) => new Uint8Array(16).fill(value);
  const texture = (value: number, change: object = {}): THREE.Texture =>
    Object.assign(new THREE.DataTexture(pixels(value), 2, 2), { needsUpdate: true }, change);
  const unread = (name: string): THREE.Texture =>
    Object.assign(new THREE.Texture({ width: 2, height: 2 } as never), { name, needsUpdate: true });
  let height = 0;
  const piece = (count: number, map: THREE.Texture): THREE.Mesh[] => {
    const material = new THREE.MeshLambertMaterial({ map });
    return Array.from({ length: count }, () => {
      const mesh = new THREE.Mesh(box, material);
      mesh.position.y = ++height / 9;
      return mesh;
    });
  };
  const kit = [1, 1, 2].map((value) => piece(4, texture(value)));
  const wrapped = [4, 2].map((count) => piece(count, texture(2, { wrapS: THREE.RepeatWrapping })));
  const few = piece(2, texture(2, { wrapS: THREE.MirroredRepeatWrapping }));
  const unreadable = ['atlas.png', 'atlas.png', 'other.png'].map((name) => piece(4, unread(name)));
  const { index, scene } = shown([...kit, ...wrapped, ...unreadable, few].flat());
  await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  for (let frame = 0; frame < 4; frame++) drawn(scene);
  const one = 'they are drawn in 2 batches instead of one: their textures show the same image';
  const rows = report(index);
  expect(rows.map(({ reason, count }) => [reason, count])).toEqual([
    [`${one}, but differ in map.wrapS`, 10],
    [`${one}, which cannot be compared`, 8],
    ['too few others are similar: they differ in material.map.wrapS', 2],
  ]);
  expect(rows[2].advice).toMatch(/differs from .* in material.map.wrapS \(1002, there 100[01]\)/);
  expect(rows[0].advice).toContain('Give them one texture, or the same settings');
  // The kit, and what has other pixels, need no advice.
  expect(explain(index, kit[1][0], camera).join()).toContain(
    'in a batch of 8 draws, as 2 textures with equal images and settings count as one.',
  );
  expect(explain(index, kit[2][0], camera).join()).toContain('in a batch of 4 draws.');
});

describe('a reason is named with what is in the way', () => {
  it.each(ALONE)('%#: %s', (make, words) => {
    const made = [make(), make()];
    const { index, rows } = shown(made);
    const found = rows.filter(({ reason }) => words.test(reason));
    expect(found.length, JSON.stringify(rows.map(({ reason }) => reason))).toBe(1);
    const [{ reason, count, example }] = found;
    expect(count).toBe(2);
    expect(explain(index, example, camera).join()).toContain(`not in a batch: ${reason}`);
    // Also where that has changed since the last frame.
    for (const object of made)
      if (object instanceof THREE.Mesh) Object.assign(object, { geometry: box, material: null });
    for (const { reason } of report(index)) expect(reason).toMatch(/^(it|its|no|too) [\w: .,"]+$/);
  });

  it('of matrices, rules, memory, and what is in a LOD', () => {
    const [sheared, inLod, alone] = [own(), own(), own()];
    const holder = new THREE.Group().add(sheared);
    holder.scale.y = 3;
    sheared.rotation.z = 0.5;
    const { scene, index } = shown([holder, new THREE.LOD().addLevel(inLod), alone], { atLeast: 1 });
    index.batch(alone, false);
    drawn(scene);
    expect(report(index).map(({ reason, count }) => [reason.slice(0, 28), count])).toEqual([
      ['its world matrix shears', 1],
      ['batches are switched off for', 1],
    ]);
    expect(explain(index, inLod, camera).join()).toMatch(/it lies in "LOD", a LOD, which is drawn with all/);
    const { rows } = shown([own()], { atLeast: 1, maxBytes: 100 });
    expect(rows[0].reason).toMatch(/memory limit/);
    expect(rows[0].advice).toMatch(/maxBytes/);
  });
});

it.each(Object.entries(BATCH_REASONS))('%s has advice', (_code, [sentence, advice]) => {
  expect(advice).toMatch(/^[A-Z].*\.$/);
  if (typeof sentence === 'string') expect(sentence).toMatch(/^[^.]+$/);
});

describe('a list', () => {
  it('has the most frequent first', () => {
    const { rows } = shown([
      ...Array.from({ length: 2 }, () => lambert({ wireframe: true })),
      ...Array.from({ length: 5 }, () => lambert({ alphaHash: true })),
      ...Array.from({ length: 3 }, () => new THREE.LineSegments(box, paint)),
      ...Array.from({ length: 9 }, () => new THREE.Mesh(plane, paint)),
    ]);
    expect(rows.map(({ count }) => count)).toEqual([5, 3, 2]);
    expect(rows[0].example).toBeInstanceOf(THREE.Mesh);
  });

  it('is empty where all is batched, and without batches', () => {
    const { rows } = shown(Array.from({ length: 9 }, () => own()));
    expect(rows).toEqual([]);
    const plain = new SceneIndex(new THREE.Scene().add(own()));
    expect(report(plain)).toEqual([]);
    plain.dispose();
    expect(() => report(plain)).toThrow(/disposed/);
    expect(() => report(null as never)).toThrow(TypeError);
  });

  it('ends with what no frame has shown', () => {
    const { scene, index } = shown([lambert({ wireframe: true })]);
    scene.add(own(), own());
    scene.updateMatrixWorld();
    expect(report(index)).toMatchObject([{ count: 1 }, { reason: 'no frame has shown it yet', count: 2 }]);
  });

  it.each<[string, (mesh: THREE.Mesh) => unknown, RegExp]>([
    ['in view', () => {}, /^It is drawn in a batch of 9 draws\.$/],
    ['hidden', (mesh) => Object.assign(mesh, { visible: false }), /^It is hidden.* When it is drawn, it is in a batch/],
    ['out of view', (mesh) => mesh.position.setX(500), /^It lies outside.* When it is drawn, it is in a batch/],
  ])('an explanation says of a mesh %s how it is drawn', (_label, change, expected) => {
    const meshes = Array.from({ length: 9 }, () => own());
    const { scene, index } = shown(meshes);
    change(meshes[3]);
    scene.updateMatrixWorld();
    expect(explain(index, meshes[3], camera).join(' ')).toMatch(expected);
    const unseen = own().translateX(500);
    scene.add(unseen);
    scene.updateMatrixWorld();
    expect(explain(index, unseen, camera).join(' ')).toMatch(/^It lies outside/);
    expect(explain(index, unseen, camera).join(' ')).not.toMatch(/drawn/);
  });
});

describe('of what is too few, the nearest kin is named, with what differs', () => {
  const kin = (): THREE.Mesh => own({ material: new THREE.MeshStandardMaterial(), name: 'kin' });
  const odd = (values: object, change: (mesh: THREE.Mesh) => unknown = () => {}): THREE.Mesh => {
    const mesh = painted(new THREE.MeshStandardMaterial(), values);
    change(mesh);
    return mesh;
  };
  const texture = Object.assign(new THREE.DataTexture(), { name: 'bricks' });

  it.each<[string, THREE.Mesh, string, RegExp]>([
    ['a number', odd({ roughness: 0.5 }), 'material.roughness', /material\.roughness \(0\.5, there 1\)/],
    ['a texture', odd({ map: texture }), 'material.map', /material\.map \("bricks", there null\)/],
    ['a colour', odd({ emissive: new THREE.Color(0xff0000) }), 'material.emissive', /#ff0000/],
    ['an order', odd({}, (m) => (m.renderOrder = 3)), 'renderOrder', /renderOrder \(3, there 0\)/],
    ['layers', odd({}, (m) => m.layers.enable(2)), 'layers.mask', /layers\.mask \(5, there 1\)/],
    ['a shadow', odd({}, (m) => (m.castShadow = true)), 'castShadow', /castShadow \(true, there false\)/],
    ['a mirror', odd({}, (m) => (m.scale.x = -1)), 'mirroring', /mirroring \(true, there false\)/],
    [
      'an attribute',
      odd({}, (m) => (m.geometry = new THREE.BoxGeometry().deleteAttribute('uv') as never)),
      'attribute uv',
      /attribute uv \(none, there 2 of Float32Array\)/,
    ],
    [
      'two of them',
      odd({ roughness: 0.5 }, (m) => (m.renderOrder = 3)),
      'renderOrder, material.roughness',
      /renderOrder \(3, there 0\), material\.roughness/,
    ],
  ])('%s', (_label, mesh, names, words) => {
    const { index, rows } = shown([mesh, ...Array.from({ length: 6 }, kin), painted(new THREE.MeshLambertMaterial())]);
    const reason = `too few others are similar: they differ in ${names}`;
    const row = rows.find((one) => one.example === mesh);
    expect(row).toMatchObject({ reason, count: 1 });
    expect(row?.advice).toMatch(words);
    const said = explain(index, mesh, camera).join();
    expect(said).toMatch(
      /too few others are similar \(\d of the \d draws that make a batch\): it differs from "kin" in /,
    );
    expect(said).toMatch(words);
  });

  it('a type of material, and none at all', () => {
    const { rows } = shown([painted(new THREE.MeshLambertMaterial()), painted(new THREE.MeshStandardMaterial())]);
    expect(rows).toMatchObject([{ reason: 'too few others are similar: they differ in material.type', count: 2 }]);
    const { rows: one } = shown([painted(new THREE.MeshLambertMaterial())]);
    expect(one).toMatchObject([{ reason: 'too few others are similar', count: 1 }]);
  });

  it('equal materials that are not merged', () => {
    const { rows } = shown([kin(), kin(), kin(), kin()], { mergeColors: false });
    expect(rows).toMatchObject([{ reason: 'too few others are similar: they differ in material', count: 4 }]);
  });
});
