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

export async function toGlb(scene, animations = []) {
  globalThis.FileReader ??= BlobReader;
  const geometries = new Set();
  scene.traverse((object) => {
    trim(object);
    if (object.isMesh) geometries.add(object.geometry);
  });
  for (const geometry of geometries) snap(geometry.getAttribute('position').array);
  return new Uint8Array(await new GLTFExporter().parseAsync(scene, { binary: true, trs: true, animations }));
}

// Corners on a grid of 1/512: invisible, and the bounds that glTF spells out become short numbers.
function snap(array) {
  for (let i = 0; i < array.length; i++) array[i] = Math.round(array[i] * 512) / 512 + 0;
}

// Millimetres are enough for the same reason.
function trim({ position, quaternion, scale }) {
  const round = (v, digits) => v.set(...v.toArray().map((n) => Number(n.toFixed(digits)) + 0));
  round(position, 3);
  round(quaternion, 6);
  round(scale, 3);
}
