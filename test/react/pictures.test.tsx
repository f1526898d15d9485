import {
  Clone,
  ContactShadows,
  Environment,
  Gltf,
  Html,
  Instance,
  Instances,
  Lightformer,
  OrbitControls,
  SoftShadows,
  useGLTF,
} from '@react-three/drei';
import { act } from '@react-three/fiber';
import { Fragment, type ReactNode } from 'react';
import { BoxGeometry, Group, Mesh, MeshStandardMaterial, TorusKnotGeometry } from 'three';
import { Accelerated, type AcceleratedProps } from 'three-scene-index/react';
import { expect, test } from 'vitest';
import { writeKitFile } from '../helpers/kit.js';
import { differences, otherPixels, readPicture } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { SIZE, TestRoot, WITH_PICTURES } from './TestRoot.js';

const box = new BoxGeometry();
const knot = new TorusKnotGeometry(0.5, 0.2, 24, 5);
const materials = [0xcc8844, 0x4488cc, 0x88cc44].map((color) => new MeshStandardMaterial({ color, roughness: 0.4 }));
const names = Array.from({ length: 60 }, (_, i) => `${i}`);
const BATCH = { batch: { atLeast: 4 } };

interface Seen {
  pixels: Uint8Array[];
  /** Where on the page the label is. */
  labels: string[];
  calls: number;
}

/** What a canvas shows in some frames, before each of which something is done to it. */
async function see(root: TestRoot, of: ReactNode, props: AcceleratedProps | null, before: (frame: number) => void) {
  await root.render(of, props && <Accelerated key="accelerated" {...props} />);
  // Code that is loaded when it is needed first.
  if (props?.batch) await import('../../src/batching/SceneBatches.js');
  if (props?.cullCasters) await import('../../src/render/CasterCulling.js');
  const seen: Seen = { pixels: [], labels: [], calls: 0 };
  for (let frame = 0; frame < 6; frame++) {
    before(frame);
    await act(async () => root.state.advance(frame));
    seen.pixels.push(readPicture(root.state.gl));
    seen.labels.push(placeOf(document.querySelector('p')));
    seen.calls = root.state.gl.info.render.calls;
  }
  return seen;
}

/** Where on the page drei puts what is around an element. */
function placeOf(element: HTMLElement | null): string {
  for (let above = element; above !== null; above = above.parentElement) {
    if (above.style.transform.startsWith('translate3d')) return above.style.transform;
  }
  return 'nowhere';
}

/** Checks that pictures are the same; in batches a pixel in a thousand may be rounded otherwise. */
function expectSame(seen: Seen, expected: Seen, isBatched = false): void {
  expect(seen.labels).toEqual(expected.labels);
  for (const [frame, pixels] of expected.pixels.entries()) {
    if (!isBatched) expect(differences(seen.pixels[frame], pixels), `frame ${frame}`).toBe(0);
    else expect(otherPixels(seen.pixels[frame], pixels, 2)).toBeLessThanOrEqual(0.001 * SIZE * SIZE);
  }
}

function Scenery(): ReactNode {
  const next = random(9);
  const at = (): [number, number, number] => [16 * next() - 8, 5 * next(), 16 * next() - 8];
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
      <ContactShadows frames={1e9} position={[0, -0.5, 0]} scale={20} far={6} resolution={128} blur={2} />
      <OrbitControls makeDefault autoRotate enableDamping={false} />
    </>
  );
}

test('parts of drei are drawn as they are without an index, and nearly so in batches', async () => {
  const parent = document.createElement('div');
  Object.assign(parent.style, { position: 'relative', width: `${SIZE}px`, height: `${SIZE}px` });
  document.body.append(parent);
  const root = await TestRoot.open({ gl: WITH_PICTURES, camera: { position: [10, 8, 12], fov: 50 } });
  parent.append(root.canvas);
  /** The camera goes around, from where it began. */
  const goAround = (frame: number): void => {
    const controls = root.state.get().controls as unknown as { autoRotate: boolean; reset(): void };
    controls.autoRotate = false;
    if (frame === 0) controls.reset();
    controls.autoRotate = true;
  };
  const scenery = <Scenery key="scenery" />;
  const plain = await see(root, scenery, null, goAround);
  expect(differences(plain.pixels[0], plain.pixels[5])).toBeGreaterThan(1000);
  expect(new Set(plain.labels).size).toBeGreaterThan(3);
  expectSame(await see(root, scenery, {}, goAround), plain);
  const batched = await see(root, scenery, BATCH, goAround);
  expectSame(batched, plain, true);
  expect(batched.calls).toBeLessThan(plain.calls / 10);
  await root.close();
  parent.remove();
});

