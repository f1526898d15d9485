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
  type Ray,
  Vector3,
} from 'three';
import type { FrameResult } from '../measure/FrameResult.js';
import type { RayTest } from '../measure/NodeTree.js';
import type { Palette } from './stage/palette.js';

/** A ray that was cast, as far as it went, and the nodes that it was tested against. */
export interface CastRay extends RayTest {
  readonly ray: Ray;
  readonly length: number;
}

const unit = new BoxGeometry();
const unitEdges = new EdgesGeometry(unit);
/** Twelve edges of a box by the bits of its corners: 1 for the greatest x, 2 for y, 4 for z. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

const end = new Vector3();

/** What lies over the picture of a view: the hovered and the picked object, a node, and the ray of a pick. */
export class Marks {
  readonly object = new Group();
  readonly #hovered: Highlight;
  readonly #picked: Highlight;
  readonly #node = new Group();
  readonly #nodeFilm = new MeshBasicMaterial({ transparent: true, opacity: 0.16, depthTest: false, depthWrite: false });
  readonly #nodeEdges = new LineBasicMaterial({ transparent: true, depthTest: false });
  /** Boxes of nodes that a ray missed, of those that it entered, and the ray. */
  readonly #trace = new Group();
  readonly #missed: Lines;
  readonly #entered: Lines;
  readonly #ray: Lines;
  #palette: Palette | null = null;

  /**
   * @param withDots Marks objects by a dot, too, where they may be too small to see.
   * @param traceStrength Of the lines of a ray: 1, or less where they must not hide a picture.
   */
  constructor(withDots: boolean, traceStrength: number) {
    this.#hovered = new Highlight(withDots);
    this.#picked = new Highlight(withDots);
    addOnTop(this.#node, 9, new Mesh(unit, this.#nodeFilm), new LineSegments(unitEdges, this.#nodeEdges));
    this.#missed = lines(0.3 * traceStrength);
    this.#entered = lines(0.8 * traceStrength);
    this.#ray = lines(traceStrength);
    addOnTop(this.#trace, 8, this.#missed, this.#entered, this.#ray);
    this.#node.visible = this.#trace.visible = false;
    this.object.add(this.#picked.object, this.#hovered.object, this.#node, this.#trace);
  }

  paint(palette: Palette): void {
    this.#palette = palette;
    this.#nodeFilm.color.copy(palette.hovered);
    this.#nodeEdges.color.copy(palette.hovered);
    this.#ray.material.color.copy(palette.picked);
    this.#entered.material.color.copy(palette.picked);
    this.#missed.material.color.copy(palette.culled);
  }

  show({ hovered, picked }: FrameResult, boxOf: (object: Object3D | null) => Box3 | null): void {
    if (!this.#palette) return;
    this.#hovered.show(hovered === picked ? null : hovered, boxOf(hovered), this.#palette.hovered);
    this.#picked.show(picked, boxOf(picked), this.#palette.picked);
  }

  /** Marks the box of a node, through everything. Null: no node. */
  markNode(box: Box3 | null): void {
    this.#node.visible = box !== null;
    if (!box) return;
    place(this.#node, box);
    this.#node.updateMatrixWorld(true);
  }

  /** Draws a ray, the boxes of the nodes that it entered, and, more faintly, of those that it missed. Null: no ray. */
  traceRay(cast: CastRay | null): void {
    this.#trace.visible = cast !== null;
    const { ray, length, entered, missed } = cast ?? { ray: null, length: 0, entered: [], missed: [] };
    setLines(this.#ray, ray ? [...ray.origin, ...ray.at(length, end)] : []);
    setLines(this.#entered, entered.flatMap(edgesOf));
    setLines(this.#missed, missed.flatMap(edgesOf));
  }
}

/** Marks one object in a view: a translucent surface, its bounds, and on the map a dot, for objects too thin to see. */
class Highlight {
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
  readonly #edges = new LineSegments(unitEdges, new LineBasicMaterial({ depthTest: false, transparent: true }));
  readonly #dot = new Points(
    new BufferGeometry().setAttribute('position', new Float32BufferAttribute([0, 0, 0], 3)),
    new PointsMaterial({ size: 7, sizeAttenuation: false, depthTest: false, transparent: true }),
  );

  constructor(withDot: boolean) {
    this.#dot.visible = withDot;
    this.#film.matrixAutoUpdate = false;
    addOnTop(this.object, 10, this.#film, this.#edges, this.#dot);
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
    place(this.#edges, box);
    this.#dot.position.copy(this.#edges.position).setY(box.max.y);
    for (const { material } of [this.#film, this.#edges, this.#dot]) material.color.copy(colour);
    this.object.updateMatrixWorld(true);
  }
}

/** Adds parts that are drawn after the picture, in this order, wherever the camera is. */
export function addOnTop(group: Group, order: number, ...parts: Object3D[]): void {
  for (const part of parts) {
    part.frustumCulled = false;
    part.renderOrder = order;
  }
  group.add(...parts);
}

/** Gives an object of unit size the place and size of a box. A flat box has no edges to draw; a sliver of a side keeps them apart. */
function place({ position, scale }: Object3D, box: Box3): void {
  box.getCenter(position);
  box.getSize(scale).clampScalar(1e-4, Number.MAX_VALUE);
}

type Lines = LineSegments<BufferGeometry, LineBasicMaterial>;

function lines(opacity: number): Lines {
  const material = new LineBasicMaterial({ transparent: true, opacity, depthTest: false, fog: false });
  return new LineSegments(new BufferGeometry(), material);
}

function setLines({ geometry }: Lines, points: number[]): void {
  geometry.dispose();
  geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
}

function edgesOf({ box: { min, max } }: { box: Box3 }): number[] {
  return EDGES.flatMap((corner) => [
    corner & 1 ? max.x : min.x,
    corner & 2 ? max.y : min.y,
    corner & 4 ? max.z : min.z,
  ]);
}
