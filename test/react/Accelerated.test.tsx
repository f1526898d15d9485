import { Canvas, createPortal, type RootState } from '@react-three/fiber';
import { Component, type ReactNode, StrictMode, Suspense, use } from 'react';
import { BoxGeometry, MeshBasicMaterial, Object3D, Scene } from 'three';
import { type AcceleratedScene, Bvh, explain } from 'three-scene-index';
import { Accelerated, type AcceleratedProps, useSceneIndex } from 'three-scene-index/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Boxes } from './Boxes.js';
import { Page } from './Page.js';

let page: Page;

beforeEach(() => {
  page = new Page();
});

afterEach(() => page.close());

/** Own properties of a scene, but for what fiber and React put there. */
function ownProperties(scene: Scene): string[] {
  return Reflect.ownKeys(scene).map(
    (key) => `${String(key)}: ${Object.getOwnPropertyDescriptor(scene, key)?.get ? 'accessor' : 'value'}`,
  );
}

const isAccelerated = ({ scene }: RootState): boolean => Object.hasOwn(scene, 'raycast');

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
    const show = (accelerated: ReactNode) =>
      page.render(
        <StrictMode>
          <Canvas>
            <Finder found={found} />
            {accelerated}
          </Canvas>
        </StrictMode>,
      );
    await show(<Box />);
    await page.until(() => page.states[0]?.scene.children.length === 1);
    const [state] = page.states;
    const before = ownProperties(state.scene);
    expect(found.every((index) => index === null)).toBe(true);

    await show(
      <Accelerated>
        <Box />
      </Accelerated>,
    );
    expect(isAccelerated(state)).toBe(true);
    const index = found.at(-1) as AcceleratedScene;
    expect([index.root, index.size]).toEqual([state.scene, 1]);

    await show(<Box />);
    expect(isAccelerated(state)).toBe(false);
    expect(found.at(-1)).toBeNull();
    expect(index.has(state.scene)).toBe(false);
    expect(ownProperties(state.scene)).toEqual(before);

    await show(<Accelerated />);
    expect(found.at(-1)?.root).toBe(state.scene);
  });

  test('takes back everything when the canvas goes, and is there again in the next', async () => {
    const scene = new Scene();
    const before = ownProperties(scene);
    for (let round = 0; round < 2; round++) {
      await page.render(
        <Canvas scene={scene}>
          <Accelerated>
            <Box />
          </Accelerated>
        </Canvas>,
      );
      await page.until(() => page.states.some(isAccelerated));
      await page.render(null);
      expect(ownProperties(scene).filter((name) => !name.startsWith('__r3f'))).toEqual(before);
      await page.until(() => page.states.length === 0);
    }
  });

  test('keeps index and scene while children suspend, at first and later', async () => {
    const indices: AcceleratedScene[] = [];
    let load = (_: string): void => {};
    const later = (): Promise<string> =>
      new Promise((done) => {
        load = done;
      });
    const Later = ({ name }: { name: Promise<string> }): ReactNode => <Box name={use(name)} />;
    const show = (name: Promise<string>, hasBoundary: boolean) =>
      page.render(
        <Canvas>
          <Accelerated onIndex={(index) => void indices.push(index)}>
            <Box name="early" />
            {hasBoundary ? (
              <Suspense>
                <Later name={name} />
              </Suspense>
            ) : (
              <Later name={name} />
            )}
          </Accelerated>
        </Canvas>,
      );
    const names = () => page.states[0].scene.children.map(({ name, visible }) => `${name} ${visible}`);
    await show(later(), true);
    await page.until(() => indices.length === 1);
    expect(names()).toEqual(['early true']);
    load('first');
    await page.until(() => indices[0].size === 2);
    expect(names()).toEqual(['early true', 'first true']);
    await show(later(), true);
    await page.until(() => page.states[0].scene.children.some(({ visible }) => !visible));
    load('second');
    await page.until(() => names().includes('second true'));
    expect(indices).toHaveLength(1);

    // With no boundary in the canvas all of it suspends.
    await show(Promise.resolve('third'), false);
    await page.until(() => page.states[0].scene.children.some(({ name }) => name === 'third'));
    await show(later(), false);
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
      return () => {
        // It may still be asked.
        log.push(`ends with ${index.size}`);
      };
    };
    const boxes = [0, 1, 2, 3, 4, 5, 6, 7].map((x) => <Box key={x} x={x / 4} />);
    const show = (props: AcceleratedProps) =>
      page.render(
        <Canvas>
          <Accelerated {...props} onIndex={onIndex}>
            {boxes}
          </Accelerated>
        </Canvas>,
      );
    await show({});
    await page.until(() => indices.length === 1);
    const [index] = indices;
    const how = () => explain(index, page.states[0].scene.children[0], page.states[0].camera).join();
    expect(index.structure).toBe('packed');
    await show({ structure: 'grid' });
    await page.until(() => index.structure !== 'packed');
    expect([index.structure, index.size]).toEqual(['grid', 8]);
    const own = new Bvh({ planar: true });
    await show({ structure: own, batch: true });
    expect(index.structure).toBe('bvh');
    expect(own.size).toBe(8);
    await page.until(() => how().includes('batch of'));
    await show({ structure: 'bvh', batch: false });
    await page.pictures(2);
    expect(how()).not.toContain('batch of');
    expect(log).toEqual(['begins']);

    await show({ structure: 'bvh', batch: { mergeColors: false } });
    expect(log).toEqual(['begins', 'ends with 8', 'begins']);
    await page.until(() => indices[1].structure === 'bvh');
    // Of two that are loading the last one counts.
    await show({ structure: 'octree', batch: { mergeColors: false } });
    await show({ structure: 'bvh', batch: { mergeColors: false } });
    await page.pictures(5);
    expect([indices[1].structure, indices[1].size]).toEqual(['bvh', 8]);
    await show({ structure: 'bvh', batch: { mergeColors: false } });
    await show({ structure: 'bvh', batch: { mergeColors: false }, maintenanceMs: 0 });
    expect(log).toEqual(['begins', 'ends with 8', 'begins', 'ends with 8', 'begins']);
    await page.render(null);
    expect(log).toHaveLength(6);
  });

  test('takes an index of the page from the first, and again when it is taken anew', async () => {
    const own = new Bvh();
    const found: (AcceleratedScene | null)[] = [];
    const show = (maintenanceMs: number) =>
      page.render(
        <StrictMode>
          <Canvas>
            <Box />
            <Finder found={found} />
            <Accelerated structure={own} maintenanceMs={maintenanceMs} />
          </Canvas>
        </StrictMode>,
      );
    for (const maintenanceMs of [1, 2]) {
      await show(maintenanceMs);
      await page.until(() => found.at(-1)?.size === 1);
      expect([found.at(-1)?.structure, own.size]).toEqual(['bvh', 1]);
    }
    expect(new Set(found).size).toBeGreaterThan(2);
  });

  test('draws on demand, and not more often', async () => {
    await page.render(
      <Canvas frameloop="demand">
        <Accelerated batch>
          <Box />
        </Accelerated>
      </Canvas>,
    );
    await page.until(() => page.states.some(isAccelerated));
    const [{ gl, invalidate }] = page.states;
    await page.pictures(5);
    const { frame } = gl.info.render;
    await page.pictures(5);
    expect(gl.info.render.frame).toBe(frame);
    invalidate();
    await page.until(() => gl.info.render.frame === frame + 1);
    expect(gl.info.render.calls).toBe(1);
  });

  test('accelerates the scene that it is in, which in a portal is another', async () => {
    const other = new Scene();
    const group = new Object3D();
    const found: Record<string, (AcceleratedScene | null)[]> = { main: [], within: [], other: [] };
    await page.render(
      <Canvas>
        <Accelerated />
        <Finder found={found.main} />
        {createPortal(<Finder found={found.within} />, group)}
        {createPortal(
          <>
            <Accelerated />
            <Finder found={found.other} />
          </>,
          other,
        )}
      </Canvas>,
    );
    await page.until(() => page.states.some(isAccelerated) && Object.hasOwn(other, 'raycast'));
    const last = (name: string) => found[name].at(-1)?.root;
    const { scene } = page.states[0];
    expect([last('main'), last('within'), last('other')]).toEqual([scene, scene, other]);
  });
});

