import { type Line, type Mesh, type Object3D, type Points, type Sprite, Texture } from 'three';
import type { FrameResult } from '../../measure/FrameResult.js';
import type { Palette } from '../stage/palette.js';

/** How a view draws a world. `show` is called before each frame. */
export interface Drawing {
  readonly object: Object3D;
  show(result: FrameResult): void;
  /** Colours, and the distance where the picture has faded into the sky (Infinity: never). */
  paint(palette: Palette, far: number): void;
  dispose(): void;
}

/** A drawing of meshes, lines and points of its own, which it frees. By itself it looks the same in every frame. */
export abstract class OwnDrawing implements Drawing {
  abstract readonly object: Object3D;

  show(_result: FrameResult): void {}

  paint(_palette: Palette, _far: number): void {}

  dispose(): void {
    disposeTree(this.object);
  }
}

/** A drawing of what others put into a group. */
export function still(object: Object3D): Drawing {
  return { object, show() {}, paint() {}, dispose() {} };
}

/** Whether an object is a mesh, a line, points or a sprite. */
export function isDrawable(object: Object3D): boolean {
  const { isMesh, isLine, isPoints, isSprite } = object as Partial<Mesh & Line & Points & Sprite>;
  return !!(isMesh || isLine || isPoints || isSprite);
}

/** Frees what the meshes of a tree hold. */
export function disposeTree(root: Object3D): void {
  root.traverse((object) => {
    const { geometry, material: materials } = object as Mesh;
    geometry?.dispose();
    for (const material of [materials ?? []].flat()) {
      for (const value of Object.values(material)) {
        if (!(value instanceof Texture)) continue;
        value.dispose();
        if (value.image instanceof ImageBitmap) value.image.close();
      }
      material.dispose();
    }
  });
}
