import {
  BoxGeometry,
  type BufferGeometry,
  CylinderGeometry,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  MathUtils,
  Mesh,
  MeshBasicMaterial,
  type PerspectiveCamera,
} from 'three';
import type { Palette } from './stage/palette.js';

/** Size of the icon, as a share of half the height of the view. */
const SIZE = 0.035;

/** A small film camera where the player's camera is, equally large from far and near. */
export class CameraIcon {
  readonly object = new Group();
  readonly #faces = new MeshBasicMaterial({ depthTest: false, transparent: true });
  readonly #edges = new LineBasicMaterial({ depthTest: false, transparent: true });

  constructor() {
    const body = new BoxGeometry(1.1, 0.9, 1.5).translate(0, 0, 0.75);
    const hood = new CylinderGeometry(0.25, 0.75, 0.8, 4, 1).rotateY(Math.PI / 4).rotateX(Math.PI / 2);
    for (const shape of [body, hood.translate(0, 0, -0.4)]) this.#add(shape);
  }

  /** Puts it where one camera is, as another one sees it. */
  update(camera: PerspectiveCamera, seenFrom: PerspectiveCamera): void {
    const { position, quaternion, scale } = this.object;
    camera.getWorldPosition(position);
    camera.getWorldQuaternion(quaternion);
    const half = Math.tan(MathUtils.degToRad(0.5 * seenFrom.fov)) * position.distanceTo(seenFrom.position);
    scale.setScalar(SIZE * half);
  }

  paint({ frustum, backdrop }: Palette): void {
    this.#faces.color.copy(frustum);
    this.#edges.color.copy(backdrop);
  }

  #add(shape: BufferGeometry): void {
    for (const part of [new Mesh(shape, this.#faces), new LineSegments(new EdgesGeometry(shape), this.#edges)]) {
      part.frustumCulled = false;
      part.renderOrder = part instanceof Mesh ? 6 : 7;
      this.object.add(part);
    }
  }
}