/** Shows what was thrown in place of its children. */
class Boundary extends Component<{ children: ReactNode; caught: string[] }> {
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
  // Fiber tells the page of errors that a boundary caught, too.
  const silence = (event: Event): void => event.stopImmediatePropagation();
  beforeEach(() => window.addEventListener('error', silence, { capture: true }));
  afterEach(() => window.removeEventListener('error', silence, { capture: true }));

  test.each([
    [
      'a structure that there is not',
      { structure: 'tree' },
      /^RangeError: Accelerated.structure: no structure tree; there are bruteForce/,
    ],
    ['a structure of another type', { structure: 7 }, /^TypeError: Accelerated.structure: must be a name/],
    ['an option that there is not', { bacth: true }, /^RangeError: SceneIndex.*bacth.*no such option/],
    ['an option of another type', { instances: 1 }, /^TypeError: accelerate.instances/],
  ])('%s comes out as an error of the component', async (_, props, message) => {
    const caught: string[] = [];
    await page.render(
      <Canvas>
        <Boundary caught={caught}>
          <Accelerated {...(props as AcceleratedProps)} />
        </Boundary>
        <Box />
      </Canvas>,
    );
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
    const show = (accelerated: ReactNode) =>
      page.render(
        <Boundary caught={caught}>
          <Canvas>
            <Finder found={found} />
            <Boundary caught={caught}>{accelerated}</Boundary>
          </Canvas>
        </Boundary>,
      );
    await show(<Accelerated onIndex={onIndex} />);
    await page.until(() => page.states.some(isAccelerated));
    const [state] = page.states;
    const index = found.at(-1) as AcceleratedScene;
    await show(null);
    await page.until(() => caught.length > 0);
    expect(caught[0]).toBe('Error: of the user');
    expect(isAccelerated(state)).toBe(false);
    expect(index.has(index.root)).toBe(false);
    expect(found.at(-1)).toBeNull();
  });