// Basic maps are those that the soft ones are made of: shaders of these are kept when they go.
test.each(['basic', 'percentage'] as const)(
  'soft shadows of drei have all their casters, with %s maps',
  async (shadows) => {
    const root = await TestRoot.open({ gl: WITH_PICTURES, camera: { position: [3, 3, 9], fov: 40 }, shadows });
    const lit = (
      <group key="lit">
        <ambientLight intensity={0.6} />
        <directionalLight castShadow position={[6, 12, 4]} intensity={2.5} shadow-mapSize={[256, 256]}>
          <orthographicCamera attach="shadow-camera" args={[-12, 12, 12, -12]} />
        </directionalLight>
        {Array.from({ length: 250 }, (_, i) => `${i}`).map((name, i) => {
          const place = [Math.sin(i * 12.9) * 14, 0.5 + (i % 6) * 0.5, Math.cos(i * 78.2) * 14] as const;
          const props = { geometry: box, material: materials[0], castShadow: true, receiveShadow: true };
          return <mesh key={name} position={place} scale={0.6} {...props} />;
        })}
        <mesh rotation-x={-Math.PI / 2} receiveShadow>
          <planeGeometry args={[40, 40]} />
          <meshStandardMaterial color="#888" />
        </mesh>
      </group>
    );
    const goAround = (frame: number): void => {
      const side = 2 * Math.floor(frame / 2);
      root.state.camera.position.set(Math.sin(side) * 9, 3, Math.cos(side) * 9);
      root.state.camera.lookAt(0, 1, 0);
    };
    const softAndHard = async (props: AcceleratedProps | null) => ({
      soft: await see(root, [lit, <SoftShadows key="soft" size={25} samples={6} />], props, goAround),
      hard: await see(root, lit, props, goAround),
    });
    const plain = await softAndHard(null);
    const culled = await softAndHard({ cullCasters: true });
    const batched = await softAndHard({ cullCasters: true, ...BATCH });
    await root.close();
    for (const filter of ['soft', 'hard'] as const) {
      expectSame(culled[filter], plain[filter]);
      expectSame(batched[filter], plain[filter], true);
    }
    expect(batched.soft.calls).toBeLessThan(plain.soft.calls / 2);
    // Without them casters are left out.
    if (shadows === 'percentage') expect(culled.hard.calls).toBeLessThan(0.9 * culled.soft.calls);
  },
);

test('boxes with a JSX material each, and clones by drei, take a few draw calls', async () => {
  const model = new Group();
  for (const [i, material] of materials.entries()) model.add(new Mesh(box, material).translateX(2 * i));
  const root = await TestRoot.open({ gl: WITH_PICTURES, camera: { position: [0, 0, 12] } });
  /** An app as people write it; the first so many boxes glow. */
  const app = (glowing: number): ReactNode => (
    <group key="app">
      <ambientLight intensity={0.4} />
      <directionalLight position={[2, 3, 5]} />
      {names.map((name, i) => (
        <mesh key={name} position={[(i % 10) - 4.5, Math.floor(i / 10) - 2.5, 0]} rotation={[i, i, 0]}>
          <boxGeometry args={[0.6, 0.6, 0.6]} />
          <meshStandardMaterial
            color={`hsl(${4 * i}, 60%, 50%)`}
            emissive={i < glowing ? '#004400' : '#000000'}
            userData-number={i}
          />
        </mesh>
      ))}
      {names.slice(0, 20).map((name, i) => (
        <Clone key={name} object={model} position={[i - 10, -5, -2]} scale={0.3} />
      ))}
    </group>
  );
  const still = (): void => {};
  const plain = await see(root, app(0), null, still);
  expect(plain.calls).toBe(120);
  // Clones are rougher than what people write.
  const batched = await see(root, app(0), BATCH, still);
  expect(batched.calls).toBe(2);
  expect(otherPixels(batched.pixels[5], plain.pixels[5], 2)).toBeLessThanOrEqual(0.001 * SIZE * SIZE);
  const glowing = await see(root, app(8), BATCH, still);
  expect(glowing.calls).toBe(3);
  expect(otherPixels(glowing.pixels[5], plain.pixels[5], 2)).toBeGreaterThan(100);
  const last = await see(root, app(8), null, still);
  expect(otherPixels(last.pixels[5], glowing.pixels[5], 2)).toBeLessThanOrEqual(0.001 * SIZE * SIZE);
  await root.close();
});

test('a kit of 15 files by useGLTF and <Gltf>, with a palette each, takes one draw call', async () => {
  const files = await Promise.all(Array.from({ length: 15 }, (_, piece) => writeKitFile(piece)));
  const urls = files.map((file) => URL.createObjectURL(new Blob([file])));
  const Piece = ({ url, at }: { url: string; at: number }): ReactNode => (
    <Clone object={useGLTF(url).scene} position={[at - 7, 3, 0]} />
  );
  const root = await TestRoot.open({ gl: WITH_PICTURES, camera: { position: [0, 0, 12] } });
  const kit = (
    <group key="kit">
      <hemisphereLight intensity={2} />
      {urls.map((url, i) => (
        <Fragment key={url}>
          <Piece url={url} at={i} />
          <Gltf src={url} position={[i - 7, -3, 0]} />
        </Fragment>
      ))}
    </group>
  );
  const load = async (props: AcceleratedProps | null): Promise<Seen> => {
    let seen = await see(root, kit, props, () => {});
    for (let tries = 0; seen.calls !== (props ? 1 : 30) && tries < 100; tries++) {
      await new Promise((resolve) => requestIdleCallback(resolve));
      seen = await see(root, kit, props, () => {});
    }
    return seen;
  };
  const plain = await load(null);
  expect(plain.calls).toBe(30);
  const batched = await load({ batch: true });
  expect(batched.calls).toBe(1);
  expect(otherPixels(batched.pixels[5], plain.pixels[5], 2)).toBeLessThanOrEqual(0.001 * SIZE * SIZE);
  await root.close();
});
