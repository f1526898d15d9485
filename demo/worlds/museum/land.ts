import { MathUtils } from 'three';
import { ImprovedNoise } from 'three/addons/math/ImprovedNoise.js';

/** Half an edge of the square of land, in metres. */
export const HALF = 280;

/** Waves of the ground: size, height, and where the pattern begins. */
const WAVES: readonly (readonly [size: number, height: number, shift: number])[] = [
  [150, 11, 7.3],
  [61, 5, 31.9],
];
const { smoothstep } = MathUtils;
const perlin = new ImprovedNoise();

/** Height of the ground: flat around the museum, and hills that close the view. */
export function heightAt(x: number, z: number): number {
  const far = Math.hypot(x, z + 6);
  let hills = 0;
  for (const [size, wave, shift] of WAVES) hills += wave * noise(x / size + shift, z / size - shift);
  const ridge = 38 * smoothstep(far, 42, 175) + 16 * smoothstep(far, 150, 270);
  return smoothstep(far, 30, 120) * (hills + 3) + ridge;
}

/** How much of the ground trees cover, 0 to 1: woods and clearings, none around the museum. */
export function coverAt(x: number, z: number): number {
  const far = Math.hypot(x, z + 8) + 9 * noise(x / 23 + 4.1, z / 23 - 8.3);
  const woods = smoothstep(noise(x / 44 + 17.3, z / 44 + 5.9), -0.5, 0.2);
  return smoothstep(far, 64, 70) * Math.max(woods, 1 - smoothstep(far, 90, 125));
}

/** Smooth noise from about -1 to 1, one hill per unit. */
export function noise(x: number, z: number): number {
  return 1.5 * perlin.noise(x, z, 0);
}
