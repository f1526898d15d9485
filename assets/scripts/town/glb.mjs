// Writes a scene as binary glTF from Node. The exporter wants a browser's FileReader; this is the part of it it uses.

import { GLTFExporter } from 'three/addons/exporters/GLTFExporter.js';

class BlobReader {
  readAsArrayBuffer(blob) {
    blob.arrayBuffer().then((buffer) => {
      this.result = buffer;
      this.onloadend();
    });
  }
}

export async function toGlb(scene) {
  globalThis.FileReader ??= BlobReader;
  scene.traverse(trim);
  return new Uint8Array(await new GLTFExporter().parseAsync(scene, { binary: true, trs: true }));
}

// Millimetres are enough, and short numbers make a short file.
function trim({ position, quaternion, scale }) {
  const round = (v, digits) => v.set(...v.toArray().map((n) => Number(n.toFixed(digits)) + 0));
  round(position, 3);
  round(quaternion, 6);
  round(scale, 3);
}
