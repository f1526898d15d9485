// Writes scans as binary glTF with 16 bytes a vertex, as KHR_mesh_quantization allows. All share one index.

import { container } from '../tiles/glb.mjs';
import { INDEX } from './surface.mjs';

const [BYTE, SHORT, UNSIGNED_SHORT] = [5120, 5122, 5123];
const [ARRAY, ELEMENTS] = [34962, 34963];

/** @param scans With a name, positions, normals, texture coordinates and a picture. */
export function scansToGlb(scans) {
  const pieces = [];
  const bufferViews = [];
  let length = 0;
  const view = (bytes, more = {}) => {
    bufferViews.push({ buffer: 0, byteOffset: length, byteLength: bytes.length, ...more });
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4);
    pieces.push(bytes, padding);
    length += bytes.length + padding.length;
    return bufferViews.length - 1;
  };
  const accessors = [];
  const accessor = (numbers, size, stride, target, more) => {
    const count = numbers.length / size;
    const wide = numbers.BYTES_PER_ELEMENT;
    const bytes = Buffer.alloc(count * stride);
    const flat = Buffer.from(numbers.buffer);
    for (let i = 0; i < count; i++) flat.copy(bytes, i * stride, i * size * wide, (i + 1) * size * wide);
    const ownStride = target === ARRAY ? { byteStride: stride } : {};
    const type = size === 1 ? 'SCALAR' : `VEC${size}`;
    accessors.push({ bufferView: view(bytes, { target, ...ownStride }), count, type, ...more });
    return accessors.length - 1;
  };

  const indices = accessor(INDEX, 1, 2, ELEMENTS, { componentType: UNSIGNED_SHORT });
  const [nodes, meshes, materials, images] = [[], [], [], []];
  scans.forEach(({ name, positions, normals, uvs, picture }, i) => {
    const { grid, middle, reach, bounds } = quantized(positions);
    const attributes = {
      POSITION: accessor(grid, 3, 8, ARRAY, { componentType: SHORT, normalized: true, ...bounds }),
      NORMAL: accessor(
        Int8Array.from(normals, (n) => Math.round(127 * n)),
        3,
        4,
        ARRAY,
        {
          componentType: BYTE,
          normalized: true,
        },
      ),
      TEXCOORD_0: accessor(
        Uint16Array.from(uvs, (t) => Math.round(65535 * t)),
        2,
        4,
        ARRAY,
        {
          componentType: UNSIGNED_SHORT,
          normalized: true,
        },
      ),
    };
    nodes.push({ name, mesh: i, translation: middle, scale: [reach, reach, reach] });
    meshes.push({ name, primitives: [{ attributes, indices, material: i }] });
    materials.push({
      name,
      pbrMetallicRoughness: { baseColorTexture: { index: i }, metallicFactor: 0, roughnessFactor: 0.6 },
    });
    images.push({ name, mimeType: 'image/png', bufferView: view(picture) });
  });
  const json = {
    asset: { version: '2.0' },
    extensionsUsed: ['KHR_mesh_quantization'],
    extensionsRequired: ['KHR_mesh_quantization'],
    scene: 0,
    scenes: [{ nodes: nodes.map((_, i) => i) }],
    nodes,
    meshes,
    materials,
    textures: images.map((_, source) => ({ source, sampler: 0 })),
    // The last column of a texture meets the first.
    samplers: [{ magFilter: 9729, minFilter: 9987, wrapS: 10497, wrapT: 33071 }],
    images,
    accessors,
    bufferViews,
    buffers: [{ byteLength: length }],
  };
  return container(json, Buffer.concat(pieces));
}

/** Positions as shorts, and the node that puts them back: the same scale along all axes, so that normals stay normals. */
function quantized(positions) {
  const low = [0, 1, 2].map((axis) => extreme(positions, axis, Math.min));
  const high = [0, 1, 2].map((axis) => extreme(positions, axis, Math.max));
  const middle = low.map((value, axis) => Number(((value + high[axis]) / 2).toFixed(4)));
  const most = Math.max(...low.map((value, axis) => Math.max(middle[axis] - value, high[axis] - middle[axis])));
  const reach = Math.ceil(1e4 * most) / 1e4;
  const grid = Int16Array.from(positions, (value, i) => Math.round((32767 * (value - middle[i % 3])) / reach));
  const ofGrid = (pick) => [0, 1, 2].map((axis) => extreme(grid, axis, pick));
  return { grid, middle, reach, bounds: { min: ofGrid(Math.min), max: ofGrid(Math.max) } };
}

function extreme(values, axis, pick) {
  let found = values[axis];
  for (let i = axis; i < values.length; i += 3) found = pick(found, values[i]);
  return found;
}
