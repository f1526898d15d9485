import { act } from '@react-three/fiber';
import { type ReactNode, useState } from 'react';
import { Box3, BoxGeometry, type Mesh, MeshBasicMaterial, type Object3D, SphereGeometry } from 'three';
import type { AcceleratedScene } from 'three-scene-index';
import { Accelerated, touch } from 'three-scene-index/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
async function show(children: ReactNode): Promise<void> {
  await root.render(
    <Accelerated
      key="accelerated"
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
  const records = partsOf(index, 'test').follower.hierarchy.records.all();
  return records.flatMap(({ object, walkIndex }) => (walkIndex >= 0 && object.name !== '' ? [object.name] : [])).sort();
}

/** Expects that the index and the picture have an object where three would have it. */
function expectShown(name: string): void {
  const mesh = named(name);
  const found = index.getBox(mesh, new Box3()) as Box3;
  const world = mesh.matrixWorld.clone();
  mesh.updateMatrix();
  expect(world).toEqual((mesh.parent as Object3D).matrixWorld.clone().multiply(mesh.matrix));
  mesh.geometry.computeBoundingBox();
  const expected = (mesh.geometry.boundingBox as Box3).clone().applyMatrix4(world);
  expect(found.min.distanceTo(expected.min) + found.max.distanceTo(expected.max)).toBeLessThan(1e-6);
}

function Box({ name, ...props }: { name: string } & Record<string, unknown>): ReactNode {
  return <mesh static onUpdate={touch} name={name} geometry={geometry} material={material} {...props} />;
}

const changes: [string, (isOther: boolean) => ReactNode][] = [
  ['position', (is) => <Box name="it" position={[is ? 4 : 0, 1, 0]} />],
  ['a prop that is taken away', (is) => <Box name="it" {...(is ? {} : { scale: 4 })} />],
  ['geometry', (is) => <Box name="it" geometry={is ? ball : geometry} />],
  ['arguments', (is) => <mesh static key="it" name="it" args={[is ? ball : geometry, material]} />],
  [
    'the group around it',
    (is) => (
      <group static onUpdate={touch} position={[0, 0, is ? 6 : 1]}>
        <mesh name="it" geometry={geometry} material={material} />
      </group>
    ),
  ],
  [
    'an element around it',
    (is) =>
      is ? (
        <group position={[0, 0, 6]} static>
          <Box name="it" />
        </group>
      ) : (
        <Box name="it" />
      ),
  ],
  [
    'a neighbour that comes',
    (is) => [is ? <Box key="a" name="it" /> : null, <Box key="b" name={is ? 'other' : 'it'} />],
  ],
];

test.each(changes)('a static element follows React: %s', async (_, of) => {
  let set = (_: boolean): void => {};
  /** Rendered by itself, not from above. */
  const Inner = (): ReactNode => {
    const [isOther, setOther] = useState(false);
    set = setOther;
    return of(isOther);
  };
  await show(
    <>
      <Box name="first" />
      <Inner />
    </>,
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

test('an element with the flag is skipped from the first, one without is not; what moves by a ref shows after a touch', async () => {
  await show([<Box key="still" name="still" position={[1, 0, 0]} />, <Box key="free" name="free" static={false} />]);
  expect(moving()).toEqual(['free']);
  expectShown('still');
  const mesh = named('still');
  mesh.position.x = 5;
  await root.frame();
  expect(mesh.matrixWorld.elements[12]).toBe(1);
  touch(mesh);
  await root.frame();
  expectShown('still');
  await show([<Box key="still" name="still" static={false} />, <Box key="free" name="free" />]);
  expect(moving()).toEqual(['still']);
  // Without an index there is nothing to do.
  await root.render(<Box key="it" name="it" />);
  expect(() => touch(named('it'))).not.toThrow();
});
