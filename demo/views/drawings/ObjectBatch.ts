import {
  BatchedMesh,
  Box3,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  type Material,
  Matrix4,
  type Mesh,
  MeshLambertMaterial,
  type Object3D,
  Vector3,
} from 'three';
import type { FrameResult } from '../../measure/FrameResult.js';
import type { Palette } from '../stage/palette.js';
import { type Drawing, isDrawable } from './Drawing.js';

const CULLED = 0;
const INTERSECTING = 1;
const INSIDE = 2;
const HIDDEN = 3;
const PICKED = 4;
const HOVERED = 5;

interface Slot {
  instance: number;
  /** Brightness of the object's own colour: walls, roofs and windows stay apart in one class. */
  shade: number;
  painted: number;
  state: number;
}

const box = new Box3();
const size = new Vector3();
const centre = new Vector3();
const matrix = new Matrix4();
const colour = new Color();

/** All objects of a tree in one draw call, each in the colour of its class: for the view from above. */
export class ObjectBatch implements Drawing {
  readonly object = new Group();
  readonly #slots = new Map<Object3D, Slot>();
  readonly #material = new MeshLambertMaterial();
  readonly #unit = new BoxGeometry();
  #batch!: BatchedMesh;
  #colours: Color[] = [];

  /** Draws all that `accepts` returns true for. */
  constructor(root: Object3D, accepts: (object: Object3D) => boolean = () => true) {
    const objects: Object3D[] = [];
    root.traverse((object) => {
      if (isDrawable(object) && accepts(object)) objects.push(object);
    });
    this.#build(objects);
  }

  /** Adds an object, as a visitor does now and then: the batch is built anew. */
  add(object: Object3D): void {
    this.#batch.removeFromParent();
    this.#batch.dispose();
    this.#build([...this.#slots.keys(), object]);
  }

  remove(object: Object3D): void {
    const slot = this.#slots.get(object);
    if (!slot) return;
    this.#batch.deleteInstance(slot.instance);
    this.#slots.delete(object);
  }

  /** Reads the world matrix again. */
  move(object: Object3D): void {
    const slot = this.#slots.get(object);
    if (!slot) return;
    object.updateWorldMatrix(true, false);
    this.#batch.setMatrixAt(slot.instance, ownGeometry(object) ? object.matrixWorld : boxMatrix(object));
  }

  show({ inside, intersecting, hidden, hovered, picked }: FrameResult): void {
    const slots = this.#slots;
    for (const slot of slots.values()) slot.state = CULLED;
    mark(slots, inside, INSIDE);
    mark(slots, intersecting, INTERSECTING);
    mark(slots, hidden, HIDDEN);
    if (picked) mark(slots, [picked], PICKED);
    if (hovered && hovered !== picked) mark(slots, [hovered], HOVERED);
    for (const slot of slots.values()) {
      if (slot.painted === slot.state) continue;
      slot.painted = slot.state;
      colour.copy(this.#colours[slot.state]!);
      this.#batch.setColorAt(slot.instance, slot.state < PICKED ? colour.multiplyScalar(slot.shade) : colour);
    }
  }

  paint(palette: Palette): void {
    this.#colours = [
      palette.culled,
      palette.intersecting,
      palette.inside,
      palette.hidden,
      palette.picked,
      palette.hovered,
    ];
    for (const slot of this.#slots.values()) slot.painted = -1;
  }

  dispose(): void {
    this.#batch.dispose();
    this.#material.dispose();
  }

  #build(objects: readonly Object3D[]): void {
    const shapes = objects.map((object) => ownGeometry(object) ?? this.#unit);
    const plains = new Map([...new Set(shapes)].map((shape) => [shape, positionsAndNormals(shape)]));
    let [vertices, indices] = [0, 0];
    for (const plain of plains.values()) {
      vertices += plain.getAttribute('position').count;
      indices += plain.index!.count;
    }
    const batch = new BatchedMesh(objects.length, vertices, indices, this.#material);
    this.#batch = batch;
    batch.frustumCulled = false;
    batch.perObjectFrustumCulled = false;
    batch.sortObjects = false;
    this.object.add(batch);
    const ids = new Map([...plains].map(([shape, plain]) => [shape, batch.addGeometry(plain)]));
    objects.forEach((object, i) => {
      const instance = batch.addInstance(ids.get(shapes[i]!)!);
      this.#slots.set(object, { instance, shade: shadeOf(object), painted: -1, state: CULLED });
      this.move(object);
    });
  }
}

/** Null for anything but a plain mesh (lines, points, sprites, instances, skins): a box is drawn in its place. */
function ownGeometry(object: Object3D): BufferGeometry | null {
  const mesh = object as Mesh & { isSkinnedMesh?: boolean; isInstancedMesh?: boolean; isBatchedMesh?: boolean };
  if (!mesh.isMesh || mesh.isSkinnedMesh || mesh.isInstancedMesh || mesh.isBatchedMesh) return null;
  return mesh.geometry.getAttribute('position') ? mesh.geometry : null;
}

function mark(slots: Map<Object3D, Slot>, objects: Object3D[], state: number): void {
  for (const object of objects) {
    const slot = slots.get(object);
    if (slot) slot.state = state;
  }
}

function boxMatrix(object: Object3D): Matrix4 {
  box.setFromObject(object);
  if (box.isEmpty()) return matrix.makeScale(0, 0, 0);
  box.getSize(size);
  box.getCenter(centre);
  return matrix.makeScale(size.x || 1e-3, size.y || 1e-3, size.z || 1e-3).setPosition(centre);
}

/** A batch needs the same attributes in all geometries: 32-bit positions and normals, and an index. */
function positionsAndNormals(geometry: BufferGeometry): BufferGeometry {
  const plain = new BufferGeometry();
  const position = geometry.getAttribute('position');
  plain.setAttribute('position', copyOf(position));
  const index = geometry.index;
  const order = new Uint32Array(index ? index.count : position.count);
  for (let i = 0; i < order.length; i++) order[i] = index ? index.getX(i) : i;
  plain.setIndex(new BufferAttribute(order, 1));
  const normal = geometry.getAttribute('normal');
  if (normal) plain.setAttribute('normal', copyOf(normal));
  else plain.computeVertexNormals();
  return plain;
}

function copyOf(source: ReturnType<BufferGeometry['getAttribute']>): BufferAttribute {
  const array = new Float32Array(3 * source.count);
  for (let i = 0; i < source.count; i++) {
    array[3 * i] = source.getX(i);
    array[3 * i + 1] = source.getY(i);
    array[3 * i + 2] = source.getZ(i);
  }
  return new BufferAttribute(array, 3);
}

function shadeOf(object: Object3D): number {
  const { material } = object as Mesh;
  const first: Material & { color?: Color } = Array.isArray(material) ? material[0]! : material;
  if (!first?.color) return 0.8;
  const { r, g, b } = first.color;
  return 0.3 + 0.8 * (0.3 * r + 0.6 * g + 0.1 * b);
}
