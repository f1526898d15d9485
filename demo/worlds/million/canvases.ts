import type { PerspectiveCamera, Scene } from 'three';
import type { WhenDone } from '../../measure/Turns.js';
import type { MillionValues } from '../../state/controls/millionControls.js';
import type { Stage } from '../../views/stage/Stage.js';

/** Triangles of a box. */
const TRIANGLES = 12;

/** Draws scenes into a pane; boxes are all that has triangles. */
export interface Canvas {
  /** What it draws with. */
  readonly name: string;
  /** The control that asks for it. */
  readonly kind: MillionValues['renderer'];
  /** Returns the number of boxes drawn. */
  draw(scene: Scene, camera: PerspectiveCamera): number;
  /** Calls back when the GPU has drawn it; where nobody can tell, there is none. */
  readonly whenDone?: WhenDone;
  dispose(): void;
}

/** The canvas of the page. */
export function pageCanvas(stage: Stage, pane: HTMLElement): Canvas {
  return {
    name: 'WebGL',
    kind: 'webgl',
    draw(scene, camera) {
      stage.draw(pane, scene, camera);
      return stage.renderer.info.render.triangles / TRIANGLES;
    },
    whenDone: stage.whenDone,
    dispose() {},
  };
}

/** A canvas of its own for `WebGPURenderer`, which covers the pane. */
export async function webgpuCanvas(stage: Stage, pane: HTMLElement): Promise<Canvas> {
  const { WebGPURenderer } = await import('three/webgpu');
  const renderer = new WebGPURenderer({ antialias: false });
  await renderer.init();
  renderer.info.autoReset = false;
  const { domElement, info, backend } = renderer;
  domElement.setAttribute('aria-hidden', 'true');
  pane.prepend(domElement);
  let shape = '';
  const { device } = backend as { device?: GPUDevice };
  return {
    ...(device && { whenDone: (then) => stage.hold(device.queue.onSubmittedWorkDone(), then) }),
    name: 'isWebGPUBackend' in backend && backend.isWebGPUBackend ? 'WebGPU' : 'WebGL by WebGPURenderer',
    kind: 'webgpu',
    draw(scene, camera) {
      const { clientWidth: width, clientHeight: height } = pane;
      if (shape !== [width, height, stage.pixelRatio].join()) {
        shape = [width, height, stage.pixelRatio].join();
        renderer.setPixelRatio(stage.pixelRatio);
        renderer.setSize(width, height, false);
      }
      info.reset();
      renderer.render(scene, camera);
      return info.render.triangles / TRIANGLES;
    },
    dispose() {
      domElement.remove();
      renderer.dispose();
    },
  };
}
