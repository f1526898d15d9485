import * as THREE from 'three';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { BatchedMeshState } from '../../src/batching/BatchedMeshState.js';
import { type AcceleratedScene, accelerate, explain, report } from '../../src/index.js';
import { drawnTriangles, plainTriangles } from '../helpers/drawnTriangles.js';
import { random } from '../helpers/random.js';
import { cameraAt, loadAllBatching } from './Stage.js';

/** Pictures in which it is decided about new meshes, and about all: two reviews of a batch, or the longest pause. */
const FRESH = 4;
const REVIEWED = 190;
const PAUSED = 270;

const plane = new THREE.PlaneGeometry();
const camera = cameraAt(10);

/** A crowd of similar meshes, whose pictures are compared with plain three's. */
class Crowd {
  readonly scene = new THREE.Scene();
  readonly meshes: THREE.Mesh[] = [];
  readonly index: AcceleratedScene;
  readonly paint = new THREE.MeshLambertMaterial();
  /** How many of them move from picture to picture. */
  moving = 0;
  #pictures = 0;

  constructor(count: number, hasOwnMaterials = false) {
    for (let i = 0; i < count; i++) {
      const paint = hasOwnMaterials ? new THREE.MeshLambertMaterial({ color: i }) : this.paint;
      const mesh = new THREE.Mesh(plane, paint);
      mesh.position.set((i % 20) - 10, Math.floor(i / 20) / 2 - 8, 0);
      this.meshes.push(mesh);
    }
    this.scene.add(...this.meshes);
    this.index = accelerate(this.scene, { batch: true });
  }

  /** The draw calls of the last of so many pictures. */
  calls(pictures: number): number {
    let calls = 0;
    for (let i = 0; i < pictures; i++) calls = this.draw((pictures - i) % 5 === 1);
    return calls;
  }

