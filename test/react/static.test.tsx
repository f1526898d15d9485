import { act, createPortal } from '@react-three/fiber';
import { type ReactNode, Suspense, use, useEffect, useRef, useState } from 'react';
import {
  Box3,
  BoxGeometry,
  type Mesh,
  MeshBasicMaterial,
  type Object3D,
  PerspectiveCamera,
  Scene,
  SphereGeometry,
} from 'three';
import { type AcceleratedScene, stats } from 'three-scene-index';
import { Accelerated, type AcceleratedProps, Static, useSceneIndex } from 'three-scene-index/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { partsOf } from '../../src/scene/SceneIndex.js';
import { TestRoot } from './TestRoot.js';

const geometry = new BoxGeometry();
const ball = new SphereGeometry(3);
const material = new MeshBasicMaterial();
let root: TestRoot;
let index: AcceleratedScene;

beforeEach(async () => {
  root = await TestRoot.open();
});

afterEach(() => root.close());

/** Shows children in an accelerated scene; three frames later whatever is static is skipped. */
async function show(children: ReactNode, props: AcceleratedProps = {}): Promise<void> {
  await root.render(
    <Accelerated
      key="accelerated"
      {...props}
      onIndex={(made) => {
        index = made;
      }}
    />,
    <group key="all">{children}</group>,
  );
  for (let i = 0; i < 3; i++) await root.frame();
}

const named = (name: string): Mesh => root.state.scene.getObjectByName(name) as Mesh;

/** The names of the objects that updates visit. */
function moving(): string[] {
  const records = [...partsOf(index, 'test').follower.hierarchy.records.values()];
  return records.flatMap(({ object, slot }) => (slot >= 0 && object.name !== '' ? [object.name] : [])).sort();
}

/** Expects that the index and the picture have an object where three would have it. */
function expectShown(name: string): void {
  const mesh = named(name);
  const parent = mesh.parent as Object3D;
  const found = index.getBox(mesh, new Box3());
  const world = mesh.matrixWorld.clone();
  mesh.updateMatrix();
  expect(world).toEqual(parent.matrixWorld.clone().multiply(mesh.matrix));
  mesh.geometry.computeBoundingBox();
  const expected = (mesh.geometry.boundingBox as Box3).clone().applyMatrix4(world);
  expect(found?.min.distanceTo(expected.min)).toBeLessThan(1e-6);
  expect(found?.max.distanceTo(expected.max)).toBeLessThan(1e-6);
}

type Props = Record<string, unknown>;

function Box({ name, ...props }: { name: string } & Props): ReactNode {
  return <mesh name={name} geometry={geometry} material={material} {...props} />;
}

describe('what is in <Static>', () => {
  test('is skipped, and what is beside it is not; what moves by a ref shows after a touch', async () => {
    await show([
      <Static key="static" name="top" position={[1, 0, 0]}>
        <Box name="still" />
      </Static>,
      <Box key="free" name="free" />,
    ]);
    expect(moving()).toEqual(['free']);
    expectShown('still');
    expect(named('still').matrixWorld.elements[12]).toBe(1);
    const mesh = named('still');
    mesh.position.x = 5;
    await root.frame();
    expect(mesh.matrixWorld.elements[12]).toBe(1);
    index.touch(mesh);
    await root.frame();
    expectShown('still');
    // Nothing is left of it once it is no longer in one.
    await show(<Box name="free" />);
    expect(moving()).toEqual(['free']);
  });

  const changes: [string, (isOther: boolean) => ReactNode][] = [
    ['position', (is) => <Box name="it" position={[is ? 4 : 0, 1, 0]} />],
    ['one coordinate', (is) => <Box name="it" position-x={is ? 4 : 0} />],
    ['rotation', (is) => <Box name="it" rotation={[is ? 1 : 0, 0, 1]} />],
    ['scale', (is) => <Box name="it" scale={is ? 4 : 1} />],
    ['a prop that is taken away', (is) => <Box name="it" {...(is ? {} : { scale: 4 })} />],
    ['geometry', (is) => <Box name="it" geometry={is ? ball : geometry} />],
    ['arguments', (is) => <mesh key="it" name="it" args={[is ? ball : geometry, material]} />],
    [
      'arguments of the geometry',
      (is) => (
        <mesh name="it">
          <boxGeometry args={[1, is ? 7 : 1, 1]} />
        </mesh>
      ),
    ],
    [
      'another geometry',
      (is) => <mesh name="it">{is ? <boxGeometry args={[1, 7, 1]} /> : <sphereGeometry args={[9]} />}</mesh>,
    ],
    [
      'a geometry that goes',
      (is) => (
        <mesh name="it" geometry={geometry}>
          {is ? null : <sphereGeometry args={[9]} />}
        </mesh>
      ),
    ],
    [
      'vertices',
      (is) => (
        <mesh name="it">
          <bufferGeometry>
            <bufferAttribute attach="attributes-position" args={[new Float32Array([0, 0, 0, 1, is ? 8 : 1, 1]), 3]} />
          </bufferGeometry>
        </mesh>
      ),
    ],
    [
      'the group around it',
      (is) => (
        <group position={[0, 0, is ? 6 : 1]}>
          <Box name="it" />
        </group>
      ),
    ],
    [
      'an element around it',
      (is) =>
        is ? (
          <group position={[0, 0, 6]}>
            <Box name="it" />
          </group>
        ) : (
          <Box name="it" />
        ),
    ],
    [
      'a neighbour that goes',
      (is) => [is ? null : <Box key="a" name="other" />, <Box key="b" name="it" position={[is ? 2 : 0, 0, 0]} />],
    ],
    [
      'a neighbour that comes',
      (is) => [is ? <Box key="a" name="it" /> : null, <Box key="b" name={is ? 'other' : 'it'} />],
    ],
  ];

  test.each(changes)('follows React: %s', async (_, of) => {
    let set = (_: boolean): void => {};
    /** Rendered by itself, not from above. */
    const Inner = (): ReactNode => {
      const [isOther, setOther] = useState(false);
      set = setOther;
      return of(isOther);
    };
    await show(
      <Static>
        <Box name="first" />
        <Inner />
      </Static>,
    );
    for (const isOther of [true, false, true]) {
      expectShown('it');
      await act(async () => set(isOther));
      await root.frame();
      expectShown('it');
      expectShown('first');
      for (let i = 0; i < 3; i++) await root.frame();
      expect(moving()).toEqual([]);
    }
  });

  test('is looked at twice, as effects may come after a frame', async () => {
    let set = (_: number): void => {};
    const Turned = (): ReactNode => {
      const [x, setX] = useState(0);
      set = setX;
      const mesh = useRef<Mesh>(null);
      useEffect(() => {
        const { position } = mesh.current as Mesh;
        // Some time after the commit.
        void Promise.resolve().then(() => position.setY(x));
      }, [x]);
      return <mesh ref={mesh} name="turned" geometry={geometry} material={material} />;
    };
    await show(
      <Static>
        <Turned />
      </Static>,
    );
    await act(async () => {
      set(3);
      root.state.advance(performance.now());
    });
    await root.frame();
    expectShown('turned');
    expect(named('turned').matrixWorld.elements[13]).toBe(3);
  });

  test('comes later, after it was suspended too, and is static at once', async () => {
    let load = (_: string): void => {};
    const name = new Promise<string>((done) => {
      load = done;
    });
    const Later = (): ReactNode => <Box name={use(name)} position={[3, 0, 0]} />;
    const still = (isMore: boolean) => (
      <Static>
        {isMore && <Box name="more" />}
        <Suspense>
          <Later />
        </Suspense>
      </Static>
    );
    await show(still(false));
    await show(still(true));
    expectShown('more');
    await act(async () => load('late'));
    for (let i = 0; i < 3; i++) await root.frame();
    expectShown('late');
    expect(moving()).toEqual([]);
    await show(still(false));
    expect(index.size).toBe(1);
  });

  test('before 9.7 fiber keeps the props, and calls `onUpdate`', async () => {
    const updated: Object3D[] = [];
    await show(
      <Static>
        <Box name="own" onUpdate={(object: Object3D) => updated.push(object)} />
        <Box name="none" />
      </Static>,
    );
    for (const name of ['own', 'none']) {
      const mesh = named(name) as Mesh & { __r3f: { props: { onUpdate: (object: Object3D) => void } } };
      updated.length = 0;
      mesh.position.x = 7;
      mesh.__r3f.props.onUpdate(mesh);
      expect(updated).toEqual(name === 'own' ? [mesh] : []);
      await root.frame();
      expectShown(name);
    }
  });
});

