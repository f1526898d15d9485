import { SoftShadows } from '@react-three/drei';
import { act } from '@react-three/fiber';
import type { ReactNode } from 'react';
import { BoxGeometry, MeshStandardMaterial } from 'three';
import { Accelerated, type AcceleratedProps } from 'three-scene-index/react';
import { expect, test } from 'vitest';
import { otherPixels, readPicture } from '../helpers/pictures.js';
import { SIZE, TestRoot, WITH_PICTURES } from './TestRoot.js';

const box = new BoxGeometry(0.6, 0.6, 0.6);
const paint = new MeshStandardMaterial({ color: 'orange' });
const places = Array.from({ length: 250 }, (_, i): [number, number, number] => [
  Math.sin(i * 12.9) * 14,
  0.5 + (i % 6) * 0.5,
  Math.cos(i * 78.2) * 14,
]);
const names = places.map((_, i) => `${i}`);

function Scenery(): ReactNode {
  return (
    <>
      <ambientLight intensity={0.6} />
      <directionalLight castShadow position={[6, 12, 4]} intensity={2.5} shadow-mapSize={[256, 256]}>
        <orthographicCamera attach="shadow-camera" args={[-12, 12, 12, -12]} />
      </directionalLight>
      {names.map((name, i) => (
        <mesh key={name} position={places[i]} geometry={box} material={paint} castShadow receiveShadow />
      ))}
      <mesh rotation-x={-Math.PI / 2} receiveShadow>
        <planeGeometry args={[40, 40]} />
        <meshStandardMaterial color="#888" />
      </mesh>
    </>
  );
}

interface Seen {
  readonly pixels: Uint8Array[];
  readonly calls: number;
}

/** Pictures from around: with soft shadows, and without them again. */
async function pictures(root: TestRoot, props: AcceleratedProps | null): Promise<{ soft: Seen; hard: Seen }> {
  const see = async (isSoft: boolean): Promise<Seen> => {
    const accelerated = props && <Accelerated key="accelerated" {...props} />;
    const shadows = isSoft && <SoftShadows key="soft" size={25} samples={6} />;
    await root.render(<Scenery key="scenery" />, shadows, accelerated);
    const pixels: Uint8Array[] = [];
    let calls = 0;
    for (let side = 0; side < 3; side++) {
      const { camera, gl } = root.state;
      camera.position.set(Math.sin(2 * side) * 9, 3, Math.cos(2 * side) * 9);
      camera.lookAt(0, 1, 0);
      for (let frame = 0; frame < 3; frame++) await act(async () => root.state.advance(side));
      pixels.push(readPicture(gl));
      calls += gl.info.render.calls;
    }
    return { pixels, calls };
  };
  if (props?.batch) await import('../../src/batching/SceneBatches.js');
  if (props?.cullCasters) await import('../../src/render/CasterCulling.js');
  return { soft: await see(true), hard: await see(false) };
}

// Basic maps are those that the soft ones are made of: shaders of these are kept when they go.
test.each(['basic', 'percentage'] as const)(
  'soft shadows of drei have all their casters, with %s maps',
  async (shadows) => {
    const root = await TestRoot.open({ gl: WITH_PICTURES, camera: { position: [3, 3, 9], fov: 40 }, shadows });
    const plain = await pictures(root, null);
    const culled = await pictures(root, { cullCasters: true });
    const batched = await pictures(root, { cullCasters: true, batch: { atLeast: 4 } });
    await root.close();
    for (const filter of ['soft', 'hard'] as const) {
      for (const [side, pixels] of plain[filter].pixels.entries()) {
        expect(otherPixels(culled[filter].pixels[side], pixels), `${filter}, side ${side}`).toBe(0);
        const other = otherPixels(batched[filter].pixels[side], pixels, 2);
        expect(other, `${filter}, batched, side ${side}`).toBeLessThanOrEqual(0.001 * SIZE * SIZE);
      }
    }
    expect(batched.soft.calls).toBeLessThan(plain.soft.calls / 2);
    // Without them casters are left out.
    if (shadows === 'percentage') expect(culled.hard.calls).toBeLessThan(0.9 * culled.soft.calls);
  },
);
