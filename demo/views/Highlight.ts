import {
  type Box3,
  BoxGeometry,
  BufferGeometry,
  type Color,
  EdgesGeometry,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Points,
  PointsMaterial,
  Vector3,
} from 'three';

const size = new Vector3();

/** Marks one object in a view: a translucent surface, its bounds, and on the map a dot, for objects too thin to see. */
export class Highlight {
  readonly object = new Group();
  readonly #film = new Mesh(
    new BufferGeometry(),
    new MeshBasicMaterial({
      transparent: true,
      opacity: 0.5,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -2,
      polygonOffsetUnits: -2,
    }),
  );
  readonly #edges = new LineSegments(
    new EdgesGeometry(new BoxGeometry()),
    new LineBasicMaterial({ depthTest: false, transparent: true }),
  );
  readonly #dot: Points<BufferGeometry, PointsMaterial>;

  constructor(withDot: boolean) {
    const point = new BufferGeometry().setAttribute('position', new Float32BufferAttribute([0, 0, 0], 3));
    this.#dot = new Points(
      point,
      new PointsMaterial({ size: 7, sizeAttenuation: false, depthTest: false, transparent: true }),
    );
    this.#dot.visible = withDot;
    this.#film.matrixAutoUpdate = false;
    for (const part of [this.#film, this.#edges, this.#dot]) {
      part.frustumCulled = false;
      part.renderOrder = 10;
      this.object.add(part);
    }
    this.object.visible = false;
  }

  show(object: Object3D | null, box: Box3 | null, colour: Color): void {
    this.object.visible = object !== null && box !== null;
    if (!object || !box) return;
    const mesh = object as Mesh & { isSkinnedMesh?: boolean; isInstancedMesh?: boolean };
    this.#film.visible = mesh.isMesh === true && !mesh.isSkinnedMesh && !mesh.isInstancedMesh;
    if (this.#film.visible) {
      this.#film.geometry = mesh.geometry;
      this.#film.matrix.copy(object.matrixWorld);
    }
    box.getCenter(this.#edges.position);
    // A flat box has no edges to draw; a sliver of a side keeps them apart.
    this.#edges.scale.copy(box.getSize(size)).clampScalar(1e-4, Number.MAX_VALUE);
    this.#dot.position.copy(this.#edges.position).setY(box.max.y);
    for (const { material } of [this.#film, this.#edges, this.#dot]) material.color.copy(colour);
    this.object.updateMatrixWorld(true);
  }
}
