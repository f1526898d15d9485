import type { Line, Mesh, Object3D, Points, Sprite } from 'three';

export function isDrawable(object: Object3D): boolean {
  const { isMesh, isLine, isPoints, isSprite } = object as Partial<Mesh & Line & Points & Sprite>;
  return !!(isMesh || isLine || isPoints || isSprite);
}