  draw(isCompared = true): number {
    const { scene, meshes, moving } = this;
    this.#pictures++;
    for (let i = 0; i < moving; i++) meshes[i].position.z = (this.#pictures % 7) / 10;
    scene.updateMatrixWorld();
    const plain = isCompared ? plainTriangles(scene, camera, camera) : null;
    const drawn = drawnTriangles(scene, camera, camera);
    if (plain) expect(drawn.main, `picture ${this.#pictures}`).toEqual(plain.main);
    return drawn.calls;
  }
}

beforeAll(loadAllBatching);

describe('without the option atLeast a batch is made where it pays', () => {
  // Meshes, how many of them move, whether each has a material of its own, and whether they are drawn in a batch.
  const CROWDS: [number, number, boolean, boolean][] = [
    [4, 0, false, false],
    [60, 0, false, false],
    [64, 0, false, true],
    [180, 0, true, false],
    [190, 0, true, true],
    [64, 64, false, false],
    [100, 60, false, false],
    [100, 40, false, true],
    [240, 240, false, false],
    [260, 260, false, true],
  ];
  it.each(CROWDS)(
    '%d meshes, of which %d move, with own materials %s: %s',
    (count, moving, hasOwnMaterials, isBatched) => {
      const crowd = new Crowd(count, hasOwnMaterials);
      crowd.moving = moving;
      expect(crowd.calls(FRESH)).toBe(isBatched ? 1 : count);
      // It stays so.
      expect(crowd.calls(REVIEWED)).toBe(isBatched ? 1 : count);
      crowd.index.dispose();
    },
  );

  it('meshes that come, rest or go are noticed, and each picture is that of plain three', () => {
    const crowd = new Crowd(50);
    expect(crowd.calls(REVIEWED)).toBe(50);
    const more = Array.from({ length: 50 }, () => new THREE.Mesh(plane, crowd.paint));
    crowd.scene.add(...more);
    crowd.meshes.push(...more);
    expect(crowd.calls(FRESH), 'as many new ones are looked at without delay').toBe(1);
    crowd.moving = 90;
    expect(crowd.calls(REVIEWED), 'most of them move').toBe(1);
    crowd.scene.remove(...crowd.meshes.splice(60));
    crowd.moving = 60;
    expect(crowd.calls(REVIEWED), 'fewer of them move').toBe(60);
    crowd.moving = 0;
    expect(crowd.calls(PAUSED + REVIEWED), 'too few rest').toBe(60);
    crowd.index.dispose();
  });

  it('a batch that was out of view for long is drawn soon after it has come into view', () => {
    const crowd = new Crowd(100);
    expect(crowd.calls(FRESH)).toBe(1);
    crowd.scene.position.x = 1e4;
    expect(crowd.calls(600)).toBe(0);
    crowd.scene.position.x = 0;
    expect(crowd.calls(18)).toBe(1);
    crowd.index.dispose();
  });

  it('between what makes a batch and what keeps one it stays as it is', () => {
    const crowd = new Crowd(70);
    expect(crowd.calls(FRESH)).toBe(1);
    for (let i = 0; i < 4; i++) {
      for (const mesh of crowd.meshes.slice(30)) mesh.visible = i % 2 === 1;
      expect(crowd.calls(REVIEWED)).toBe(1);
    }
    for (const mesh of crowd.meshes.slice(20)) mesh.visible = false;
    expect(crowd.calls(REVIEWED)).toBe(20);
    for (const mesh of crowd.meshes.slice(20, 50)) mesh.visible = true;
    expect(crowd.calls(PAUSED)).toBe(50);
    for (const mesh of crowd.meshes) mesh.visible = true;
    expect(crowd.calls(PAUSED)).toBe(1);
    crowd.index.dispose();
  });

  it.each([1])('edits while batches come and go show as in plain three, seed %i', (seed) => {
    const next = random(seed);
    const crowd = new Crowd(90);
    for (const mesh of crowd.meshes) mesh.castShadow = true;
    const geometries = [plane, new THREE.PlaneGeometry(2, 1), new THREE.PlaneGeometry().toNonIndexed()];
    const some = () => crowd.meshes[Math.floor(next() * crowd.meshes.length)];
    const acts = [
      () => some().position.setX(20 * next() - 10),
      () => (some().visible = next() < 0.5),
      () => (some().geometry = geometries[Math.floor(3 * next())]),
      () => (some().material = new THREE.MeshLambertMaterial({ color: 0xffffff * next() })),
      () => crowd.paint.color.setHex(0xffffff * next()),
      () => crowd.paint.emissive.setHex(next() < 0.5 ? 0 : 0xffffff * next()),
      () => (some().renderOrder = Math.floor(2 * next())),
      () => (some().castShadow = next() < 0.5),
      () => crowd.scene.remove(some()),
      () => crowd.scene.add(...crowd.meshes),
      () => (crowd.moving = Math.floor(crowd.meshes.length * next() ** 2)),
      () => {
        const { position } = geometries[1].attributes;
        position.setX(0, next());
        position.needsUpdate = true;
      },
    ];
    for (let picture = 0; picture < 400; picture++) {
      if (next() < 0.3) acts[Math.floor(next() * acts.length)]();
      crowd.draw();
    }
    crowd.index.dispose();
  });
});

describe('what is drawn alone as a batch would not pay', () => {
  it.each([
    [12, 0, 'its batch would have 12 meshes, too few to pay (set batch: { atLeast } to have smaller batches)'],
    [1, 0, 'its batch would have 1 mesh, too few to pay (set'],
    [90, 90, 'its batch would have 90 meshes, too few to pay while most of them move or change (set batch'],
  ])('%d meshes, of which %d move: explain and report say so', (count, moving, words) => {
    const crowd = new Crowd(count);
    crowd.moving = moving;
    crowd.draw();
    expect(explain(crowd.index, crowd.meshes[0], camera).join()).toContain('checked in the next frame');
    crowd.calls(FRESH);
    expect(explain(crowd.index, crowd.meshes[0], camera).join()).toContain(words);
    const reason = `its batch would have too few meshes to pay${moving > 0 ? ' while most of them move or change' : ''}`;
    expect(report(crowd.index)).toMatchObject([{ reason, count, advice: expect.stringContaining('batch.atLeast') }]);
    crowd.index.dispose();
  });

  it.each([
    ['while others are drawn in batches', 100, 8],
    ['while nothing is', 12, 6],
  ])('is looked at in a few pictures only, %s', (_, others, most) => {
    const crowd = new Crowd(others);
    const odd = new THREE.Mesh(plane, new THREE.MeshLambertMaterial({ emissive: 0x112233 }));
    crowd.scene.add(odd);
    crowd.calls(PAUSED);
    const look = vi.spyOn(BatchedMeshState.prototype, 'look');
    crowd.calls(200);
    expect((look.mock.contexts as BatchedMeshState[]).filter(({ mesh }) => mesh === odd).length).toBeLessThanOrEqual(
      most,
    );
    look.mockRestore();
    crowd.index.dispose();
  });

  it('is looked at in a few pictures only, though it changes into another group in each of them', () => {
    const crowd = new Crowd(12);
    let looks = 0;
    for (let picture = 0; picture < 1200; picture++) {
      for (const mesh of crowd.meshes) mesh.material = new THREE.MeshLambertMaterial({ emissive: picture });
      const look = vi.spyOn(BatchedMeshState.prototype, 'look');
      crowd.draw();
      if (picture >= 700) looks += look.mock.calls.length;
      look.mockRestore();
    }
    expect(looks).toBeLessThan(12 * 20);
    crowd.index.dispose();
  });

  it('the nearest kin is named', () => {
    const crowd = new Crowd(80);
    const odd = new THREE.Mesh(plane, new THREE.MeshLambertMaterial({ emissive: 0x112233 }));
    crowd.scene.add(odd);
    expect(crowd.calls(FRESH)).toBe(2);
    expect(explain(crowd.index, odd, camera).join()).toMatch(
      /would have 1 mesh, .*differs from "Mesh" in material.emissive/,
    );
    crowd.index.dispose();
  });
});
