/** The triangle of all of these. */
const CORNERS = new Float32Array([-1, 0, 1, 1, 0, 1, 0, 0, -1]);
/** It, as encoders of the formats wrote it. */
const DRACO =
  'RFJBQ08CAgEBAAAAAwEAAQAAAQf/AREB/wAAAQAJAwAAAgEBAQAPA1UVL60qAwRwge3/AQAB4P8HAAIAAAAAAP8/AAAAAIC/AAAAAAAAgL8AAAAADg==';
const MESHOPT = 'ofqq6gAA/wD/fQAA/wAAAAAAAAAAAAAAgL8AAAAAAACAPwAAAA==';

const positions = { componentType: 5126, count: 3, type: 'VEC3', min: [-1, 0, -1], max: [1, 0, 1] };

/** What a file of a triangle says, in a node of this name, with its positions at some place. */
export const triangle = (buffer: object, name = 'a') => ({
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [{ name, mesh: 0 }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  accessors: [{ bufferView: 0, ...positions }],
  bufferViews: [{ buffer: 0, byteLength: 36 }],
  buffers: [{ byteLength: 36, ...buffer }],
});

/** The bytes of its corners. */
export const corners: Buffer = Buffer.from(CORNERS.buffer);

/** A .glb of one triangle, in a node of this name. */
export const makeGlb = (name: string): Buffer => packGlb(triangle({}, name), corners);

export function dracoGlb(): Buffer {
  const data = Buffer.from(DRACO, 'base64');
  const name = 'KHR_draco_mesh_compression';
  const extensions = { [name]: { bufferView: 0, attributes: { POSITION: 0 } } };
  const json = {
    ...triangle({}),
    extensionsUsed: [name],
    extensionsRequired: [name],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, extensions }] }],
    accessors: [positions, { componentType: 5125, count: 3, type: 'SCALAR' }],
    bufferViews: [{ buffer: 0, byteLength: data.length }],
    buffers: [{ byteLength: data.length }],
  };
  return packGlb(json, data);
}

export function meshoptGlb(): Buffer {
  const data = Buffer.from(MESHOPT, 'base64');
  const name = 'EXT_meshopt_compression';
  const source = { buffer: 0, byteLength: data.length, byteStride: 12, count: 3, mode: 'ATTRIBUTES' };
  const json = {
    ...triangle({}),
    extensionsUsed: [name],
    extensionsRequired: [name],
    bufferViews: [{ buffer: 1, byteLength: 36, byteStride: 12, extensions: { [name]: source } }],
    buffers: [{ byteLength: data.length }, { byteLength: 36, extensions: { [name]: { fallback: true } } }],
  };
  return packGlb(json, data);
}

/** A picture of one texel. */
export const PNG: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);

/** The JSON of a piece of a kit: a triangle, and the picture that all pieces name. */
export const kitPiece = (buffer: object, uri: string) => ({
  ...triangle(buffer),
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
  materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
  textures: [{ source: 0 }],
  images: [{ uri }],
});

/** A .glb of JSON and a binary chunk. */
export function packGlb(json: object, data: Uint8Array = new Uint8Array(0)): Buffer {
  const words = (...values: number[]) => Buffer.from(new Uint32Array(values).buffer);
  const padded = (bytes: Uint8Array, by: string) =>
    Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, by)]);
  const chunk = (type: number, bytes: Uint8Array) => Buffer.concat([words(bytes.length, type), bytes]);
  const text = padded(Buffer.from(JSON.stringify(json)), ' ');
  const body = Buffer.concat([chunk(0x4e4f534a, text), chunk(0x004e4942, padded(data, '\0'))]);
  return Buffer.concat([words(0x46546c67, 2, 12 + body.length), body]);
}
