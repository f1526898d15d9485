import { act, createPortal, type ThreeEvent } from '@react-three/fiber';
import { createElement, type ReactNode } from 'react';
import { BoxGeometry, Mesh, MeshBasicMaterial, Object3D, PerspectiveCamera, Raycaster, Scene, Vector3 } from 'three';
import { Accelerated } from 'three-scene-index/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { random } from '../helpers/random.js';
import { seeds } from '../helpers/width.js';
import { SIZE, TestRoot } from './TestRoot.js';

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();
const box = (props: object): ReactNode => createElement('mesh', { geometry, material, ...props });
const accelerated = <Accelerated key="accelerated" />;

/** One of two canvases with the same in them, and what its handlers were told. */
class Side {
  readonly log: string[] = [];
  readonly overlay = new Scene();
  readonly camera = new PerspectiveCamera(40, 1, 0.1, 100);
  readonly root: TestRoot;

  constructor(root: TestRoot) {
    this.root = root;
    this.camera.position.set(2, 1, 20);
    this.camera.updateMatrixWorld();
  }

  /** Handlers that write down what they are given, some of which stop it or capture the pointer. */
  handlers(label: string, next: () => number): object {
    const note = (name: string) => (event: ThreeEvent<PointerEvent>) => {
      const hit = `${event.object.name} ${event.distance.toFixed(9)}`;
      const all = event.intersections.map(({ object, eventObject }) => `${object.name}<${eventObject.name}`);
      this.log.push(`${label} ${name}: ${event.type} ${event.eventObject.name} by ${hit} of ${all}`);
    };
    const stop = (event: ThreeEvent<PointerEvent>) => {
      note('stop')(event);
      event.stopPropagation();
    };
    const capture = (event: ThreeEvent<PointerEvent>) => {
      note('capture')(event);
      (event.target as unknown as { setPointerCapture(id: number): void }).setPointerCapture(1);
    };
    const all: [string, unknown][] = [
      ['onPointerMove', next() < 0.2 ? stop : note('move')],
      ['onPointerOver', note('over')],
      ['onPointerOut', note('out')],
      ['onPointerEnter', note('enter')],
      ['onPointerLeave', note('leave')],
      ['onPointerDown', next() < 0.2 ? capture : note('down')],
      ['onPointerUp', note('up')],
      ['onClick', next() < 0.3 ? stop : note('click')],
      ['onDoubleClick', note('twice')],
      ['onWheel', note('wheel')],
      ['onPointerMissed', () => this.log.push(`${label}: missed`)],
    ];
    return Object.fromEntries(all.filter(() => next() < 0.5));
  }

  /** Objects of all kinds in groups in groups; some are hidden, in other layers, cannot be hit, or cast in ways of their own. */
  world(seed: number, count: number): ReactNode {
    const next = random(seed);
    const at = (size: number): [number, number, number] => [
      (next() - 0.5) * size,
      (next() - 0.5) * size,
      (next() - 0.5) * size,
    ];
    const props = (name: string, share: number): { name: string } => ({
      name,
      ...(next() < share ? this.handlers(name, next) : {}),
    });
    const anything = (name: string, depth: number): ReactNode => {
      const kind = Math.floor(next() * 12);
      const place = {
        position: at(depth > 1 ? 6 : 24),
        scale: 0.5 + next() * 2.5,
        visible: next() < 0.9,
        layers: next() < 0.15 ? 1 : 0,
      };
      const below =
        depth > 2
          ? null
          : Array.from({ length: Math.floor(next() * 3) }, (_, i) => anything(`${name}.${i}`, depth + 1));
      const made = (type: string, share: number, own: object, children?: ReactNode): ReactNode =>
        createElement(type, { key: name, ...place, ...props(name, share), ...own }, children);
      if (kind < 3) return made('group', 0.5, {}, below);
      if (kind === 3) return made('lOD', 0.5, {}, box(props(`${name} level`, 0.5)));
      if (kind === 4) return made('sprite', 0.8, {});
      if (kind === 5) return made('lineSegments', 0.8, { geometry });
      if (kind === 6) return made('points', 0.8, { geometry });
      const raycast = kind === 7 ? besides : kind === 8 && below?.length === 0 ? nowhere : undefined;
      return made('mesh', 0.6, { geometry, material, ...(raycast && { raycast }) }, below);
    };
    return Array.from({ length: count }, (_, i) => anything(`${seed} ${i}`, 0));
  }

