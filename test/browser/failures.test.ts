import * as THREE from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BatchedMeshState } from '../../src/batching/BatchedMeshState.js';
import { BatchGeometry } from '../../src/batching/BatchGeometry.js';
import { BatchGroups } from '../../src/batching/BatchGroup.js';
import { BatchRuns } from '../../src/batching/BatchRuns.js';
import { DrawSlots, MatrixUploads } from '../../src/batching/DrawSlots.js';
import { KnownGeometry } from '../../src/batching/KnownGeometry.js';
import { MeshBatch, PassDraws } from '../../src/batching/MeshBatch.js';
import { MeshBatching } from '../../src/batching/MeshBatching.js';
import { SceneBatches } from '../../src/batching/SceneBatches.js';
import { accelerate, explain } from '../../src/index.js';
import { CompactedDrawing } from '../../src/instances/drawn/CompactedDrawing.js';
import { DrawListMaker } from '../../src/instances/drawn/DrawListMaker.js';
import { InstancedCulling } from '../../src/instances/InstancedCulling.js';
import { IndexedInstances } from '../../src/instances/table/IndexedInstances.js';
import { OcclusionBuffer } from '../../src/occlusion/OcclusionBuffer.js';
import { Packed } from '../../src/packed/Packed.js';
import type { Stage } from '../../src/passes/Stages.js';
import { CasterCulling } from '../../src/render/CasterCulling.js';
import { Gate } from '../../src/render/Gate.js';
import { CameraOcclusion } from '../../src/render/occlusion/CameraOcclusion.js';
import { Occluders } from '../../src/render/occlusion/Occluders.js';
import { SceneOcclusion } from '../../src/render/occlusion/SceneOcclusion.js';
import { PassList } from '../../src/render/PassList.js';
import { Casters } from '../../src/render/shadows/Casters.js';
import { DepthLayer } from '../../src/render/shadows/DepthLayer.js';
import { KeptMap } from '../../src/render/shadows/KeptMap.js';
import { KeptShadows } from '../../src/render/shadows/KeptShadows.js';
import { SceneLimits } from '../../src/scene/ask/SceneLimits.js';
import { Entries } from '../../src/scene/follow/Entries.js';
import { Motion } from '../../src/scene/follow/Motion.js';
import { SceneFollower } from '../../src/scene/follow/SceneFollower.js';
import { failures } from '../helpers/failures.js';
import { otherPixels } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { atWidth } from '../helpers/width.js';
import { eyeAt, loadTransparent, openStudio, sunlit, two } from './batching.js';

type Methods = Record<string, (...args: never[]) => unknown>;
/** A method that throws from now on; the stage that has failed then; at how many objects, 0 for all. */
type Fault = readonly [owner: { name: string; prototype: object }, method: string, stage: Stage, objects?: number];

/** While lists are made: pictures are those of plain three, from the first one on. */
const LISTED: readonly Fault[] = [
  [SceneFollower, 'update', 'update'],
  [Motion, 'run', 'update'],
  [Entries, 'follow', 'update'],
  [Packed, 'queryPlanes', 'lists'],
  [PassList, 'clear', 'lists'],
  [Gate, 'release', 'lists'],
  [SceneLimits, 'beginView', 'limits'],
  [CasterCulling, 'beginRender', 'cullCasters'],
  [CasterCulling, 'narrow', 'cullCasters'],
  [KeptShadows, 'beginRender', 'keepShadows'],
  [KeptShadows, 'partsOf', 'keepShadows'],
  [KeptMap, 'takeSameKey', 'keepShadows'],
  [Casters, 'look', 'keepShadows'],
  [Casters, 'changesAfter', 'keepShadows'],
  [DepthLayer, 'bind', 'keepShadows'],
  [DepthLayer, 'copy', 'keepShadows'],
  [SceneOcclusion, 'beginPass', 'occlusion'],
  [Occluders, 'update', 'occlusion'],
  [CameraOcclusion, 'draw', 'occlusion'],
  [OcclusionBuffer, 'draw', 'occlusion'],
  [OcclusionBuffer, 'beginPass', 'occlusion'],
  [OcclusionBuffer, 'end', 'occlusion'],
  [MeshBatching, 'beginRender', 'batch'],
  [MeshBatching, 'endRender', 'batch'],
  [MeshBatching, 'update', 'batch'],
  [SceneBatches, 'beginPass', 'batch'],
  [SceneBatches, 'end', 'batch'],
  [PassDraws, 'add', 'batch'],
  [BatchGroups, 'recenter', 'batch'],
  [MeshBatch, 'setMatrix', 'batch'],
  [BatchGeometry, 'use', 'batch'],
  [KnownGeometry, 'refresh', 'batch'],
  [BatchedMeshState, 'refresh', 'batch'],
  [BatchRuns, 'add', 'batch'],
  [InstancedCulling, 'update', 'instances'],
  [CompactedDrawing, 'objectFor', 'instances', 2],
  [IndexedInstances, 'cullRoughly', 'instances', 2],
  [IndexedInstances, 'update', 'instances', 3],
  [DrawListMaker, 'make', 'instances', 1],
  [THREE.InstancedBufferAttribute, 'addUpdateRange', 'instances', 1],
];

