import type { Camera, Scene } from 'three';
import { OcclusionBuffer } from '../OcclusionBuffer.js';
import { FINEST, type Picture } from './pictureOf.js';
import { sampleDepthsOf } from './probe.js';
import { firstBroken, type Rule } from './rules.js';
import { areShadersOwn } from './shaderTexts.js';

/** Pixels in a row of the smallest buffer that is of use, and in a tile. */
export const NARROWEST = 32;
export const TILE = 8;
export const TOO_SMALL = 'it is too small';

/** A camera's pass, and the picture that it makes. */
interface Pass {
  readonly camera: Camera;
  readonly scene: Scene;
  readonly picture: Picture;
}

/** For all passes in which anything is hidden, besides what the picture says of its renderer and its samples. */
export const PASSES: readonly Rule<Pass>[] = [
  [() => OcclusionBuffer.isAvailable, 'WebAssembly SIMD is not available'],
  [({ camera }) => !(camera as { isArrayCamera?: boolean }).isArrayCamera, 'its camera has several views'],
  [({ scene }) => !scene.overrideMaterial, 'one material replaces all others'],
  [({ picture }) => picture.hasDepth, 'it has no depth'],
  [({ picture: { width, height } }) => width >= FINEST * NARROWEST && height >= FINEST * TILE, TOO_SMALL],
  [areShadersOwn, 'shader chunks that place vertices are patched'],
];

/** Why nothing is hidden in a pass; null where it may be. */
export function whyNotInPass(
  renderer: object | null,
  camera: Camera,
  scene: Scene,
  picture: Picture | null,
): string | null {
  if (picture === null) return 'the renderer does not tell its size';
  const why = picture.whyNot ?? firstBroken(PASSES, { camera, scene, picture });
  return why === null && picture.isMultisampled ? whyNotSampled(renderer, false) : why;
}

/** Why nothing is hidden where a pixel has several samples; null where it may be. */
export function whyNotSampled(renderer: object | null, isTransmissive: boolean): string | null {
  const what = isTransmissive ? 'the background of transmissive objects is' : 'it is';
  if (renderer === null) return `${what} multisampled, and no renderer was given to test`;
  const depths = sampleDepthsOf(renderer);
  if (depths === 'right') return null;
  return depths === 'unknown'
    ? `${what} multisampled, and this renderer has not been tested yet`
    : `${what} multisampled, and this rasteriser does not compute depth at each sample`;
}
