import { act } from '@react-three/fiber';
import { type ReactNode, useRef } from 'react';
import { BoxGeometry, type Camera, type Group, Mesh, MeshBasicMaterial, type Object3D, PerspectiveCamera } from 'three';
import { type SceneIndex, VisibilityTracker } from 'three-scene-index';
import {
  Accelerated,
  useNearest,
  useSceneIndex,
  useVisibilityWatch,
  useVisible,
  type VisibilityWatchOptions,
} from 'three-scene-index/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { random } from '../helpers/random.js';
import { silenceErrors, TestRoot } from './TestRoot.js';

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

  test('gives what the camera sees, and again only when that changes', async () => {
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
    await root.render(boxes(200), <Visible key="visible" />, <Peek key="peek" />);
    expect(shown.at(-1)).toEqual([]);
  });

  test('goes by another camera', async () => {
    const camera = new PerspectiveCamera(30, 1, 0.1, 50);
    await root.render(boxes(200), <Visible key="visible" camera={camera} />, accelerated);
    expect(namesOf(shown.at(-1)!)).toEqual(namesOf(index!.cull(camera)));
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

  test('gives nothing while the object is nowhere, and breaks no frame', async () => {
    await root.render(boxes(100), <Player key="player" count={3} />, accelerated);
    const player = find('player');
    player.position.x = Number.NaN;
    await root.frame();
    expect(shown.at(-1)).toEqual([]);
    player.position.x = 5;
    await root.frame();
    expect(shown.at(-1)).toHaveLength(3);
  });
});

