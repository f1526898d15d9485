/** A .glb of one triangle, in a node of this name. */
export function makeGlb(name: string): Uint8Array {
  const positions = new Float32Array([-1, 0, 1, 1, 0, 1, 0, 0, -1]);
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ name, mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [-1, 0, -1], max: [1, 0, 1] }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ byteLength: 36 }],
  };
  return packGlb(json, Buffer.from(positions.buffer));
}

/** A .glb of JSON and a binary chunk. */
export function packGlb(json: object, data: Uint8Array = new Uint8Array(0)): Buffer {
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const chunk = (type: number, data: Uint8Array) => Buffer.concat([words(data.length, type), data]);
  const binary = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
  const body = Buffer.concat([chunk(0x4e4f534a, padded), chunk(0x004e4942, binary)]);
  return Buffer.concat([words(0x46546c67, 2, 12 + body.length), body]);
}

function words(...values: number[]): Buffer {
  return Buffer.from(new Uint32Array(values).buffer);
}