  /** Two portals: into an object of the scene, and into a scene of its own that is seen by another camera and comes first. */
  portals(seed: number, within: Object3D): ReactNode {
    return (
      <>
        <primitive object={within} />
        {createPortal(this.world(seed, 4), within)}
        {createPortal(this.world(seed + 1, 6), this.overlay, { camera: this.camera, events: { priority: 2 } })}
      </>
    );
  }

  /** What the handlers are told while the pointer goes over the canvas. */
  told(seed: number, count: number): string[] {
    this.log.length = 0;
    const next = random(seed);
    for (let i = 0; i < count; i++) {
      const [x, y] = [next() * SIZE, next() * SIZE];
      this.log.push(`-- ${i}`);
      this.root.point('pointermove', x, y);
      this.root.point(next() < 0.2 ? 'wheel' : 'pointerdown', x, y);
      // Some clicks end elsewhere than they began.
      const [u, v] = next() < 0.8 ? [x, y] : [next() * SIZE, next() * SIZE];
      if (u !== x) this.root.point('pointermove', u, v);
      this.root.point('pointerup', u, v);
      this.root.point(next() < 0.8 ? 'click' : 'dblclick', u, v);
    }
    this.root.point('pointerleave', 0, 0);
    return [...this.log];
  }
}

/** Casts at another place than the object is in. */
function besides(
  this: Object3D,
  raycaster: Raycaster,
  hits: { distance: number; point: Vector3; object: Object3D }[],
): void {
  const point = raycaster.ray.at(7, new Vector3());
  if (Math.abs(point.x) < 1) hits.push({ distance: 7, point, object: this });
}

function nowhere(): void {}

let plain: Side;
let fast: Side;

beforeEach(async () => {
  // The pointers of these events are none of the browser's.
  vi.spyOn(Element.prototype, 'setPointerCapture').mockImplementation(() => {});
  vi.spyOn(Element.prototype, 'releasePointerCapture').mockImplementation(() => {});
  [plain, fast] = [new Side(await TestRoot.open()), new Side(await TestRoot.open())];
});

afterEach(async () => {
  vi.restoreAllMocks();
  await plain.root.close();
  await fast.root.close();
});

const Nothing = (): null => null;

/** Renders the same on both sides. */
async function render(children: (side: Side) => ReactNode): Promise<void> {
  await plain.root.render(<Nothing key="nothing" />, children(plain));
  await fast.root.render(accelerated, children(fast));
  // Nothing draws it, so nobody makes its matrices.
  for (const { overlay } of [plain, fast]) overlay.updateMatrixWorld();
  expect(plain.root.isAccelerated).toBe(false);
  expect(fast.root.isAccelerated).toBe(true);
}

function expectSameEvents(seed: number, count: number): number {
  const expected = plain.told(seed, count);
  expect(fast.told(seed, count)).toEqual(expected);
  return expected.length - count;
}

