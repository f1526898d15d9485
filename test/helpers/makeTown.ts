import { BoxGeometry, type BufferAttribute, type BufferGeometry, ConeGeometry, CylinderGeometry, Vector3 } from 'three';
import { random } from './random.js';

/**
 * How tools write vertices: attributes one after the other, or in turns, or as short numbers, that stand for fractions
 * (glTF-Transform) or, where positions are, for themselves (gltfpack).
 */
export type Layout = 'separate' | 'interleaved' | 'quantised' | 'whole';
export const LAYOUTS: readonly Layout[] = ['separate', 'interleaved', 'quantised', 'whole'];

interface Accessor {
  bufferView: number;
  byteOffset?: number;
  componentType: number;
  normalized?: boolean;
  count: number;
  type: string;
  min?: number[];
  max?: number[];
}

interface Node {
  mesh?: number;
  translation?: number[];
  scale?: number[];
  children?: number[];
}

const COLOURS = [
  [0.8, 0.7, 0.5, 1],
  [0.6, 0.2, 0.1, 1],
  [0.1, 0.4, 0.1, 1],
];

/** How the attributes of a layout are written: their type in glTF, bytes of a number, and the number that stands for 1. */
const FLOAT = { componentType: 5126, size: 4, one: 1, write: 'setFloat32' } as const;
const SHORT = { componentType: 5122, size: 2, one: 32767, write: 'setInt16' } as const;
const WHOLE = { ...SHORT, isWhole: true } as const;
const BYTE = { componentType: 5120, size: 1, one: 127, write: 'setInt8' } as const;
const WORD = { componentType: 5123, size: 2, one: 65535, write: 'setUint16' } as const;
const KINDS = {
  separate: [FLOAT, FLOAT, FLOAT],
  interleaved: [FLOAT, FLOAT, FLOAT],
  quantised: [SHORT, BYTE, WORD],
  whole: [WHOLE, BYTE, WORD],
} as const;
const NAMES = ['position', 'normal', 'uv'] as const;
const SEMANTICS = ['POSITION', 'NORMAL', 'TEXCOORD_0'];

/** A small town as glTF: houses with a roof and a door below their walls, and trees; 40 of each. The same for a layout. */
export function makeTown(layout: Layout): string {
  const file = new GltfFile(layout);
  const [wall, roof, door, trunk, crown] = [
    file.addMesh(new BoxGeometry(2, 1.6, 2), 0),
    file.addMesh(new ConeGeometry(1.6, 1, 4), 1),
    file.addMesh(new BoxGeometry(0.5, 0.9, 0.1), 1),
    file.addMesh(new CylinderGeometry(0.1, 0.15, 1, 6), 0),
    file.addMesh(new ConeGeometry(0.6, 1.4, 7), 2),
  ];
  const next = random(5);
  const tops: number[] = [];
  for (let i = 0; i < 40; i++) {
    const at = [(i % 8) * 4 - 14 + next(), 0, Math.floor(i / 8) * 4 - 8 + next()];
    const parts = [file.addNode(roof, [0, 1.3, 0]), file.addNode(door, [0, -0.35, 1.02])];
    tops.push(file.addNode(wall, at, parts));
    tops.push(file.addNode(trunk, [at[0] + 1.8, -0.3, at[2] + 1], [file.addNode(crown, [0, 1, 0])]));
  }
  return file.finish(tops);
}

class GltfFile {
  readonly #layout: Layout;
  readonly #views: object[] = [];
  readonly #accessors: Accessor[] = [];
  readonly #meshes: object[] = [];
  /** From numbers of the file to those of the mesh. */
  readonly #scales: number[] = [];
  readonly #nodes: Node[] = [];
  readonly #parts: DataView[] = [];
  #length = 0;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  addMesh(geometry: BufferGeometry, material: number): number {
    const [{ one }] = KINDS[this.#layout];
    const scale = one > 1 ? largest(geometry) : 1;
    this.#scales.push(this.#layout === 'whole' ? scale / one : scale);
    const indices = this.#addIndex(geometry.index as BufferAttribute);
    const attributes = this.#addVertices(geometry, scale);
    return this.#meshes.push({ primitives: [{ attributes, indices, material }] }) - 1;
  }

