import { act } from '@react-three/fiber';
import type { ReactNode } from 'react';
import { Box3, BoxGeometry, Matrix4, type Mesh, MeshBasicMaterial, type Object3D, Raycaster, Vector3 } from 'three';
import type { AcceleratedScene, SceneIndex } from 'three-scene-index';
import { Accelerated, type AcceleratedProps, touch } from 'three-scene-index/react';
import { expect, test } from 'vitest';
import { castByThree } from '../helpers/castByThree.js';
import { pairsOf } from '../helpers/pairs.js';
import { otherPixels, readPicture } from '../helpers/pictures.js';
import type { Any } from '../model/scene/Side.js';
import { entryOf, isDrawn, trueBounds } from '../model/scene/trueBounds.js';
import { SIZE, TestRoot, WITH_PICTURES } from './TestRoot.js';

type Props = Record<string, unknown>;

const large = new BoxGeometry(2, 1, 1);
const red = new MeshBasicMaterial({ color: 0xff3333 });
const hitAnywhere: Mesh['raycast'] = function (this: Mesh, _, hits) {
  hits.push({ distance: 7, point: new Vector3(), object: this });
};
const Child = <mesh geometry={large} material={red} position={[0, 0.8, 0]} />;

/** What a commit may change of a mesh. */
const OF_MESH: Record<string, Props> = {
  position: { 'position-x': 0.4 },
  rotation: { 'rotation-z': 0.5 },
  scale: { scale: [1.4, 0.7, 1] },
  hidden: { visible: false },
  layer: { 'layers-mask': 2 },
  order: { renderOrder: 2 },
  shadow: { castShadow: true },
  neverCulled: { frustumCulled: false },
  raycast: { raycast: hitAnywhere },
  geometry: { geometry: large },
  args: { args: [0.5, 2, 1] },
  material: { material: red },
  color: { color: '#33ff33' },
  matrix: { matrixAutoUpdate: false, matrix: new Matrix4().makeTranslation(0.2, 0.3, 0) },
  drawRange: { range: 6 },
  static: { static: true, onUpdate: touch },
  child: { child: true },
  group: { group: true },
  key: { remade: true },
};
const OF_SPRITE: Record<string, Props> = {
  ...Object.fromEntries(
    ['position', 'scale', 'hidden', 'layer', 'order', 'neverCulled', 'raycast', 'child', 'group', 'key', 'color'].map(
      (name) => [name, OF_MESH[name]],
    ),
  ),
  center: { center: [0, 0] },
  turn: { turn: 1 },
  size: { sizeAttenuation: false },
  sizeLess: { sizeAttenuation: true },
};

const WIDTH = 16;
const place = (i: number): [number, number, number] => [4 * (i % WIDTH) - 30, 4 * Math.floor(i / WIDTH) - 30, 0];
const MESHES = pairsOf(Object.keys(OF_MESH), 1);
const SPRITES = pairsOf(Object.keys(OF_SPRITE), 1);

function Subject({ kind, props, at }: { kind: 'mesh' | 'sprite'; props: Props; at: number }): ReactNode {
  const {
    args = [1, 1, 1],
    color = '#888888',
    range,
    child,
    group,
    remade,
    turn = 0,
    sizeAttenuation = true,
    ...others
  } = props;
  const isOwn = others.geometry === undefined;
  const drawRange = range === undefined ? undefined : { start: 0, count: range as number };
  const drawn =
    kind === 'mesh' ? (
      <mesh key={remade ? 'other' : 'first'} {...others}>
        {isOwn && <boxGeometry args={args as [number, number, number]} {...(drawRange && { drawRange })} />}
        {others.material === undefined && <meshBasicMaterial color={color as string} />}
        {child ? Child : null}
      </mesh>
    ) : (
      <sprite key={remade ? 'other' : 'first'} {...others}>
        <spriteMaterial
          color={color as string}
          rotation={turn as number}
          sizeAttenuation={sizeAttenuation as boolean}
        />
        {child ? Child : null}
      </sprite>
    );
  return <group position={place(at)}>{group ? <group position={[0, 0.5, 0]}>{drawn}</group> : drawn}</group>;
}

