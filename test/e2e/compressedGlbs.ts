import { packGlb } from './makeGlb.js';

/** The triangle (-1 0 1), (1 0 1), (0 0 -1), as encoders of the formats wrote it. */
const DRACO =
  'RFJBQ08CAgEBAAAAAwEAAQAAAQf/AREB/wAAAQAJAwAAAgEBAQAPA1UVL60qAwRwge3/AQAB4P8HAAIAAAAAAP8/AAAAAIC/AAAAAAAAgL8AAABADg==';
const MESHOPT = 'ofqq6gAA/wD/fQAA/wAAAAAAAAAAAAAAgL8AAAAAAACAPwAAAA==';

const bounds = { min: [-1, 0, -1], max: [1, 0, 1] };
const scene = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }] };

export function dracoGlb(): Buffer {
  const data = Buffer.from(DRACO, 'base64');
  const name = 'KHR_draco_mesh_compression';
  const extensions = { [name]: { bufferView: 0, attributes: { POSITION: 0 } } };
  const json = {
    ...scene,
    extensionsUsed: [name],
    extensionsRequired: [name],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, extensions }] }],
    accessors: [
      { componentType: 5126, count: 3, type: 'VEC3', ...bounds },
      { componentType: 5125, count: 3, type: 'SCALAR' },
    ],
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
    ...scene,
    extensionsUsed: [name],
    extensionsRequired: [name],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', ...bounds }],
    bufferViews: [{ buffer: 1, byteLength: 36, byteStride: 12, extensions: { [name]: source } }],
    buffers: [{ byteLength: data.length }, { byteLength: 36, extensions: { [name]: { fallback: true } } }],
  };
  return packGlb(json, data);
}
