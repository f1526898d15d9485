import { Canvas } from '@react-three/fiber';
import type { ReactNode } from 'react';
import type { Mesh, MeshStandardMaterial } from 'three';
import { Accelerated } from 'three-scene-index/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { otherPixels, readPicture } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { Page } from './Page.js';

let page: Page;
beforeEach(() => {
  page = new Page();
});
afterEach(() => page.close());

const names = Array.from({ length: 100 }, (_, i) => `${i}`);

interface Look {
  isBatched: boolean;
  /** The first so many boxes glow. */
  glowing?: number;
}

/** An app as people write it: each box has elements of its own for its geometry and its material. */
function App({ isBatched, glowing = 0 }: Look): ReactNode {
  return (
    <Canvas dpr={1} gl={{ antialias: false, preserveDrawingBuffer: true }} camera={{ position: [0, 0, 9] }}>
      <Accelerated batch={isBatched && { atLeast: 4 }} />
      <ambientLight intensity={0.4} />
      <directionalLight position={[2, 3, 5]} />
      {names.map((name, i) => (
        <mesh key={name} position={[(i % 10) - 4.5, Math.floor(i / 10) - 4.5, 0]} rotation={[i, i, 0]}>
          <boxGeometry args={[0.6, 0.6, 0.6]} />
          <meshStandardMaterial
            color={`hsl(${4 * i}, 60%, 50%)`}
            emissive={i < glowing ? '#004400' : '#000000'}
            userData-number={i}
          />
        </mesh>
      ))}
    </Canvas>
  );
}

async function show(look: Look, calls: number): Promise<Uint8Array> {
  await page.render(<App {...look} />);
  await page.until(() => page.states[0]?.gl.info.render.calls === calls);
  // Styles of the page may take a while to give the canvas its size.
  await page.pictures(3);
  expect(page.states[0].gl.info.render.calls).toBe(calls);
  return readPicture(page.states[0].gl);
}

const MOST = 0.001 * 120 * 120;

test('a hundred boxes with a JSX material each take one draw call, and those that glow another', async () => {
  const plain = await show({ isBatched: false }, 100);
  expect(otherPixels(await show({ isBatched: true }, 1), plain, 2)).toBeLessThanOrEqual(MOST);
  const glowing = await show({ isBatched: true, glowing: 8 }, 2);
  expect(otherPixels(glowing, plain, 2)).toBeGreaterThan(100);
  expect(otherPixels(await show({ isBatched: false, glowing: 8 }, 100), glowing, 2)).toBeLessThanOrEqual(MOST);
  expect(otherPixels(await show({ isBatched: true }, 1), plain, 2)).toBeLessThanOrEqual(MOST);
});

test('and one with thirty properties of one’s own on each', async () => {
  const plain = await show({ isBatched: false }, 100);
  const next = random(3);
  page.states[0].scene.traverse((object) => {
    const material = (object as Mesh).material as MeshStandardMaterial & Record<string, unknown>;
    if (material === undefined) return;
    for (let n = 0; n < 30; n++) {
      const values = [next(), `${next()}`, { object }, () => next(), null, [next()], object];
      material[`own${Math.floor(1e9 * next())}`] = values[Math.floor(values.length * next())];
    }
  });
  expect(otherPixels(await show({ isBatched: true }, 1), plain, 2)).toBeLessThanOrEqual(MOST);
});
