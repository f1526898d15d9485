import { _roots, act, Canvas, createPortal, type RootState } from '@react-three/fiber';
import { Component, createElement, Fragment, type ReactNode, StrictMode, Suspense, use } from 'react';
import { createRoot } from 'react-dom/client';
import { BoxGeometry, MeshBasicMaterial, Object3D, Scene } from 'three';
import { type AcceleratedScene, explain } from 'three-scene-index';
import { Bvh } from 'three-scene-index/core';
import { Accelerated, type AcceleratedProps, useSceneIndex } from 'three-scene-index/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ownNames } from '../helpers/scene.js';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

/** Pictures of the display after which something that is waited for will never be. */
const PATIENCE = 1000;

/** A page with React in it, of a fixed size. */
class Page {
  readonly element: HTMLDivElement = document.createElement('div');
  readonly #root = createRoot(this.element);

  constructor() {
    Object.assign(this.element.style, { width: '120px', height: '120px' });
    document.body.append(this.element);
  }

  async render(children: ReactNode): Promise<void> {
    await act(async () => this.#root.render(children));
  }

  /** Waits for what fiber does in its own time: measuring, rendering, disposing. */
  async until(isSo: () => unknown): Promise<void> {
    for (let picture = 0; !isSo(); picture++) {
      if (picture > PATIENCE) throw new Error(`never: ${isSo}`);
      await act(() => new Promise<void>((done) => requestAnimationFrame(() => done())));
    }
  }

  /** Waits for that many pictures. */
  async pictures(count: number): Promise<void> {
    let left = count;
    await this.until(() => left-- <= 0);
  }

  /** The states of the canvases in the page, in its order. */
  get states(): RootState[] {
    return [...this.element.querySelectorAll('canvas')].flatMap((canvas) => _roots.get(canvas)?.store.getState() ?? []);
  }

  async close(): Promise<void> {
    await act(async () => this.#root.unmount());
    this.element.remove();
  }
}

let page: Page;

beforeEach(() => {
  page = new Page();
});

afterEach(() => page.close());

/** Own properties of a scene, but for what fiber and React put there. */
function ownProperties(scene: Scene): string[] {
  return ownNames(scene).map(
    (key) => `${key}: ${Object.getOwnPropertyDescriptor(scene, key)?.get ? 'accessor' : 'value'}`,
  );
}

/** Shows children in a canvas, in strict mode, whose effects run twice. */
const show = (...children: ReactNode[]): Promise<void> =>
  page.render(createElement(StrictMode, null, createElement(Canvas, null, ...children)));

const isAccelerated = ({ scene }: RootState): boolean => Object.hasOwn(scene, 'updateMatrixWorld');

/** Notes the index that it finds, as often as it is rendered. */
function Finder({ found }: { found: (AcceleratedScene | null)[] }): null {
  found.push(useSceneIndex());
  return null;
}

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();

function Box({ name = 'box', x = 0 }: { name?: string; x?: number }): ReactNode {
  return <mesh name={name} position={[x, 0, 0]} geometry={geometry} material={material} />;
}

describe('inside of a canvas', () => {
  test('accelerates its scene while it is mounted, in strict mode, with children and without', async () => {
    const found: (AcceleratedScene | null)[] = [];
    const finder = <Finder found={found} />;
    await show(finder, <Box />);
    await page.until(() => page.states[0]?.scene.children.length === 1);
    const [state] = page.states;
    const before = ownProperties(state.scene);
    expect(found.every((index) => index === null)).toBe(true);

    await show(finder, createElement(Accelerated, null, <Box />));
    expect(isAccelerated(state)).toBe(true);
    const index = found.at(-1) as AcceleratedScene;
    expect([index.root, index.size]).toEqual([state.scene, 1]);

    await show(finder, <Box />);
    expect(isAccelerated(state)).toBe(false);
    expect(found.at(-1)).toBeNull();
    expect(index.has(state.scene)).toBe(false);
    expect(ownProperties(state.scene)).toEqual(before);

    await show(finder, <Accelerated />);
    expect(found.at(-1)?.root).toBe(state.scene);
  });

  test('keeps index and scene while children suspend, at first and later', async () => {
    const indices: AcceleratedScene[] = [];
    let load = (_: string): void => {};
    const later = (): Promise<string> =>
      new Promise((done) => {
        load = done;
      });
    const Later = ({ name }: { name: Promise<string> }): ReactNode => <Box name={use(name)} />;
    const showLater = (name: Promise<string>, around: typeof Suspense | typeof Fragment) =>
      page.render(
        <Canvas>
          <Accelerated onIndex={(index) => void indices.push(index)}>
            <Box name="early" />
            {createElement(around, null, <Later name={name} />)}
          </Accelerated>
        </Canvas>,
      );
    const names = () => page.states[0].scene.children.map(({ name, visible }) => `${name} ${visible}`);
    await showLater(later(), Suspense);
    await page.until(() => indices.length === 1);
    expect(names()).toEqual(['early true']);
    load('first');
    await page.until(() => indices[0].size === 2);
    expect(names()).toEqual(['early true', 'first true']);
    await showLater(later(), Suspense);
    await page.until(() => page.states[0].scene.children.some(({ visible }) => !visible));
    load('second');
    await page.until(() => names().includes('second true'));
    expect(indices).toHaveLength(1);

    // With no boundary in the canvas all of it suspends.
    await showLater(Promise.resolve('third'), Fragment);
    await page.until(() => page.states[0].scene.children.some(({ name }) => name === 'third'));
    await showLater(later(), Fragment);
    await page.pictures(3);
    load('fourth');
    await page.until(() => names().join() === 'early true,fourth true');
    expect(indices).toHaveLength(1);
    expect(indices[0].size).toBe(2);
  });

  test('follows changes of its props, live where it can', async () => {
    const log: string[] = [];
    const indices: AcceleratedScene[] = [];
    const onIndex = (index: AcceleratedScene) => {
      indices.push(index);
      log.push('begins');
      // It may still be asked.
      return () => void log.push(`ends with ${index.size}`);
    };
    const boxes = [0, 1, 2, 3, 4, 5, 6, 7].map((x) => <Box key={x} x={x / 4} />);
    const showWith = (props: AcceleratedProps) =>
      page.render(createElement(Canvas, null, createElement(Accelerated, { ...props, onIndex }, boxes)));
    await showWith({});
    await page.until(() => indices.length === 1);
    const [index] = indices;
    const how = () => explain(index, page.states[0].scene.children[0], page.states[0].camera).join();
    expect(index.structure).toBe('packed');
    await showWith({ structure: 'grid' });
    await page.until(() => index.structure !== 'packed');
    expect([index.structure, index.size]).toEqual(['grid', 8]);
    const own = new Bvh({ planar: true });
    await showWith({ structure: own, batch: true });
    expect(index.structure).toBe('bvh');
    expect(own.size).toBe(8);
    await page.until(() => how().includes('in a batch of 8 draws'));
    await showWith({ structure: 'bvh', batch: false });
    await page.pictures(2);
    expect(how()).not.toContain('batch');
    expect(log).toEqual(['begins']);

    await showWith({ structure: 'bvh', batch: { mergeColors: false } });
    expect(log).toEqual(['begins', 'ends with 8', 'begins']);
    await page.until(() => indices[1].structure === 'bvh');
    // Of two that are loading the last one counts.
    await showWith({ structure: 'octree', batch: { mergeColors: false } });
    await showWith({ structure: 'bvh', batch: { mergeColors: false } });
    await page.pictures(5);
    expect([indices[1].structure, indices[1].size]).toEqual(['bvh', 8]);
    await showWith({ structure: 'bvh', batch: { mergeColors: false } });
    await showWith({ structure: own, batch: { mergeColors: false }, keepShadows: true });
    expect(log).toEqual(['begins', 'ends with 8', 'begins', 'ends with 8', 'begins']);
    expect([indices[2].structure, own.size]).toEqual(['bvh', 8]);
    await showWith({ batch: true, levels: true });
    expect(log).toHaveLength(7);
    for (const [levels, maxError] of [
      [{ maxError: 2 }, 2],
      [{ maxError: 1 }, 1],
      [{}, 0.5],
      [true, 0.5],
    ] as const) {
      await showWith({ batch: true, levels });
      expect(indices[3].maxError).toBe(maxError);
    }
    expect(log).toHaveLength(7);
    await page.render(null);
    expect(log).toHaveLength(8);
  });

  test('has a canvas that draws on demand get to one draw call for similar meshes, and rest then', async () => {
    const boxes = [...'abcdefghijklmnopqrst'].map((name) => <Box key={name} />);
    const told: number[] = [];
    const accelerated = createElement(Accelerated, { batch: true, onChange: () => told.push(1) }, boxes);
    await page.render(<Canvas frameloop="demand">{accelerated}</Canvas>);
    await page.until(() => page.states.length > 0 && page.states[0].gl.info.render.calls === 1);
    const [{ gl, invalidate }] = page.states;
    await page.pictures(5);
    const { frame } = gl.info.render;
    await page.pictures(5);
    expect(gl.info.render.frame).toBe(frame);
    invalidate();
    await page.until(() => gl.info.render.frame === frame + 1);
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThanOrEqual(3);
  });

  test('accelerates the scene that it is in, which in a portal is another', async () => {
    const other = new Scene();
    const group = new Object3D();
    const found: Record<string, (AcceleratedScene | null)[]> = { main: [], within: [], other: [] };
    await show(
      <Accelerated />,
      <Finder found={found.main} />,
      createPortal(<Finder found={found.within} />, group),
      createPortal([<Accelerated key="accelerated" />, <Finder key="finder" found={found.other} />], other),
    );
    await page.until(() => page.states.some(isAccelerated) && Object.hasOwn(other, 'updateMatrixWorld'));
    const last = (name: string) => found[name].at(-1)?.root;
    const { scene } = page.states[0];
    expect([last('main'), last('within'), last('other')]).toEqual([scene, scene, other]);
  });
});

/** Shows what was thrown in place of its children. */
class Boundary extends Component<{ children?: ReactNode; caught: string[] }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch(error: Error) {
    this.props.caught.push(`${error.name}: ${error.message}`);
  }

  override render() {
    return this.state.isBroken ? null : this.props.children;
  }
}

describe('mistakes', () => {
  // Errors that are meant are kept from the page: fiber tells it of those that a boundary caught, too.
  const silence = (event: Event): void => event.stopImmediatePropagation();
  beforeEach(() => window.addEventListener('error', silence, { capture: true }));
  afterEach(() => window.removeEventListener('error', silence, { capture: true }));

  test.each([
    [
      { structure: 'tree' },
      /^RangeError: Accelerated.structure: unknown structure "tree"\. Did you mean "octree"\? Structures: bruteForce/,
    ],
    [{ structure: 7 }, /^TypeError: Accelerated.structure: must be a name/],
    [
      { bacth: true },
      /^RangeError: Accelerated: unknown option "bacth"\. Did you mean "batch"\? Options: structure, (?=.*\bbatch)(?=.*\bcullCasters)(?=.*\bkeepShadows)(?=.*\bevents)(?=.*\bonIndex)(?=.*\bchildren)/,
    ],
    [{ keepShadows: 1 }, /^TypeError: Accelerated.keepShadows/],
    [{ onChange: 1 }, /^TypeError: Accelerated.onChange: must be a function/],
  ])('%o comes out as an error of the component', async (props, message) => {
    const caught: string[] = [];
    await show(createElement(Boundary, { caught }, createElement(Accelerated, props as AcceleratedProps)), <Box />);
    await page.until(() => caught.length > 0);
    expect(caught[0]).toMatch(message);
    expect(page.states.some(isAccelerated)).toBe(false);
  });

  test('what `onIndex` returned may throw: all is taken back', async () => {
    const caught: string[] = [];
    const found: (AcceleratedScene | null)[] = [];
    const onIndex = () => () => {
      throw new Error('of the user');
    };
    const showIn = (accelerated: ReactNode) =>
      page.render(
        <Boundary caught={caught}>
          <Canvas>
            <Finder found={found} />
            <Boundary caught={caught}>{accelerated}</Boundary>
          </Canvas>
        </Boundary>,
      );
    await showIn(<Accelerated onIndex={onIndex} />);
    await page.until(() => page.states.some(isAccelerated));
    const [state] = page.states;
    const index = found.at(-1) as AcceleratedScene;
    await showIn(null);
    await page.until(() => caught.length > 0);
    expect(caught[0]).toBe('Error: of the user');
    expect(isAccelerated(state)).toBe(false);
    expect(index.has(index.root)).toBe(false);
    expect(found.at(-1)).toBeNull();
  });

  test('there is no scene to accelerate outside of a canvas', async () => {
    const caught: string[] = [];
    await page.render(createElement(Boundary, { caught }, <Accelerated />));
    expect(caught).toEqual(['Error: Accelerated: must be inside a <Canvas>']);
  });

  test('two in one scene are one too many', async () => {
    const caught: string[] = [];
    await show(<Accelerated />, createElement(Boundary, { caught }, <Accelerated />));
    await page.until(() => caught.length > 0);
    expect(caught[0]).toMatch(/^Error: Accelerated: another <Accelerated> already accelerates this scene/);
    expect(page.states.every(isAccelerated)).toBe(true);
  });
});
