import {
  Clone,
  ContactShadows,
  Environment,
  Html,
  Instance,
  Instances,
  Lightformer,
  OrbitControls,
} from '@react-three/drei';
import { act } from '@react-three/fiber';
import type { ReactNode } from 'react';
import {
  Bone,
  BoxGeometry,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshStandardMaterial,
  Skeleton,
  SkinnedMesh,
  TorusKnotGeometry,
  Uint16BufferAttribute,
} from 'three';
import { Accelerated, type AcceleratedProps } from 'three-scene-index/react';
import { expect, test } from 'vitest';
import { differences, otherPixels, readPicture } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { SIZE, TestRoot, WITH_PICTURES } from './TestRoot.js';

const box = new BoxGeometry();
const knot = new TorusKnotGeometry(0.5, 0.2, 24, 5);
const materials = [0xcc8844, 0x4488cc, 0x88cc44].map((color) => new MeshStandardMaterial({ color, roughness: 0.4 }));

function Scenery(): ReactNode {
  const next = random(9);
  const at = (): [number, number, number] => [16 * next() - 8, 5 * next(), 16 * next() - 8];
  const names = Array.from({ length: 60 }, (_, i) => `${i}`);
  return (
    <>
      <color attach="background" args={['#334455']} />
      <Environment resolution={16} frames={1}>
        <Lightformer intensity={3} position={[0, 5, -9]} scale={[10, 10, 1]} />
        <Lightformer intensity={2} color="#ff8866" rotation-y={Math.PI / 2} position={[-5, 1, -1]} scale={[20, 2, 1]} />
      </Environment>
      {names.map((name, i) => (
        <mesh key={name} geometry={i % 4 ? box : knot} material={materials[i % 3]} position={at()} rotation={at()} />
      ))}
      <Instances limit={60} geometry={box}>
        <meshStandardMaterial />
        {names.map((name) => (
          <Instance key={name} position={at()} scale={0.4} color={`hsl(${Math.floor(360 * next())}, 60%, 50%)`} />
        ))}
      </Instances>
      <mesh geometry={box} material={materials[0]} position={[4, 3, 0]}>
        <Html>
          <p>A label</p>
        </Html>
      </mesh>
      <ContactShadows
        frames={Number.POSITIVE_INFINITY}
        position={[0, -0.5, 0]}
        scale={20}
        far={6}
        resolution={128}
        blur={2}
      />
      <OrbitControls makeDefault autoRotate enableDamping={false} />
    </>
  );
}

/** Where on the page drei puts what is around an element. */
function placeOf(element: HTMLElement | null): string {
  for (let above = element; above !== null; above = above.parentElement) {
    if (above.style.transform.startsWith('translate3d')) return above.style.transform;
  }
  return 'nowhere';
}

/** The pictures of a few frames, in which the camera goes around from where it began, and the places of the labels. */
async function pictures(
  root: TestRoot,
  props: AcceleratedProps | null,
): Promise<{ pixels: Uint8Array[]; labels: string[]; calls: number }> {
  await root.render(<Scenery key="scenery" />, props && <Accelerated key="accelerated" {...props} />);
  // Drawing in batches is loaded when it is needed first.
  if (props?.batch) await import('../../src/batching/SceneBatches.js');
  const controls = root.state.get().controls as unknown as { autoRotate: boolean; reset(): void };
  controls.autoRotate = false;
  controls.reset();
  controls.autoRotate = true;
  const pixels: Uint8Array[] = [];
  const labels: string[] = [];
  for (let frame = 0; frame < 6; frame++) {
    await act(async () => root.state.advance(frame));
    pixels.push(readPicture(root.state.gl));
    labels.push(placeOf(document.querySelector('p')));
  }
  return { pixels, labels, calls: root.state.gl.info.render.calls };
}

test('parts of drei are drawn as they are without an index, and nearly so in batches', async () => {
  const parent = document.createElement('div');
  Object.assign(parent.style, { position: 'relative', width: `${SIZE}px`, height: `${SIZE}px` });
  document.body.append(parent);
  const root = await TestRoot.open({ gl: WITH_PICTURES, camera: { position: [10, 8, 12], fov: 50 } });
  parent.append(root.canvas);
  const plain = await pictures(root, null);
  expect(differences(plain.pixels[0], plain.pixels[5])).toBeGreaterThan(1000);
  const fast = await pictures(root, {});
  expect(new Set(plain.labels).size).toBeGreaterThan(3);
  expect(fast.labels).toEqual(plain.labels);
  for (const [frame, pixels] of plain.pixels.entries()) expect(differences(fast.pixels[frame], pixels)).toBe(0);
  const batched = await pictures(root, { batch: { atLeast: 4 } });
  expect(batched.labels).toEqual(plain.labels);
  for (const [frame, pixels] of plain.pixels.entries()) {
    expect(otherPixels(batched.pixels[frame], pixels, 2)).toBeLessThanOrEqual(0.001 * SIZE * SIZE);
  }
  expect(batched.calls).toBeLessThan(plain.calls / 10);
  await root.close();
  parent.remove();
});

test('clones of a model by drei share batches, and skinned ones have bones of their own', async () => {
  const model = new Group();
  for (const [i, material] of materials.entries()) model.add(new Mesh(box, material).translateX(2 * i));
  const root = await TestRoot.open({ gl: WITH_PICTURES, camera: { position: [10, 8, 12], fov: 50 } });
  const places = Array.from({ length: 20 }, (_, i) => 2 * i - 20);
  const clones = places.map((z) => <Clone key={z} object={model} position={[0, 0, z]} />);
  await root.render(...clones, <ambientLight key="light" />);
  const plain = readPicture(root.state.gl);
  const { calls } = root.state.gl.info.render;
  await root.render(...clones, <ambientLight key="light" />, <Accelerated key="accelerated" batch={{ atLeast: 4 }} />);
  await import('../../src/batching/SceneBatches.js');
  for (let frame = 0; frame < 3; frame++) await root.frame();
  expect(otherPixels(readPicture(root.state.gl), plain, 2)).toBeLessThanOrEqual(0.001 * SIZE * SIZE);
  expect(root.state.gl.info.render.calls).toBe(1);
  expect(calls).toBeGreaterThan(20);

  const bone = new Bone();
  const skin = new BoxGeometry();
  skin.setAttribute('skinIndex', new Uint16BufferAttribute(new Uint16Array(4 * 24), 4));
  skin.setAttribute('skinWeight', new Float32BufferAttribute(Array(24).fill([1, 0, 0, 0]).flat(), 4));
  const skinned = new SkinnedMesh(skin, materials[0]);
  skinned.add(bone);
  skinned.bind(new Skeleton([bone]));
  const body = new Group().add(skinned);
  await root.render(<Clone key="body" object={body} />);
  const copy = root.state.scene.getObjectByProperty('isSkinnedMesh', true) as SkinnedMesh;
  expect(copy.skeleton.bones[0]).not.toBe(bone);
  expect(copy.skeleton.bones[0].parent).toBe(copy);
  await root.close();
});
