import * as THREE from 'three';
import { GLTFExporter } from 'three/addons/exporters/GLTFExporter.js';
import { random } from './random.js';

/** Sixteen by sixteen colours, of which one may be another. */
export function palette(other = false): ImageData {
  const next = random(7);
  const image = new ImageData(16, 16);
  for (let i = 0; i < image.data.length; i++) image.data[i] = i % 4 === 3 ? 255 : Math.floor(256 * next());
  if (other) image.data[4 * 100] ^= 1;
  return image;
}

/** A file as exporters write kits: a piece, and a palette of its own. */
export async function writeKitFile(piece: number): Promise<ArrayBuffer> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 16;
  canvas.getContext('2d')?.putImageData(palette(), 0, 0);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const geometry = new THREE.CylinderGeometry(0.2 + piece / 40, 0.6, 1 + piece / 10, 3 + piece);
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ map, roughness: 1 }));
  mesh.name = `piece ${piece}`;
  return (await new GLTFExporter().parseAsync(mesh, { binary: true })) as ArrayBuffer;
}