describe('events of a canvas with an accelerated scene', () => {
  test.each(seeds(2, 1))('are those of a plain one, seed %i', async (seed) => {
    // Groups of that many are cast at by the index.
    await render((side) => (
      <group name="all" {...side.handlers('all', random(seed))}>
        {side.world(seed, 25)}
        <group name="many" position-z={3} onPointerMove={() => {}} {...side.handlers('many', random(seed + 1))}>
          {side.world(seed + 100, 60)}
        </group>
      </group>
    ));
    expect(expectSameEvents(seed, 30)).toBeGreaterThan(100);
    for (const { root } of [plain, fast]) root.state.raycaster.layers.enable(1);
    expect(expectSameEvents(seed + 1, 10)).toBeGreaterThan(30);
  });

  test('are those of a plain one with portals', async () => {
    const seed = 1;
    const within = new Map([plain, fast].map((side) => [side, new Object3D()]));
    const shown = (side: Side) => [side.world(seed, 8), side.portals(seed + 50, within.get(side)!)];
    await render(shown);
    expect(expectSameEvents(seed, 30)).toBeGreaterThan(100);
    // Each scene may have an index of its own.
    await render((side) => [...shown(side), side === fast && createPortal(<Accelerated />, side.overlay)]);
    expect(Object.hasOwn(fast.overlay, 'updateMatrixWorld')).toBe(true);
    expect(expectSameEvents(seed + 1, 30)).toBeGreaterThan(100);
  });

  test.each([25, 520])('of a scene of %d objects that is drawn on demand are those of a plain one', async (count) => {
    await plain.root.render(plain.world(5, count));
    await fast.root.render(<Accelerated key="accelerated" />, fast.world(5, count));
    expect(expectSameEvents(5, 30)).toBeGreaterThan(75);
  });

  test('follow what React adds, puts in another order and takes away, and what is moved by hand', async () => {
    for (const [seed, count] of [
      [1, 10],
      [1, 25],
      [2, 25],
      [2, 8],
    ]) {
      await render((side) => side.world(seed, count));
      expect(expectSameEvents(seed, 10)).toBeGreaterThan(20);
    }
    await render((side) => side.world(3, 25));
    expectSameEvents(3, 5);
    for (const { root } of [plain, fast]) {
      for (const [i, object] of [...root.state.scene.children].entries()) {
        // Out of the scene, where fiber casts at it as before.
        if (i % 3 === 2) object.removeFromParent();
        if (i % 3 === 1) object.position.x += 2;
      }
      root.state.scene.children[0].attach(root.state.scene.children[1]);
      await root.frame();
    }
    expect(expectSameEvents(3, 20)).toBeGreaterThan(50);
  });

  test('cast at those alone that may be hit, and with `events={false}` at all', async () => {
    const meshes = Array.from({ length: 400 }, (_, i) =>
      box({ key: i, position: [(i % 20) - 10, Math.floor(i / 20) - 10, 0], onPointerMove: () => {} }),
    );
    const casts: number[] = [];
    for (const events of [true, false]) {
      await fast.root.render(meshes, <Accelerated key="accelerated" events={events} />);
      const cast = vi.spyOn(Raycaster.prototype, 'intersectObject');
      fast.root.point('pointermove', 70, 70);
      casts.push(cast.mock.calls.filter(([object]) => object instanceof Mesh).length);
      cast.mockRestore();
    }
    expect(casts[0]).toBeLessThan(8);
    expect(casts[1]).toBe(400);
  });

  test('go to handlers of somebody else with `events={false}`', async () => {
    const { state } = fast.root;
    const { onPointerMove } = state.get().events.handlers!;
    const handlers = {
      ...state.get().events.handlers!,
      onPointerMove: (event: PointerEvent) => {
        fast.log.push('mine');
        onPointerMove(event);
      },
    };
    await act(async () => {
      state.get().events.disconnect?.();
      state.setEvents({ handlers: handlers as never });
      state.get().events.connect?.(fast.root.canvas);
    });
    const mesh = box({ key: 'mesh', onPointerMove: () => fast.log.push('moved') });
    await fast.root.render(mesh, <Accelerated key="accelerated" events={false} />);
    fast.root.point('pointermove', 60, 60);
    expect(fast.log).toEqual(['mine', 'moved']);
    // With it they are there again afterwards.
    await fast.root.render(mesh, accelerated);
    expect(state.get().events.handlers).not.toBe(handlers);
    await fast.root.render(null);
    expect(state.get().events.handlers).toBe(handlers);
    expect(state.get().events.connected).toBe(fast.root.canvas);
  });
});
