import { createRoot, extend, flushSync } from '@react-three/fiber';
import { createElement, Fragment } from 'react';
import { AmbientLight, DirectionalLight, Mesh, type WebGLRenderer } from 'three';
import { Accelerated } from '../../../src/react.js';
import { Contestant, type Mode, OPTIONS } from './Contestant.js';
import { Crowd } from './scenes.js';

/** The crowd at rest as elements of React Three Fiber, plain or within `<Accelerated>`, with nothing declared static. */
export async function openFiber(count: number, mode: Mode, renderer: WebGLRenderer): Promise<Contestant> {
  extend({ AmbientLight, DirectionalLight, Mesh });
  const crowd = new Crowd(count);
  const root = createRoot(renderer.domElement);
  const size = { width: 4, height: 3, top: 0, left: 0 };
  await root.configure({ gl: () => renderer, frameloop: 'never', size, camera: crowd.camera });
  const children = [
    createElement('ambientLight', { key: 'sky', color: '#456' }),
    createElement('directionalLight', { key: 'sun', position: [30, 60, 20] }),
    ...crowd.meshes.map(({ geometry, material, position, rotation }, key) => {
      return createElement('mesh', { key, geometry, material, position, rotation } as never);
    }),
  ];
  const all =
    mode === 'plain' ? createElement(Fragment, null, children) : createElement(Accelerated, OPTIONS[mode], children);
  // Effects of the first rendering are run before the second.
  flushSync(() => root.render(all));
  const store = flushSync(() => root.render(all));
  return new Contestant(renderer, (frame) => {
    crowd.sway(frame);
    store.getState().advance(frame / 60);
  });
}
