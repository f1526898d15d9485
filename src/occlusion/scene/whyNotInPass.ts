import type { Camera, Scene } from 'three';
import { FINEST, type Picture } from './pictureOf.js';
import { sampleDepthsOf } from './probe.js';
import { areShadersOwn } from './shaderTexts.js';

/** Pixels in a row of the smallest buffer that is of use, and in a tile. */
export const NARROWEST = 32;
export const TILE = 8;
export const TOO_SMALL = 'it is too small';

/** Why nothing is hidden in a pass; null where it may be. */
export function whyNotInPass(
  renderer: object | null,
  camera: Camera,
  scene: Scene,
  picture: Picture | null,
): string | null {
  if (picture === null) return 'the renderer does not tell its size';
  if (picture.whyNot !== null) return picture.whyNot;
  if ((camera as { isArrayCamera?: boolean }).isArrayCamera) return 'its camera has several views';
  if (scene.overrideMaterial) return 'one material replaces all others';
  if (!picture.hasDepth) return 'it has no depth';
  if (picture.width < FINEST * NARROWEST || !(picture.height >= FINEST * TILE)) return TOO_SMALL;
  if (!areShadersOwn()) return 'chunks of shaders are patched by which vertices are placed';
  return picture.isMultisampled ? whyNotSampled(renderer, false) : null;
}

/** Why nothing is hidden where a pixel has several samples; null where it may be. */
export function whyNotSampled(renderer: object | null, isTransmissive: boolean): string | null {
  const what = isTransmissive ? 'what is seen through transmissive objects is' : 'it is';
  if (renderer === null) return `${what} multisampled, and no renderer was given to be tried`;
  const depths = sampleDepthsOf(renderer);
  if (depths === 'right') return null;
  return depths === 'unknown'
    ? `${what} multisampled, and this renderer has not been tried yet`
    : `${what} multisampled, and this rasteriser takes depths beside the samples`;
}
