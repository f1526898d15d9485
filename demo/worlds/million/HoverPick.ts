import {
  type BatchedMesh,
  BoxGeometry,
  EdgesGeometry,
  type InstancedMesh,
  type Intersection,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  type PerspectiveCamera,
  Raycaster,
  type Scene,
  Vector2,
} from 'three';
import { Meter } from '../../measure/Meter.js';

/** By how much the edges stand out from what they enclose. */
const STAND_OUT = 1.04;

/** Picks the instance under the pointer, and shows its edges. */
export class HoverPick {
  /** The edges, to be added to the scene. */
  readonly object = new LineSegments(new EdgesGeometry(new BoxGeometry()), new LineBasicMaterial({ color: '#ffffff' }));
  /** The nearest hit; null for none. */
  hit: Intersection | null = null;
  readonly time = new Meter();
  readonly #pane: HTMLElement;
  readonly #raycaster = new Raycaster();
  readonly #pointer = new Vector2();
  readonly #matrix = new Matrix4();
  #isOver = false;

  constructor(pane: HTMLElement) {
    this.#pane = pane;
    this.object.matrixAutoUpdate = false;
    this.object.visible = false;
    this.object.raycast = () => {};
    pane.addEventListener('pointermove', this.#moved);
    pane.addEventListener('pointerleave', this.#left);
  }

  /** Number of the instance that is picked; null for none. */
  get id(): number | null {
    return this.hit?.instanceId ?? this.hit?.batchId ?? null;
  }

  /** Casts a ray through the pointer. */
  cast(scene: Scene, mesh: BatchedMesh | InstancedMesh, camera: PerspectiveCamera): void {
    this.hit = null;
    if (this.#isOver) {
      this.#raycaster.setFromCamera(this.#pointer, camera);
      this.#raycaster.far = camera.far;
      this.hit = this.time.time(() => this.#raycaster.intersectObject(scene))[0] ?? null;
    }
    const { id } = this;
    this.object.visible = id !== null;
    if (id === null) return;
    mesh.getMatrixAt(id, this.#matrix);
    this.object.matrix.makeScale(STAND_OUT, STAND_OUT, STAND_OUT).premultiply(this.#matrix);
    this.object.matrixWorldNeedsUpdate = true;
  }

  dispose(): void {
    this.#pane.removeEventListener('pointermove', this.#moved);
    this.#pane.removeEventListener('pointerleave', this.#left);
    this.object.geometry.dispose();
    this.object.material.dispose();
  }

  readonly #moved = ({ clientX, clientY }: PointerEvent): void => {
    const { left, top, width, height } = this.#pane.getBoundingClientRect();
    this.#pointer.set((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height);
    this.#isOver = true;
  };

  readonly #left = (): void => {
    this.#isOver = false;
  };
}
