import { Canvas } from '@react-three/fiber';
import type { JSX } from 'react';
import { STRUCTURES } from 'three-scene-index/core';
import { Accelerated } from 'three-scene-index/react';

/** A page as a framework renders it on a server first. */
export function Page(): JSX.Element {
  return (
    <main>
      <h1>{STRUCTURES.length} structures</h1>
      <Canvas>
        <Accelerated />
      </Canvas>
    </main>
  );
}