  test('there is no scene to accelerate outside of a canvas', async () => {
    const caught: string[] = [];
    await page.render(
      <Boundary caught={caught}>
        <Accelerated />
      </Boundary>,
    );
    expect(caught).toEqual(['Error: Accelerated: must be inside of a <Canvas>']);
  });

  test('two in one scene are one too many', async () => {
    const caught: string[] = [];
    await page.render(
      <Canvas>
        <Accelerated />
        <Boundary caught={caught}>
          <Accelerated />
        </Boundary>
      </Canvas>,
    );
    await page.until(() => caught.length > 0);
    expect(caught[0]).toMatch(/^Error: Accelerated: another <Accelerated>/);
    expect(page.states.every(isAccelerated)).toBe(true);
  });
});

test('the page of the README draws its boxes at once, and finds who is near', async () => {
  await page.render(<Boxes />);
  await page.until(() => {
    const { calls, triangles } = page.states[0]?.gl.info.render ?? {};
    return triangles > 100 && calls < 5;
  });
  const [{ camera, scene, events }] = page.states;
  const [player, first] = scene.children;
  const said = vi.spyOn(console, 'log').mockImplementation(() => {});
  const { x, y } = player.position.clone().project(camera);
  for (const type of ['pointerdown', 'click']) {
    const event = new PointerEvent(type, { bubbles: true });
    Object.defineProperties(event, { offsetX: { value: 60 + 60 * x }, offsetY: { value: 60 - 60 * y } });
    (events.connected as HTMLElement).dispatchEvent(event);
  }
  expect(said).toHaveBeenCalledWith(scene.children.slice(1, 4), expect.stringMatching(/^\d+ seen$/));
  expect(first.position.x).toBe(0);
  said.mockRestore();
});