/** All pairs at once, each with its own object: as they are, or once a commit has made both changes. */
function subjects(isChanged: boolean): ReactNode {
  const of = (kind: 'mesh' | 'sprite', table: Record<string, Props>, pairs: [string, string][], from: number) =>
    pairs.map(([first, then], i) => (
      <Subject
        key={`${kind} ${first} ${then}`}
        kind={kind}
        at={from + i}
        props={isChanged ? { ...table[first], ...table[then] } : {}}
      />
    ));
  return (
    <group key="all">
      {of('mesh', OF_MESH, MESHES, 0)}
      {of('sprite', OF_SPRITE, SPRITES, MESHES.length)}
    </group>
  );
}

const told = (hits: { object: Object3D; distance: number }[]): string =>
  hits.map(({ object, distance }) => `${object.id} ${distance}`).join();

/** What an index says wrongly of the scene that it follows. */
function problemsOf(index: SceneIndex, scene: Object3D, camera: TestRoot['state']['camera']): string[] {
  const problems: string[] = [];
  const raycaster = new Raycaster();
  raycaster.camera = camera;
  for (let i = 0; i < MESHES.length + SPRITES.length; i++) {
    const [x, y] = place(i);
    for (const [dx, dy] of [
      [0, 0],
      [0.45, 0.2],
      [-0.3, 0.7],
    ]) {
      raycaster.set(new Vector3(x + dx, y + dy, 40), new Vector3(0, 0, -1));
      const wanted = castByThree(scene, raycaster);
      if (told(wanted) !== told(index.raycast(raycaster))) problems.push(`hits at ${i}`);
    }
  }
  scene.traverse((object) => {
    const isEntry = isDrawn(object as Any) && entryOf(object) === object;
    const found = index.getBox(object, new Box3());
    const wanted = isEntry ? trueBounds(object as Any, () => null).box : null;
    const off = wanted && found ? found.min.distanceTo(wanted.min) + found.max.distanceTo(wanted.max) : 0;
    if ((wanted === null) !== (found === null) || off > 1e-6) problems.push(`box of ${object.type} ${object.id}`);
  });
  return problems;
}

/** Makes all changes in one commit; returns the pictures after it, and what the index says wrongly by then. */
async function see(
  props: AcceleratedProps | null,
): Promise<{ pictures: Uint8Array[]; problems: string[]; calls: number }> {
  const root = await TestRoot.open({ gl: WITH_PICTURES, camera: { position: [0, 0, 75], fov: 50 } });
  let index: AcceleratedScene | null = null;
  const accelerated = props && (
    <Accelerated
      key="accelerated"
      {...props}
      onIndex={(made) => {
        index = made;
      }}
    />
  );
  const pictures: Uint8Array[] = [];
  const frame = (): Promise<void> => act(async () => root.state.advance(pictures.length));
  await root.render(accelerated, subjects(false));
  if (props?.batch) await import('../../src/batching/SceneBatches.js');
  for (let i = 0; i < 5; i++) await frame();
  await root.render(accelerated, subjects(true));
  const problems: string[] = [];
  for (let i = 0; i < 5; i++) {
    pictures.push(readPicture(root.state.gl));
    if (index !== null && (i === 0 || i === 4))
      problems.push(...problemsOf(index, root.state.scene, root.state.camera));
    await frame();
  }
  const { calls } = root.state.gl.info.render;
  await root.close();
  return { pictures, problems, calls };
}

test('two props that change in one commit are followed, picked and drawn as without an index', async () => {
  const plain = await see(null);
  for (const props of [{}, { batch: { atLeast: 4 } }]) {
    const { pictures, problems, calls } = await see(props);
    expect(problems).toEqual([]);
    for (const [i, picture] of pictures.entries()) {
      expect(otherPixels(picture, plain.pictures[i], 2), `picture ${i}`).toBeLessThanOrEqual(0.001 * SIZE * SIZE);
    }
    if ('batch' in props) expect(calls).toBeLessThan(plain.calls);
  }
});