describe('what moves all the same', () => {
  const within = (enabled: boolean, isInner = true) => (
    <Static>
      <Box name="still" />
      {isInner && (
        <Static enabled={enabled}>
          <Box name="inner" />
          <Static>
            <Box name="innermost" />
          </Static>
        </Static>
      )}
    </Static>
  );

  test('is in a <Static> that is not enabled, within one that is', async () => {
    await show(within(false));
    expect(moving()).toEqual(['inner']);
    await show(within(true));
    expect(moving()).toEqual([]);
    await show(within(false));
    expect(moving()).toEqual(['inner']);
    await show(within(false, false));
    await show(within(false));
    expect(moving()).toEqual(['inner']);
    expect(stats(index)).toMatchObject({ tracked: 8, dynamic: 4 });
  });

  test('is in one within <Accelerated static>, or is the camera; the prop is followed', async () => {
    const camera = Object.assign(new PerspectiveCamera(), { name: 'camera' });
    root.state.set({ camera });
    const all = [
      <primitive key="camera" object={camera} />,
      <Box key="free" name="free" />,
      <group key="in">{within(false)}</group>,
    ];
    await show(all, { static: true });
    // The code for it is there some time after.
    for (let i = 0; moving().includes('free') && i < 1000; i++) {
      await act(() => new Promise<void>((done) => requestAnimationFrame(() => done())));
    }
    const made = index;
    expect(moving()).toEqual(['camera', 'inner']);
    await show(all, { static: false });
    expect(moving()).toEqual(['camera', 'free', 'inner']);
    await show(all, { static: true });
    await show([...all, <Box key="late" name="late" position={[2, 2, 2]} />], { static: true });
    expect(moving()).toEqual(['camera', 'inner']);
    expectShown('late');
    await show([...all, <Box key="late" name="late" position={[3, 2, 2]} />], { static: true });
    expectShown('late');
    expect(index).toBe(made);
    // Another index is told as well.
    await show(all, { static: true, maintenanceMs: 1 });
    expect(index).not.toBe(made);
    expect(moving()).toEqual(['camera', 'inner']);
  });

  test('belongs to the scene of its portal', async () => {
    const other = new Scene();
    let inner: AcceleratedScene | null = null;
    const Peek = (): null => {
      inner = useSceneIndex();
      return null;
    };
    await show(
      createPortal(
        [
          <Accelerated key="accelerated" />,
          <Peek key="peek" />,
          <Static key="static">
            <Box name="in the portal" />
          </Static>,
        ],
        other,
      ),
    );
    const portal = inner as unknown as AcceleratedScene;
    expect(portal.root).toBe(other);
    for (let i = 0; i < 3; i++) portal.update();
    expect(stats(portal)).toMatchObject({ tracked: 3, dynamic: 1 });
  });
});