describe('useVisibilityWatch', () => {
  let log: string[] = [];
  function Watched({ name, x, ...options }: { name: string; x: number } & VisibilityWatchOptions): ReactNode {
    const ref = useRef<Group>(null);
    const isVisible = useVisibilityWatch(ref, {
      onEnter: (band) => log.push(`${name} enters ${band}`),
      onLeave: () => log.push(`${name} leaves`),
      onBand: (band, previous) => log.push(`${name} from ${previous} to ${band}`),
      ...options,
    });
    return (
      <group ref={ref} name={`${name} ${isVisible}`} position={[x, 0, 0]}>
        <mesh geometry={geometry} material={material} />
        <mesh geometry={geometry} material={material} position={[0, 1, 0]} />
      </group>
    );
  }

  beforeEach(() => {
    log = [];
  });

  const group = (i: number): Object3D => root.state.scene.children[i];
  const move = async (i: number, x: number, y = 0) => {
    group(i).position.set(x, y, 0);
    await root.frame();
  };

  test('tells when an object, or the last of what is below it, comes into view and leaves it', async () => {
    await root.render(<Watched key="a" name="a" x={0} />, <Watched key="b" name="b" x={1000} />, accelerated);
    expect(log).toEqual(['a enters 0']);
    expect(group(0).name).toBe('a true');
    log = [];
    await move(1, 2);
    expect(log).toEqual(['b enters 0']);
    await root.frame();
    expect(group(1).name).toBe('b true');
    // The lower mesh is below the picture, the upper one still in it.
    await move(0, 0, -18.2);
    expect(log).toEqual(['b enters 0']);
    await move(0, 0, -30);
    expect(log).toEqual(['b enters 0', 'a leaves']);
    group(0).removeFromParent();
    await root.frame();
    await root.render(null, <Watched key="b" name="b" x={2} />, accelerated);
    await root.render(null, <Watched key="b" name="b" x={2} />);
    expect(log).toEqual(['b enters 0', 'a leaves', 'b leaves']);
  });

  test('tells of bands of distance', async () => {
    await root.render(<Watched key="a" name="a" x={0} bands={[10, 40]} hysteresis={0} />, accelerated);
    expect(log.at(-1)).toBe('a enters 1');
    log = [];
    group(0).position.z = 25;
    await root.frame();
    expect(log).toEqual(['a from 1 to 0']);
    // The same bands in another list are no reason to begin anew.
    await root.render(<Watched key="a" name="a" x={0} bands={[10, 40]} hysteresis={0} />, accelerated);
    expect(log.filter((line) => line.includes('leaves'))).toEqual([]);
  });

  test('has one tracker for all, which goes with the last of them', async () => {
    const watched = (count: number) =>
      Array.from({ length: count }, (_, i) => `${i}`).map((name) => (
        <Watched key={name} name={name} x={Number(name)} />
      ));
    await root.render(watched(20), accelerated);
    expect(await updatesOfFrame()).toBe(1);
    await root.render(watched(19), <Watched key="far" name="far" x={0} bands={[5]} />, accelerated);
    expect(await updatesOfFrame()).toBe(2);
    await root.render(accelerated);
    expect(await updatesOfFrame()).toBe(0);
  });

  /** How often trackers are updated in the next frame. */
  async function updatesOfFrame(): Promise<number> {
    const update = vi.spyOn(VisibilityTracker.prototype, 'update');
    await root.frame();
    const { length } = update.mock.calls;
    update.mockRestore();
    return length;
  }

  describe('with a callback that throws', () => {
    silenceErrors();
    const fail = (): never => {
      throw new Error('of the user');
    };

    function Pair({ x, first }: { x: number; first: VisibilityWatchOptions }): ReactNode {
      const ref = useRef<Group>(null);
      useVisibilityWatch(ref, first);
      useVisibilityWatch(ref, { onEnter: () => log.push('enters'), onLeave: () => log.push('leaves') });
      return (
        <group ref={ref} position={[x, 0, 0]}>
          <mesh geometry={geometry} material={material} />
        </group>
      );
    }

    test('tells others all the same, and lists what is seen', async () => {
      const shown: (readonly Object3D[])[] = [];
      function Visible(): null {
        shown.push(useVisible());
        return null;
      }
      const first = { onEnter: fail, onLeave: fail };
      await root.render(<Pair key="pair" x={1000} first={first} />, <Visible key="visible" />, accelerated);
      expect(shown.at(-1)).toEqual([]);
      for (const [x, said, count] of [
        [0, ['enters'], 1],
        [1000, ['enters', 'leaves'], 0],
      ] as const) {
        group(0).position.x = x;
        await expect(root.frame()).rejects.toThrow('of the user');
        expect(log).toEqual(said);
        await root.frame();
        expect(shown.at(-1)).toHaveLength(count);
      }
    });

    test.each(['onEnter', 'onLeave'] as const)('leaves no tracker behind, %s', async (name) => {
      const first = { [name]: fail };
      const failures: unknown[] = [];
      for (const children of [<Pair key="pair" x={0} first={first} />, null]) {
        await root.render(children, accelerated).catch((error) => failures.push(error));
      }
      expect(failures.join()).toContain('of the user');
      expect(await updatesOfFrame()).toBe(0);
    });
  });

  test('takes what comes and goes in one frame together', async () => {
    await root.render(<Watched key="a" name="a" x={0} />, accelerated);
    const [lower, upper] = group(0).children;
    upper.position.x = 1000;
    await root.frame();
    lower.position.x = 1000;
    upper.position.x = 0;
    await root.frame();
    expect(log).toEqual(['a enters 0']);
  });

  test('follows what is put below another object while it is seen', async () => {
    await root.render(<Watched key="a" name="a" x={0} />, <Watched key="b" name="b" x={1000} />, accelerated);
    expect(log).toEqual(['a enters 0']);
    const [a, b] = [group(0), group(1)];
    const [lower, upper] = a.children;
    b.attach(lower);
    await root.frame();
    expect(log).toEqual(['a enters 0', 'b enters 0']);
    b.attach(upper);
    await root.frame();
    expect(log).toEqual(['a enters 0', 'b enters 0', 'a leaves']);
    a.attach(lower);
    a.attach(upper);
    await root.frame();
    expect(log.slice(3).sort()).toEqual(['a enters 0', 'b leaves']);
  });

  test('is done with an index that goes while frames are made', async () => {
    await root.render(<Watched key="a" name="a" x={0} />, accelerated);
    await act(async () => {
      index!.dispose();
      root.state.advance(performance.now());
    });
    expect(log.at(-1)).toBe('a leaves');
  });
});
