import type { WebGLRenderer } from 'three';
import { HEIGHT, type Painter, WIDTH } from '../model/pictures/PictureSide.js';
import { WebGPUPictures } from './webgpuPictures.js';

/** Edits of what `WebGPURenderer` draws otherwise or not at all, and of what three asks of one kind of renderer. */
export const NOT_BY_WEBGPU = [
  'compile',
  'toTarget',
  'severalViews',
  'clipAll',
  'shadowMap',
  'sortObjects',
  'toneMapping',
  'override',
  'ownShader',
  'callback',
];

/** Draws random scenes with three's `WebGPURenderer`. */
export async function paintByWebGPU(forceWebGL: boolean): Promise<Painter> {
  const pictures = await WebGPUPictures.make(forceWebGL, WIDTH, HEIGHT);
  const { info } = pictures.renderer;
  info.autoReset = false;
  return {
    renderer: pictures.renderer as unknown as WebGLRenderer,
    kinds: ['mesh', 'alike', 'groups', 'group', 'light', 'lod', 'skinned', 'line'],
    take(scene, eye) {
      info.reset();
      return pictures.take(scene, eye);
    },
    calls: () => info.render.drawCalls,
    dispose: () => pictures.dispose(),
  };
}
