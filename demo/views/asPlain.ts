import type { Scene } from 'three';

/** Gives a plain scene the children and the air of another one, which may be accelerated; they keep that as their parent. */
export function asPlain({ children, fog, background }: Scene, plain: Scene): Scene {
  return Object.assign(plain, { children, fog, background });
}
