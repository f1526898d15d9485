import {
  type Box3,
  BoxGeometry,
  type Color,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
} from 'three';

const unit = new BoxGeometry();
const edges = new EdgesGeometry(unit);

/** Marks the box of a node, through everything. */
export class NodeMark {
  readonly object = new Group();
  readonly #film = new MeshBasicMaterial({ transparent: true, opacity: 0.16, depthTest: false, depthWrite: false });
  readonly #lines = new LineBasicMaterial({ transparent: true, depthTest: false });

  constructor() {
    for (const part of [new Mesh(unit, this.#film), new LineSegments(edges, this.#lines)]) {
      part.frustumCulled = false;
      part.renderOrder = 9;
      this.object.add(part);
    }
    this.object.visible = false;
  }

  show(box: Box3 | null): void {
    this.object.visible = box !== null;
    if (!box) return;
    box.getCenter(this.object.position);
    box.getSize(this.object.scale).clampScalar(1e-4, Number.MAX_VALUE);
    this.object.updateMatrixWorld(true);
  }

  paint(colour: Color): void {
    this.#film.color.copy(colour);
    this.#lines.color.copy(colour);
  }
}
