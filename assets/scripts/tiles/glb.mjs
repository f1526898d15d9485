// Writes boxes as binary glTF: one cube for all, a mesh for each material, a node for each box. Metres, y up, z south.
import { Color } from 'three';
import { MATERIALS } from './city.mjs';

export function toGlb(blocks) {
  const { positions, normals, indices } = cube();
  const used = [...new Set(blocks.map(({ material }) => material))].sort();
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: blocks.map((_, i) => i) }],
    nodes: blocks.map(({ x, y, z, width, height, material }) => ({
      mesh: used.indexOf(material),
      translation: [x, y, z].map(short),
      scale: [width, height, width].map(short),
    })),
    meshes: used.map((_, material) => ({
      primitives: [{ attributes: { POSITION: 0, NORMAL: 1 }, indices: 2, material }],
    })),
    materials: used.map((number) => ({
      pbrMetallicRoughness: {
        baseColorFactor: [...new Color(MATERIALS[number]).toArray().map((part) => Number(part.toFixed(4))), 1],
        metallicFactor: 0,
        roughnessFactor: 0.9,
      },
    })),
    accessors: [
      { bufferView: 0, componentType: 5126, count: 24, type: 'VEC3', min: [-0.5, 0, -0.5], max: [0.5, 1, 0.5] },
      { bufferView: 1, componentType: 5126, count: 24, type: 'VEC3' },
      { bufferView: 2, componentType: 5123, count: 36, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 288 },
      { buffer: 0, byteOffset: 288, byteLength: 288 },
      { buffer: 0, byteOffset: 576, byteLength: 72 },
    ],
    buffers: [{ byteLength: 648 }],
  };
  const binary = Buffer.concat([positions, normals, indices].map(({ buffer }) => Buffer.from(buffer)));
  return container(json, binary);
}

/** A cube of edge 1 that stands on y = 0, with a normal for each face. */
function cube() {
  const [positions, normals, indices] = [new Float32Array(72), new Float32Array(72), new Uint16Array(36)];
  for (let face = 0; face < 6; face++) {
    const axis = face >> 1;
    const sign = face & 1 ? 1 : -1;
    for (let corner = 0; corner < 4; corner++) {
      const at = 3 * (4 * face + corner);
      const [u, v] = [corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5];
      positions[at + axis] = sign / 2;
      positions[at + ((axis + 1) % 3)] = sign * u;
      positions[at + ((axis + 2) % 3)] = v;
      positions[at + 1] += 0.5;
      normals[at + axis] = sign;
    }
    indices.set(
      [0, 1, 2, 2, 1, 3].map((corner) => 4 * face + corner),
      6 * face,
    );
  }
  return { positions, normals, indices };
}

/** The file around its two parts; the binary one has a multiple of 4 bytes. */
export function container(json, binary) {
  const text = JSON.stringify(json);
  const chunks = [
    chunk(0x4e4f534a, Buffer.from(text.padEnd(4 * Math.ceil(text.length / 4)))),
    chunk(0x004e4942, binary),
  ];
  const length = 12 + chunks.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([words(0x46546c67, 2, length), ...chunks]);
}

function chunk(type, content) {
  return Buffer.concat([words(content.length, type), content]);
}

function words(...numbers) {
  return Buffer.from(Uint32Array.from(numbers).buffer);
}

function short(number) {
  return Number(number.toFixed(2));
}
