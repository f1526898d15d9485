import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  DoubleSide,
  DynamicDrawUsage,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  MathUtils,
  Mesh,
  MeshBasicMaterial,
  type PerspectiveCamera,
  Vector3,
} from 'three';
import { addOnTop } from './Marks.js';
import type { Palette } from './stage/palette.js';

/** Corners of a frustum by the bits of their number: 1 right, 2 upper, 4 far. */
const EDGES = [0, 4, 1, 5, 2, 6, 3, 7, 4, 5, 5, 7, 7, 6, 6, 4];
const SIDES = [0, 4, 6, 0, 6, 2, 1, 5, 7, 1, 7, 3, 0, 4, 5, 0, 5, 1, 2, 6, 7, 2, 7, 3];
/** Size of the icon, as a share of half the height of the view. */
const SIZE = 0.035;

const corner = new Vector3();

/**
 * The player's camera as another one sees it: its frustum, as lines and translucent sides, and where it is a small film
 * camera, equally large from far and near.
 */
export class PlayerShape {
  readonly object = new Group();
  readonly #icon = new Group();
  readonly #corners = new BufferAttribute(new Float32Array(24), 3).setUsage(DynamicDrawUsage);
  readonly #lines = new LineBasicMaterial({ transparent: true, opacity: 0.9 });
  readonly #film = new MeshBasicMaterial({ transparent: true, opacity: 0.1, depthWrite: false, side: DoubleSide });
  readonly #iconFaces = new MeshBasicMaterial({ depthTest: false, transparent: true });
  readonly #iconEdges = new LineBasicMaterial({ depthTest: false, transparent: true });

  constructor() {
    const [edges, sides] = [EDGES, SIDES].map((index) =>
      new BufferGeometry().setAttribute('position', this.#corners).setIndex(index),
    );
    addOnTop(this.object, 5, new LineSegments(edges, this.#lines), new Mesh(sides, this.#film));
    const body = new BoxGeometry(1.1, 0.9, 1.5).translate(0, 0, 0.75);
    const hood = new CylinderGeometry(0.25, 0.75, 0.8, 4, 1).rotateY(Math.PI / 4).rotateX(Math.PI / 2);
    for (const shape of [body, hood.translate(0, 0, -0.4)]) {
      addOnTop(this.#icon, 6, new Mesh(shape, this.#iconFaces));
      addOnTop(this.#icon, 7, new LineSegments(new EdgesGeometry(shape), this.#iconEdges));
    }
    this.object.add(this.#icon);
  }

  paint({ frustum, backdrop }: Palette): void {
    for (const { color } of [this.#lines, this.#film, this.#iconFaces]) color.copy(frustum);
    this.#iconEdges.color.copy(backdrop);
  }

  show(camera: PerspectiveCamera, seenFrom: PerspectiveCamera): void {
    for (let i = 0; i < 8; i++) {
      corner.set(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1).unproject(camera);
      this.#corners.setXYZ(i, corner.x, corner.y, corner.z);
    }
    this.#corners.needsUpdate = true;
    const { position, quaternion, scale } = this.#icon;
    camera.getWorldPosition(position);
    camera.getWorldQuaternion(quaternion);
    const half = Math.tan(MathUtils.degToRad(0.5 * seenFrom.fov)) * position.distanceTo(seenFrom.position);
    scale.setScalar(SIZE * half);
  }
}
