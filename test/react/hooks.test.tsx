import { act } from '@react-three/fiber';
import { type ReactNode, type RefObject, useRef } from 'react';
import { BoxGeometry, type Camera, type Group, Mesh, MeshBasicMaterial, Object3D, PerspectiveCamera } from 'three';
import type { SceneIndex } from 'three-scene-index';
import { Accelerated, touch, useNearest, useSceneIndex, useVisible } from 'three-scene-index/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { random } from '../helpers/random.js';
import { TestRoot } from './TestRoot.js';

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();
let root: TestRoot;
let index: SceneIndex | null = null;

beforeEach(async () => {
  root = await TestRoot.open();
});

afterEach(() => root.close());

function Peek(): null {
  index = useSceneIndex();
  return null;
}

const accelerated = [<Accelerated key="accelerated" />, <Peek key="peek" />];

function boxes(count: number): ReactNode {
  const next = random(3);
  const at = (): number => 60 * next() - 30;
  return Array.from({ length: count }, (_, i) => `box ${i}`).map((name) => (
    <mesh key={name} name={name} geometry={geometry} material={material} position={[at(), at(), at()]} />
  ));
}

const namesOf = (objects: readonly Object3D[]): string[] => objects.map(({ name }) => name).sort();

describe('useVisible', () => {
  const shown: (readonly Object3D[])[] = [];
  function Visible({ camera }: { camera?: Camera }): null {
    shown.push(useVisible(camera));
    return null;
  }

  beforeEach(() => {
    shown.length = 0;
  });

  test('gives what a camera sees, and again only when that changes', async () => {
    await root.render(boxes(200), <Visible key="visible" />, accelerated);
    const { camera, scene } = root.state;
    const expectExact = () => expect(namesOf(shown.at(-1)!)).toEqual(namesOf(index!.cull(camera)));
    expectExact();
    expect(shown.at(-1)!.length).toBeGreaterThan(20);
    const count = shown.length;
    camera.position.z += 0.001;
    for (let i = 0; i < 5; i++) await root.frame();
    expect(shown).toHaveLength(count);
    camera.rotation.y = 1;
    await root.frame();
    await root.frame();
    expect(shown.length).toBeGreaterThan(count);
    expectExact();
    // Something that moves out of view is gone after the frame that shows it.
    const [first] = shown.at(-1)!;
    first.position.set(1e4, 0, 0);
    await root.frame();
    expect(shown.at(-1)).not.toContain(first);
    shown.at(-1)![0].removeFromParent();
    await root.frame();
    expectExact();
    expect(scene.children.length).toBeLessThan(203);
    const other = new PerspectiveCamera(30, 1, 0.1, 50);
    await root.render(boxes(200), <Visible key="visible" camera={other} />, accelerated);
    expect(namesOf(shown.at(-1)!)).toEqual(namesOf(index!.cull(other)));
    await root.render(boxes(200), <Visible key="visible" />, <Peek key="peek" />);
    expect(shown.at(-1)).toEqual([]);
  });

  test('is done with an index that goes while frames are made', async () => {
    await root.render(boxes(200), <Visible key="visible" />, accelerated);
    expect(shown.at(-1)!.length).toBeGreaterThan(20);
    await act(async () => {
      index!.dispose();
      root.state.advance(performance.now());
    });
    expect(shown.at(-1)).toEqual([]);
  });
});

describe('useNearest', () => {
  const shown: (readonly Object3D[])[] = [];
  function Player({ count, maxDistance }: { count: number; maxDistance?: number }): ReactNode {
    const ref = useRef<Group>(null);
    shown.push(useNearest(ref, count, maxDistance));
    return (
      <group ref={ref} name="player">
        {['head', 'body', 'legs'].map((name) => (
          <mesh key={name} name={name} geometry={geometry} material={material} />
        ))}
      </group>
    );
  }

  const find = (name: string): Object3D => root.state.scene.getObjectByName(name)!;

  /** The nearest by three's own boxes, one by one. */
  function expected(count: number, maxDistance = Number.POSITIVE_INFINITY): string[] {
    const player = find('player');
    const distances: [number, string][] = [];
    root.state.scene.traverse((object) => {
      if (!(object instanceof Mesh) || object.parent === player) return;
      const box = object.geometry.boundingBox!.clone().applyMatrix4(object.matrixWorld);
      distances.push([box.distanceToPoint(player.position), object.name]);
    });
    const inOrder = distances.filter(([distance]) => distance <= maxDistance).sort(([a], [b]) => a - b);
    return inOrder.slice(0, count).map(([, name]) => name);
  }

  test('gives the nearest objects but those of the object itself, again only when they change', async () => {
    geometry.computeBoundingBox();
    shown.length = 0;
    const show = (count: number, maxDistance?: number) => {
      const limit = maxDistance === undefined ? {} : { maxDistance };
      return root.render(boxes(100), <Player key="player" count={count} {...limit} />, accelerated);
    };
    const last = () => shown.at(-1)!.map(({ name }) => name);
    await show(3);
    expect(last()).toEqual(expected(3));
    const count = shown.length;
    await root.frame();
    expect(shown).toHaveLength(count);
    const player = find('player');
    for (let i = 0; i < 10; i++) {
      player.position.set(3 * i - 15, i, 0);
      await root.frame();
      expect(last()).toEqual(expected(3));
    }
    expect(shown.length).toBeGreaterThan(count);
    await show(60);
    expect(last()).toEqual(expected(60));
    await show(60, 12);
    expect(last()).toEqual(expected(60, 12));
    expect(last().length).toBeLessThan(60);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])(
    'gives nothing while the object is at %f, and breaks no frame',
    async (x) => {
      await root.render(boxes(100), <Player key="player" count={3} />, accelerated);
      const player = find('player');
      player.position.x = x;
      await root.frame();
      expect(shown.at(-1)).toEqual([]);
      player.position.x = 5;
      await root.frame();
      expect(shown.at(-1)).toHaveLength(3);
    },
  );
});

describe('what is not legal throws, and names its place:', () => {
  test.each<[words: string, ask: (ref: RefObject<Object3D | null>) => unknown]>([
    ['useVisible.camera: must be a Camera', () => useVisible(new Object3D() as Camera)],
    ['useNearest.count: the count must be', (ref) => useNearest(ref, 0)],
    ['useNearest.count: the count must be', (ref) => useNearest(ref, 1.5)],
    ['useNearest.maxDistance: must not be negative', (ref) => useNearest(ref, 1, -1)],
    ['useNearest.maxDistance: must not be negative', (ref) => useNearest(ref, 1, Number.NaN)],
  ])('%s, %#', async (words, ask) => {
    const said: string[] = [];
    function Asker(): null {
      const ref = useRef<Object3D>(null);
      try {
        ask(ref);
      } catch (error) {
        said.push((error as Error).message);
      }
      return null;
    }
    await root.render(<Asker key="asker" />);
    expect(said[0]).toMatch(new RegExp(`^${words}`));
  });

  test('touch', () => {
    for (const value of [null, undefined, {}, 1]) expect(() => touch(value as never)).toThrow(/^touch: must be/);
  });
});
