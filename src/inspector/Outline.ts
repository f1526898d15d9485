import { Box3, Box3Helper, type Object3D } from 'three';
import type { SceneIndex } from '../scene/SceneIndex.js';

/** The blue of the Inspector's `--color-accent`. */
const COLOR = 0x00aaff;

/** The bounds of an object as lines, seen through whatever is in front. No index follows it, no ray hits it. */
export class Outline extends Box3Helper {
  readonly isSceneIndexHelper = true;

  constructor() {
    super(new Box3(), COLOR);
    this.name = 'SceneIndexOutline';
    this.frustumCulled = false;
    this.renderOrder = Number.MAX_SAFE_INTEGER;
    const { material } = this;
    if (!Array.isArray(material)) {
      Object.assign(material, {
        depthTest: false,
        depthWrite: false,
        transparent: true,
        toneMapped: false,
        fog: false,
      });
    }
  }

  override raycast(): void {}

  /** Bounds are a box of the world, whatever moves the scene. */
  override updateMatrixWorld(): void {
    if (this.box.isEmpty()) return;
    this.box.getCenter(this.position);
    this.box.getSize(this.scale).multiplyScalar(0.5);
    this.updateMatrix();
    this.matrixWorld.copy(this.matrix);
  }

  /** Goes around an object as it is now; hidden where there is nothing to go around. */
  enclose(index: SceneIndex, object: Object3D): void {
    if (index.getBox(object, this.box) === null) this.box.setFromObject(object);
    this.visible = !this.box.isEmpty() && Number.isFinite(this.box.min.x + this.box.max.x);
  }

  override dispose(): void {
    this.removeFromParent();
    super.dispose();
  }
}
