import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  type PerspectiveCamera,
  Vector3,
} from 'three';

/** Corners by the bits of their number: 1 right, 2 upper, 4 far. */
const EDGES = [0, 4, 1, 5, 2, 6, 3, 7, 4, 5, 5, 7, 7, 6, 6, 4];
const SIDES = [0, 4, 6, 0, 6, 2, 1, 5, 7, 1, 7, 3, 0, 4, 5, 0, 5, 1, 2, 6, 7, 2, 7, 3];

const corner = new Vector3();

/** The frustum of a camera, as lines and translucent sides. */
export class FrustumShape {
  readonly object = new Group();
  readonly #corners = new BufferAttribute(new Float32Array(24), 3).setUsage(DynamicDrawUsage);
  readonly #lines: LineBasicMaterial;
  readonly #film: MeshBasicMaterial;

  constructor() {
    this.#lines = new LineBasicMaterial({ transparent: true, opacity: 0.9 });
    this.#film = new MeshBasicMaterial({ transparent: true, opacity: 0.1, depthWrite: false, side: DoubleSide });
    const edges = new LineSegments(this.#geometry(EDGES), this.#lines);
    const sides = new Mesh(this.#geometry(SIDES), this.#film);
    for (const part of [edges, sides]) {
      part.frustumCulled = false;
      part.renderOrder = 5;
      this.object.add(part);
    }
  }

  paint(colour: Color): void {
    this.#lines.color.copy(colour);
    this.#film.color.copy(colour);
  }

  update(camera: PerspectiveCamera): void {
    for (let i = 0; i < 8; i++) {
      corner.set(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1).unproject(camera);
      this.#corners.setXYZ(i, corner.x, corner.y, corner.z);
    }
    this.#corners.needsUpdate = true;
  }

  #geometry(index: number[]): BufferGeometry {
    const geometry = new BufferGeometry().setAttribute('position', this.#corners);
    return geometry.setIndex(index);
  }
}
