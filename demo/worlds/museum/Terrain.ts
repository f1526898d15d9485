import {
  type BufferGeometry,
  Color,
  Float32BufferAttribute,
  MathUtils,
  Mesh,
  MeshLambertMaterial,
  PlaneGeometry,
} from 'three';
import { coverAt, HALF, heightAt, noise } from './land.js';
import { offPath } from './plan.js';

/** Quads along an edge: 320,000 triangles in all. */
const QUADS = 400;
/** Metres from the middle of the path to its border, and to where the grass is as elsewhere. */
const PATH = 1.1;
const GRASS = 3.3;
/** The path is looked for only so far from the museum. */
const NEAR = 72;

const LAWN = new Color('#8ba258');
const MEADOW = new Color('#a7a866');
const WOODS = new Color('#4d5a34');
const ROCK = new Color('#8b867a');
const GRAVEL = new Color('#cbbd9c');

const { clamp, smoothstep } = MathUtils;

/** The land under everything, as one mesh. */
export function terrain(): Mesh<BufferGeometry, MeshLambertMaterial> {
  const geometry = new PlaneGeometry(2 * HALF, 2 * HALF, QUADS, QUADS).rotateX(-Math.PI / 2).deleteAttribute('uv');
  const position = geometry.getAttribute('position');
  for (let i = 0; i < position.count; i++) position.setY(i, heightAt(position.getX(i), position.getZ(i)));
  geometry.computeVertexNormals();
  geometry.setAttribute('color', coloursOf(geometry));
  const land = new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true }));
  land.name = 'Land';
  return land;
}

function coloursOf(geometry: BufferGeometry): Float32BufferAttribute {
  const { position, normal } = geometry.attributes;
  const colours = new Float32BufferAttribute(new Float32Array(3 * position!.count), 3);
  const colour = new Color();
  for (let i = 0; i < position!.count; i++) {
    const [x, z] = [position!.getX(i), position!.getZ(i)];
    const dry = 0.5 + 0.3 * noise(x / 31, z / 31) + 0.2 * noise(x / 6, z / 6);
    colour.lerpColors(LAWN, MEADOW, clamp(dry, 0, 1));
    colour.lerp(WOODS, 0.85 * coverAt(x, z));
    colour.lerp(ROCK, clamp(9 * (0.86 - normal!.getY(i)), 0, 1));
    if (Math.hypot(x, z) < NEAR) colour.lerp(GRAVEL, 1 - smoothstep(offPath(x, z), PATH, GRASS));
    colour.multiplyScalar(1 + 0.05 * noise(x / 1.7, z / 1.7));
    colours.setXYZ(i, colour.r, colour.g, colour.b);
  }
  return colours;
}