  /** Adds a node with a mesh at a place. Where the mesh has a scale, it lies in a node of its own, as tools have it. */
  addNode(mesh: number, translation: number[], children: number[] = []): number {
    const scale = this.#scales[mesh];
    if (scale === 1) return this.#push({ mesh, translation, children });
    return this.#push({ translation, children: [this.#push({ mesh, scale: [scale, scale, scale] }), ...children] });
  }

  finish(nodes: number[]): string {
    const bytes = new Uint8Array(this.#length);
    for (const [i, { buffer }] of this.#parts.entries()) {
      bytes.set(new Uint8Array(buffer), (this.#views[i] as { byteOffset: number }).byteOffset);
    }
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    const uri = `data:application/octet-stream;base64,${btoa(text)}`;
    return JSON.stringify({
      asset: { version: '2.0' },
      extensionsUsed: ['KHR_mesh_quantization'],
      scene: 0,
      scenes: [{ nodes }],
      nodes: this.#nodes.map((node) => (node.children?.length === 0 ? { ...node, children: undefined } : node)),
      meshes: this.#meshes,
      materials: COLOURS.map((baseColorFactor) => ({ pbrMetallicRoughness: { baseColorFactor, metallicFactor: 0 } })),
      accessors: this.#accessors,
      bufferViews: this.#views,
      buffers: [{ uri, byteLength: this.#length }],
    });
  }

  #push(node: Node): number {
    return this.#nodes.push(node) - 1;
  }

  #addAccessor(accessor: Accessor): number {
    return this.#accessors.push(accessor) - 1;
  }

  #addView(part: DataView, byteStride?: number): number {
    this.#views.push({ buffer: 0, byteOffset: this.#length, byteLength: part.byteLength, byteStride });
    this.#parts.push(part);
    this.#length = padded(this.#length + part.byteLength);
    return this.#views.length - 1;
  }

  #addIndex({ array, count }: BufferAttribute): number {
    const view = new DataView(new ArrayBuffer(2 * count));
    for (let i = 0; i < count; i++) view.setUint16(2 * i, array[i], true);
    return this.#addAccessor({ bufferView: this.#addView(view), componentType: 5123, count, type: 'SCALAR' });
  }

  #addVertices({ attributes }: BufferGeometry, scale: number): Record<string, number> {
    const kinds = KINDS[this.#layout];
    const sizes = NAMES.map((name, i) => padded(kinds[i].size * attributes[name].itemSize));
    const { count } = attributes.position;
    const isTogether = this.#layout === 'interleaved';
    const stride = isTogether ? sizes.reduce((a, b) => a + b) : 0;
    const views = sizes.map((size) => new DataView(new ArrayBuffer((isTogether ? stride : size) * count)));
    // They are filled below.
    const bufferViews = isTogether
      ? Array<number>(NAMES.length).fill(this.#addView(views[0], stride))
      : views.map((view, i) => this.#addView(view, sizes[i]));
    const made: Record<string, number> = {};
    let offset = 0;
    for (const [at, name] of NAMES.entries()) {
      const { componentType, size, one, write } = kinds[at];
      const { itemSize } = attributes[name];
      const step = isTogether ? stride : sizes[at];
      const limits = { min: Array(itemSize).fill(Infinity), max: Array(itemSize).fill(-Infinity) };
      for (let i = 0; i < itemSize * count; i++) {
        const axis = i % itemSize;
        const exact = (attributes[name].array as Float32Array)[i] / (name === 'position' ? scale : 1);
        const value = one === 1 ? exact : Math.round(exact * one);
        views[isTogether ? 0 : at][write](Math.floor(i / itemSize) * step + offset + axis * size, value, true);
        limits.min[axis] = Math.min(limits.min[axis], value);
        limits.max[axis] = Math.max(limits.max[axis], value);
      }
      const accessor = {
        bufferView: bufferViews[at],
        byteOffset: offset,
        componentType,
        normalized: one > 1 && !('isWhole' in kinds[at]),
        count,
        ...limits,
      };
      made[SEMANTICS[at]] = this.#addAccessor({ ...accessor, type: `VEC${itemSize}` });
      if (isTogether) offset += sizes[at];
    }
    return made;
  }
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}

function largest(geometry: BufferGeometry): number {
  geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox as NonNullable<BufferGeometry['boundingBox']>;
  return Math.max(...new Vector3().copy(min).negate().max(max).toArray());
}