/** While a picture is drawn: it may lack what they draw, the next ones are those of plain three. */
const DRAWN: readonly Fault[] = [
  [DrawSlots, 'drawLevel', 'batch'],
  [MatrixUploads, 'prepare', 'batch'],
];

const studio = openStudio(120);

interface Town {
  readonly scene: THREE.Scene;
  readonly movers: THREE.Object3D[];
  readonly crowd: THREE.InstancedMesh;
}

/** A town with everything that is drawn otherwise than by plain three. */
function town(): Town {
  const next = random(7);
  const scene = sunlit().add(new THREE.HemisphereLight(0xffffff, 0x445566, 1));
  const [sun] = scene.children as [THREE.DirectionalLight];
  Object.assign(sun.shadow.camera, { left: -30, right: 30, top: 30, bottom: -30 });
  const box = new THREE.BoxGeometry();
  const geometries = [box, new THREE.SphereGeometry(0.6, 9, 7)];
  const materials = two() as [THREE.Material, THREE.Material];
  const glass = new THREE.MeshBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.3 });
  const movers: THREE.Object3D[] = [];
  for (let i = 0; i < 200; i++) {
    const mesh = new THREE.Mesh(geometries[i % 2], i % 10 === 0 ? glass : materials[i % 3 === 0 ? 1 : 0]);
    mesh.name = `mesh ${i}`;
    mesh.position.set(next() * 60 - 30, next() * 4, next() * 60 - 30);
    mesh.castShadow = mesh.receiveShadow = true;
    scene.add(i % 5 === 0 ? new THREE.Group().add(mesh) : mesh);
    if (i % 7 === 0) movers.push(mesh);
  }
  for (let i = 0; i < 4; i++) {
    const wall = new THREE.Mesh(box, new THREE.MeshLambertMaterial({ color: 0x777777 + i }));
    wall.scale.set(12, 9, 0.5);
    wall.position.set(12 * i - 18, 0, 12);
    scene.add(wall);
  }
  const place = () => at(next() * 60 - 30, next() * 4, next() * 60 - 30);
  const [crowd, other] = materials.map((material, k) =>
    Object.assign(new THREE.InstancedMesh(box, material, 600), { name: `crowd ${k}` }),
  );
  for (const one of [crowd, other]) for (let i = 0; i < 600; i++) one.setMatrixAt(i, place());
  for (let i = 0; i < 600; i++) crowd.setColorAt(i, new THREE.Color(next(), next(), next()));
  const batch = Object.assign(new THREE.BatchedMesh(300, 24, 36, materials[0]), { name: 'batch' });
  const shape = batch.addGeometry(box);
  for (let i = 0; i < 300; i++) batch.setMatrixAt(batch.addInstance(shape), place());
  scene.add(crowd, other, batch);
  return { scene, movers, crowd };
}

const at = (x: number, y: number, z: number): THREE.Matrix4 => new THREE.Matrix4().makeTranslation(x, y, z);

/** Where little is to be gained, occlusion rests. */
const OCCLUSION = { occlusion: true } as const;
/** Maps that are kept hold all casters. */
const KEPT = { batch: { atLeast: 2 }, keepShadows: true } as const;
const OPTIONS = { batch: { atLeast: 2 }, occlusion: true, cullCasters: true, minPixels: 0.01 } as const;

/** Pictures of plain three, by whether they are of occlusion: the same for each fault. */
const PLAIN = new Map<boolean, Uint8Array[]>();
/** The picture in which a method begins to throw, and how many there are. */
const FIRST = 2;
const COUNT = 5;

/** Pictures of a camera that goes on, while objects move. */
function film({ scene, movers, crowd }: Town, isOccluded: boolean, before: (picture: number) => void) {
  const camera = eyeAt(3, isOccluded ? 2 : 5, 28);
  const taken = Array.from({ length: COUNT }, (_, picture) => {
    camera.position.x += 0.5;
    for (const mover of movers) mover.position.y += 0.1;
    // One that has rested: a layer with it is drawn anew.
    if (picture === FIRST) scene.getObjectByName('mesh 3')?.translateY(1);
    crowd.setMatrixAt(picture, at(picture - 5, 1, 14));
    crowd.instanceMatrix.needsUpdate = true;
    before(picture);
    return studio.draw(scene, camera);
  });
  return { camera, taken };
}

