import {
  act,
  createRoot,
  events,
  extend,
  type ReconcilerRoot,
  type RootState,
  type ThreeEvent,
} from '@react-three/fiber';
import { createElement, type ReactNode, StrictMode } from 'react';
import { BoxGeometry, Group, Mesh, MeshBasicMaterial, Raycaster } from 'three';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { random } from '../helpers/random.js';
import { Accelerated } from './Accelerated.js';

extend({ Group, Mesh });
(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

const SIZE = 120;
const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();
let log: string[] = [];
let canvas: HTMLCanvasElement;
let root: ReconcilerRoot<HTMLCanvasElement>;
let state: RootState;

beforeEach(async () => {
  log = [];
  canvas = document.createElement('canvas');
  document.body.append(canvas);
  root = createRoot(canvas);
  await root.configure({
    events,
    frameloop: 'never',
    size: { width: SIZE, height: SIZE, top: 0, left: 0 },
    camera: { position: [0, 0, 30], fov: 60 },
    onCreated: (created) => {
      state = created;
      // Without a Canvas around it, the root is told where its events come from.
      created.events.connect?.(canvas);
    },
  });
});

afterEach(async () => {
  await act(async () => root.unmount());
  canvas.remove();
});

async function render(...children: ReactNode[]): Promise<void> {
  await act(async () => root.render(createElement(StrictMode, null, ...children)));
  state.advance(performance.now());
}

/** Handlers that write down what they are given. */
function listeners(label: string): object {
  const note = (event: ThreeEvent<PointerEvent>): void => {
    const hit = `${event.object.name} ${event.distance.toFixed(9)}`;
    log.push(`${label}: ${event.type} ${event.eventObject.name} by ${hit}, ${event.intersections.length} in all`);
  };
  return { onPointerMove: note, onPointerDown: note };
}

/** Groups in groups with handlers at some of them, and at some meshes; meshes below meshes; some in other layers. */
function world(seed: number, count: number): ReactNode[] {
  const next = random(seed);
  const at = (size: number): [number, number, number] => [
    (next() - 0.5) * size,
    (next() - 0.5) * size,
    (next() - 0.5) * size,
  ];
  const mesh = (name: string, ...below: ReactNode[]): ReactNode =>
    createElement('mesh', {
      key: name,
      name,
      geometry,
      material,
      position: at(24),
      scale: 1 + next() * 3,
      layers: next() < 0.2 ? 1 : 0,
      ...(next() < 0.3 ? listeners(name) : {}),
      children: below,
    } as never);
  return Array.from({ length: count }, (_, i) =>
    createElement('group', {
      key: i,
      name: `group ${i}`,
      ...(i % 2 ? listeners(`group ${i}`) : {}),
      children: Array.from({ length: 12 }, (_, k) =>
        mesh(`mesh ${i} ${k}`, ...(next() < 0.3 ? [mesh(`below ${i} ${k}`)] : [])),
      ),
    } as never),
  );
}

function point(type: string, x: number, y: number): void {
  const event = new PointerEvent(type, { bubbles: true, pointerId: 1 });
  Object.defineProperties(event, { offsetX: { value: x }, offsetY: { value: y } });
  canvas.dispatchEvent(event);
}

/** What the handlers are told while the pointer goes over the canvas. */
function told(): string[] {
  log = [];
  const next = random(99);
  for (let i = 0; i < 60; i++) {
    const [x, y] = [next() * SIZE, next() * SIZE];
    point('pointermove', x, y);
    point('pointerdown', x, y);
  }
  return log;
}

const isAccelerated = (): boolean => Object.getOwnPropertyDescriptor(state.scene, 'children')?.get !== undefined;
const accelerated = createElement(Accelerated, { key: 'accelerated' });

describe('a canvas of React Three Fiber with an accelerated scene', () => {
  test.each([1, 2, 3])('has the events it had, seed %i', async (seed) => {
    await render(...world(seed, 6));
    expect(isAccelerated()).toBe(false);
    const plain = told();
    expect(plain.length).toBeGreaterThan(50);
    await render(...world(seed, 6), accelerated);
    expect(isAccelerated()).toBe(true);
    expect(told()).toEqual(plain);
    state.raycaster.layers.enable(1);
    const both = told();
    expect(both.length).toBeGreaterThan(plain.length);
    await render(...world(seed, 6));
    expect(isAccelerated()).toBe(false);
    expect(told()).toEqual(both);
  });

  test('follows what React adds, moves, puts in another order and takes away', async () => {
    await render(accelerated, ...world(1, 2));
    for (const change of [world(1, 5), world(2, 5), world(2, 5).reverse(), world(2, 2)]) {
      await render(accelerated, ...change);
      const fast = told();
      const hits = new Raycaster(state.camera.position).intersectObject(state.scene);
      const calls = state.gl.info.render.calls;
      await render(...change);
      expect(isAccelerated()).toBe(false);
      expect(fast).toEqual(told());
      expect(hits.length).toBe(new Raycaster(state.camera.position).intersectObject(state.scene).length);
      expect(calls).toBe(state.gl.info.render.calls);
      expect(fast.length).toBeGreaterThan(10);
    }
  });
});
