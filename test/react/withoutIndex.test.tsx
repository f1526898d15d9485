import { createElement, type ReactNode, useRef } from 'react';
import type { Object3D } from 'three';
import { type AcceleratedScene, accelerate } from 'three-scene-index';
import { Accelerated, type AcceleratedProps, useNearest, useSceneIndex, useVisible } from 'three-scene-index/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SIZE, TestRoot } from './TestRoot.js';

let root: TestRoot;
const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});

beforeEach(async () => {
  root = await TestRoot.open();
  warn.mockClear();
});

afterEach(async () => {
  await root.close();
  expect(warn).not.toHaveBeenCalled();
});

const frames = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await root.frame();
};

/** What the hooks gave at the last rendering. */
const found: { index: AcceleratedScene | null; visible: number; nearest: number } = {
  index: null,
  visible: 0,
  nearest: 0,
};
const clicked = vi.fn();

function Asker(): ReactNode {
  const mesh = useRef<Object3D>(null);
  found.index = useSceneIndex();
  found.visible = useVisible().length;
  found.nearest = useNearest(mesh, 1).length;
  return (
    <mesh ref={mesh} onClick={clicked}>
      <boxGeometry args={[8, 8, 8]} />
    </mesh>
  );
}

/** Does not warn, as null is an answer. */
function Finder(): null {
  useSceneIndex();
  return null;
}

/** Fewer frames than the hooks wait. */
const SOME = 5;
const MANY = 30;

describe('hooks in a canvas without <Accelerated>', () => {
  test('do not warn when one comes within some frames', async () => {
    await root.render(<Asker key="asker" />);
    await frames(SOME);
    await root.render(<Asker key="asker" />, <Accelerated key="accelerated" />);
    await frames(MANY);
    expect(found.index).not.toBeNull();
  });

  test('each warns once in the page, after some frames', async () => {
    await root.render(<Finder key="finder" />, <Asker key="one" />, <Asker key="two" />);
    await frames(SOME);
    expect(warn).not.toHaveBeenCalled();
    await frames(MANY);
    await root.render(null);
    await root.render(<Asker />);
    await frames(MANY);
    const texts = warn.mock.calls.map(([text]) => String(text)).sort();
    warn.mockClear();
    expect(texts).toHaveLength(2);
    for (const [i, hook] of ['useNearest', 'useVisible'].entries()) {
      expect(texts[i]).toMatch(new RegExp(`^${hook}: .*<Accelerated>`));
    }
  });
});

describe('a scene that is accelerated by hand as well', () => {
  const click = async (): Promise<number> => {
    clicked.mockClear();
    for (const type of ['pointerdown', 'pointerup', 'click']) root.point(type, SIZE / 2, SIZE / 2);
    return clicked.mock.calls.length;
  };

  test('by hand while mounted: hooks, events and props go on, and unmounting leaves it as it is', async () => {
    const show = (props: AcceleratedProps) =>
      root.render(
        <Asker key="asker" />,
        createElement(Accelerated, { ...props, key: 'accelerated' } as AcceleratedProps),
      );
    await show({});
    await frames(3);
    expect([found.visible, await click()]).toEqual([1, 1]);
    const own = accelerate(root.state.scene);
    await frames(3);
    expect([found.index, await click()]).toEqual([null, 1]);
    // Loaded late, and applied at once.
    await show({ structure: 'bvh' });
    await show({ structure: 'bvh', batch: true });
    await frames(3);
    expect(await click()).toBe(1);
    await root.render(<Asker key="asker" />);
    await frames(3);
    expect([own.has(root.state.scene), root.isAccelerated, own.size]).toEqual([true, true, 1]);
    expect(await click()).toBe(1);
    own.dispose();
    expect(root.isAccelerated).toBe(false);
  });

  test('mounted over one by hand: takes over, and unmounting leaves plain three', async () => {
    const own = accelerate(root.state.scene);
    await root.render(<Asker key="asker" />, <Accelerated key="accelerated" />);
    await frames(3);
    expect([own.has(root.state.scene), found.index?.has(root.state.scene), found.visible]).toEqual([false, true, 1]);
    expect(await click()).toBe(1);
    await root.render(<Asker key="asker" />);
    expect(root.isAccelerated).toBe(false);
    own.dispose();
  });
});