/** In how many pixels the pictures with a fault differ from those of plain three. */
async function tell([{ prototype }, method, stage]: Fault): Promise<number[]> {
  const isOccluded = stage === 'occlusion';
  studio.renderer.shadowMap.enabled = true;
  const plain = PLAIN.get(isOccluded) ?? film(town(), isOccluded, () => {}).taken.map(({ pixels }) => pixels);
  PLAIN.set(isOccluded, plain);
  const made = town();
  const { scene } = made;
  const index = accelerate(scene, isOccluded ? OCCLUSION : stage === 'keepShadows' ? KEPT : OPTIONS);
  await index.ready;
  if (!isOccluded) await loadTransparent(() => studio.draws(scene, eyeAt(3, 5, 28), 1));
  const { camera, taken } = film(made, isOccluded, (picture) => {
    if (picture !== FIRST) return;
    vi.spyOn(prototype as Methods, method).mockImplementation(() => {
      throw new Error('injected');
    });
  });
  const why = explain(index, scene.getObjectByName('mesh 1') as THREE.Object3D, camera).join(' ');
  if (failures.some(({ at }) => at === null)) expect(why).toContain('injected');
  vi.restoreAllMocks();
  index.dispose();
  expect(taken.at(-1)?.calls).toBeGreaterThan(0);
  return taken.map(({ pixels }, i) => otherPixels(pixels, plain[i]));
}

afterEach(() => vi.restoreAllMocks());

/** One of each stage, at a width at which all take too long. */
const SOME = [
  'Motion.run',
  'PassList.clear',
  'OcclusionBuffer.draw',
  'BatchGeometry.use',
  'BatchRuns.add',
  'DepthLayer.copy',
];
const isTaken = ([{ name }, method]: Fault): boolean => atWidth(true, SOME.includes(`${name}.${method}`));

describe.each([
  ['lists are made', LISTED.filter(isTaken), -1],
  ['it is drawn', DRAWN, FIRST],
] as const)('an exception while %s', (_, faults, lost) => {
  it.each(faults.map((fault) => [fault[0].name, fault[1], fault[2], fault] as const))(
    'in %s.%s ends %s alone, and pictures are those of plain three',
    async (_owner, _method, stage, fault) => {
      const [, , , objects] = fault;
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
      const other = await tell(fault);
      const said = failures.splice(0);
      expect(new Set(said.map((one) => one.stage))).toEqual(new Set([stage]));
      if (objects !== undefined) expect(new Set(said.map(({ at }) => at)).size).toBe(objects);
      expect(new Set(warn.mock.calls.map(([text]) => text)).size).toBe(warn.mock.calls.length);
      other.forEach((count, picture) => {
        if (picture !== lost) expect(count, `${picture}`).toBeLessThan(4);
      });
    },
  );
});

type Arrays = { array: unknown };

function free(this: Arrays): void {
  this.array = null;
}

/** Frees what an object is drawn from. */
function freeAll(scene: THREE.Scene, isNow: boolean): void {
  scene.traverse((object) => {
    const { geometry, instanceMatrix, instanceColor } = object as THREE.InstancedMesh;
    if (geometry === undefined) return;
    const all = [...Object.values(geometry.attributes), geometry.index, instanceMatrix, instanceColor];
    for (const one of all as (THREE.BufferAttribute | null | undefined)[]) {
      if (!one) continue;
      if (isNow) free.call(one as Arrays);
      else one.onUpload(free as () => void);
    }
  });
}

/** Who frees the arrays: before the first picture, or after the fourth. */
const WAYS: Readonly<Record<string, { begin?: (scene: THREE.Scene) => void; later?: (scene: THREE.Scene) => void }>> = {
  'callbacks of their own': { begin: (scene) => freeAll(scene, false) },
  'a callback on the prototype': {
    begin: () => {
      for (const { prototype } of [THREE.BufferAttribute, THREE.InterleavedBuffer])
        vi.spyOn(prototype, 'onUploadCallback').mockImplementation(free as () => void);
    },
  },
  'the page, some pictures later': { later: (scene) => freeAll(scene, true) },
};

it.each(Object.entries(WAYS))('pictures are those of plain three where arrays are freed by %s', async (_, way) => {
  studio.renderer.shadowMap.enabled = false;
  const warn = vi.spyOn(console, 'warn');
  const towns = [town(), town()];
  for (const { scene } of towns) {
    // three draws no batch without its arrays.
    scene.getObjectByName('batch')?.removeFromParent();
    way.begin?.(scene);
  }
  const index = accelerate(towns[1].scene, { batch: { atLeast: 2 }, occlusion: true, cullCasters: true });
  const camera = eyeAt(2, 3, 24);
  await index.ready;
  await loadTransparent(() => studio.draws(towns[1].scene, camera, 1));
  studio.draws(towns[0].scene, camera, 4);
  for (let picture = 0; picture < 8; picture++) {
    if (picture === 4) for (const { scene } of towns) way.later?.(scene);
    camera.position.x += 0.7;
    camera.rotation.y += 0.05;
    for (const { movers, crowd } of towns) {
      for (const mover of movers) mover.position.x += 0.3;
      if (way.later === undefined || picture >= 4) continue;
      // Of which their own buffers may not have heard.
      for (let i = 0; i < 40; i++) crowd.setMatrixAt(10 * i + picture, at(i - 20, 8, 6));
      crowd.instanceMatrix.needsUpdate = true;
    }
    const [plain, fast] = towns.map(({ scene }) => studio.draw(scene, camera).pixels);
    expect(otherPixels(fast, plain, 2), `${picture}`).toBeLessThan(4);
  }
  for (const [text] of warn.mock.calls) expect(text).not.toMatch(/index|accelerate/i);
  index.dispose();
});
