import { createRoot, events, extend, flushSync, type RootState } from '@react-three/fiber';
import { createElement, type ReactNode } from 'react';
import { BoxGeometry, Group, Mesh, MeshBasicMaterial, type WebGLRenderer } from 'three';
import { Accelerated } from '../../../src/react.js';
import { random } from '../../helpers/random.js';
import { type Measured, takeTurns } from './takeTurns.js';

const SIZE = 1000;

/** Where the handlers are: at each mesh, or at one group around them all. */
export type Handlers = 'each' | 'group';

/** A canvas of React Three Fiber full of meshes with handlers, and how many of these were called. */
class Canvas {
  readonly #canvas = document.createElement('canvas');
  calls = 0;

  async open(count: number, handlers: Handlers, accelerated: ReactNode): Promise<void> {
    extend({ Group, Mesh });
    const root = createRoot(this.#canvas);
    let state: RootState | undefined;
    await root.configure({
      events,
      frameloop: 'never',
      size: { width: SIZE, height: SIZE, top: 0, left: 0 },
      camera: { position: [0, 0, 90], fov: 60 },
      onCreated: (created) => {
        state = created;
        created.events.connect?.(this.#canvas);
      },
    });
    const all = createElement('group', null, this.#meshes(count, handlers), accelerated);
    flushSync(() => root.render(all));
    // Effects are run before the next rendering.
    flushSync(() => root.render(all));
    state?.scene.updateMatrixWorld();
  }

  move(x: number, y: number): number {
    this.calls = 0;
    const event = new PointerEvent('pointermove', { bubbles: true, pointerId: 1 });
    Object.defineProperties(event, { offsetX: { value: x }, offsetY: { value: y } });
    this.#canvas.dispatchEvent(event);
    return this.calls;
  }

  #meshes(count: number, handlers: Handlers): ReactNode {
    const next = random(5);
    const geometry = new BoxGeometry();
    const material = new MeshBasicMaterial();
    const onPointerMove = (): void => {
      this.calls++;
    };
    const own = handlers === 'each' ? { onPointerMove } : {};
    const meshes = Array.from({ length: count }, (_, key) => {
      const position = [100 * next() - 50, 100 * next() - 50, 100 * next() - 50];
      return createElement('mesh', { key, geometry, material, position, ...own } as never);
    });
    return handlers === 'each' ? meshes : createElement('group', { onPointerMove } as never, meshes);
  }
}

/** Moves before those that are measured: nothing is drawn, so the index is made for the rays that are cast. */
const FIRST_MOVES = 40;

/** The CPU time of a pointer's move over meshes with handlers, from the event to the last call of a handler. */
export async function pointerMoves(
  _: WebGLRenderer,
  count: number,
  handlers: Handlers,
  rounds: number,
): Promise<Measured> {
  const [plain, fast] = [new Canvas(), new Canvas()];
  await plain.open(count, handlers, null);
  await fast.open(count, handlers, createElement(Accelerated));
  let aim = 0;
  const move = (canvas: Canvas) => (): number =>
    canvas.move(SIZE * (0.5 + 0.4 * Math.sin(aim * 7)), SIZE * (0.5 + 0.4 * Math.sin(aim * 3)));
  for (let i = 0; i < FIRST_MOVES; i++, aim++) for (const canvas of [plain, fast]) move(canvas)();
  return takeTurns(rounds, [move(plain)], [move(fast)], () => {
    aim++;
  });
}
