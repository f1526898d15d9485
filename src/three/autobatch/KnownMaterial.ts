import type { Material } from 'three';
import { whyMaterialAlone } from './whyNotBatched.js';

/** What is known of a material: whether it may be drawn in batches. Looked at once a frame, however many meshes have it. */
export class KnownMaterial {
  readonly material: Material;
  /** Why meshes with it are drawn by themselves; null when they need not be. */
  reason: string | null = null;
  /** Grows with each change of what meshes with it may be drawn with. */
  version = 0;
  /** The frame in which it was looked at last. */
  frame = -1;

  constructor(material: Material) {
    this.material = material;
  }

  /** Looks at the material, if it was not in this frame. */
  look(frame: number): this {
    if (this.frame === frame) return this;
    this.frame = frame;
    const reason = whyMaterialAlone(this.material);
    if (reason !== this.reason) this.version++;
    this.reason = reason;
    return this;
  }
}
