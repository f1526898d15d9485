import { act, createRoot, events, extend, type ReconcilerRoot, type RootState } from '@react-three/fiber';
import { createElement, type ReactNode, StrictMode } from 'react';
import * as three from 'three';
import { mainPass } from '../helpers/passes.js';

extend(three as never);
(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

/** Edge of the canvas in pixels. */
export const SIZE = 120;

/** A renderer that goes over the scene as three's do, and draws nothing. */
const WITHOUT_PICTURES = { render: mainPass, setSize() {}, setPixelRatio() {} };
/** The renderer of fiber, whose pictures can be read. */
export const WITH_PICTURES = { preserveDrawingBuffer: true, antialias: false };

/** A canvas of fiber without React around it, whose frames are made when the test says so. */
export class TestRoot {
  readonly canvas: HTMLCanvasElement = document.createElement('canvas');
  readonly #root: ReconcilerRoot<HTMLCanvasElement>;
  state!: RootState;

  private constructor() {
    document.body.append(this.canvas);
    this.#root = createRoot(this.canvas);
  }

  static async open(config: Parameters<ReconcilerRoot<HTMLCanvasElement>['configure']>[0] = {}): Promise<TestRoot> {
    const root = new TestRoot();
    await root.#root.configure({
      events,
      frameloop: 'never',
      size: { width: SIZE, height: SIZE, top: 0, left: 0 },
      camera: { position: [0, 0, 30], fov: 60 },
      gl: WITHOUT_PICTURES as never,
      onCreated: (created) => {
        root.state = created;
        // Without a Canvas around it, the root is told where its events come from.
        created.events.connect?.(root.canvas);
      },
      ...config,
    });
    await act(async () => root.#root.render(null));
    return root;
  }

  /** Renders elements in strict mode, whose effects run twice, and makes a frame. */
  async render(...children: ReactNode[]): Promise<void> {
    await act(async () => this.#root.render(createElement(StrictMode, null, ...children)));
    await this.frame();
  }

  async frame(): Promise<void> {
    await act(async () => this.state.advance(performance.now()));
  }

  /** True while the scene is accelerated. */
  get isAccelerated(): boolean {
    return Object.getOwnPropertyDescriptor(this.state.scene, 'children')?.get !== undefined;
  }

  /** Sends an event to a place of the canvas. */
  point(type: string, x: number, y: number): void {
    const Event = /^(click|dblclick|contextmenu)$/.test(type)
      ? MouseEvent
      : type === 'wheel'
        ? WheelEvent
        : PointerEvent;
    const event = new Event(type, { bubbles: true, pointerId: 1 } as PointerEventInit);
    Object.defineProperties(event, { offsetX: { value: x }, offsetY: { value: y } });
    this.canvas.dispatchEvent(event);
  }

  async close(): Promise<void> {
    await act(async () => this.#root.unmount());
    this.canvas.remove();
  }
}
