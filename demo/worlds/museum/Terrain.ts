import { BufferGeometry, Color, Float32BufferAttribute, Mesh, MeshLambertMaterial, Uint32BufferAttribute } from 'three';
import { coverAt, HALF, heightAt, noise } from './land.js';
import { offPath } from './plan.js';

/** Quads along an edge: 320,000 triangles in all. */
const QUADS = 400;
const STEP = (2 * HALF) / QUADS;
/** Metres from the middle of the path to its border, and on to the grass. */
const PATH = 1.1;
const BORDER = 2.2;
/** The path is looked for only so far from the museum. */
const NEAR = 72;

const LAWN = new Color('#8ba258');
const MEADOW = new Color('#a7a866');
const WOODS = new Color('#4d5a34');
const ROCK = new Color('#8b867a');
const GRAVEL = new Color('#cbbd9c');

/** The land under everything, as one mesh. */
export function terrain(): Mesh<BufferGeometry, MeshLambertMaterial> {
  const side = QUADS + 1;
  const heights = new Float32Array(side * side);
  const places = new Float32Array(3 * heights.length);
  for (let i = 0; i < heights.length; i++) {
    const [x, z] = [STEP * (i % side) - HALF, STEP * Math.floor(i / side) - HALF];
    heights[i] = heightAt(x, z);
    places.set([x, heights[i]!, z], 3 * i);
  }
  const corners = new Uint32Array(6 * QUADS * QUADS);
  for (let row = 0, o = 0; row < QUADS; row++) {
    for (let column = 0; column < QUADS; column++, o += 6) {
      const a = side * row + column;
      corners.set([a, a + side, a + 1, a + 1, a + side, a + side + 1], o);
    }
  }
  const geometry = new BufferGeometry().setIndex(new Uint32BufferAttribute(corners, 1));
  geometry.setAttribute('position', new Float32BufferAttribute(places, 3));
  geometry.computeVertexNormals();
  geometry.setAttribute('color', coloursOf(geometry));
  const land = new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true }));
  land.name = 'Land';
  return land;
}

function coloursOf(geometry: BufferGeometry): Float32BufferAttribute {
  const { position, normal } = geometry.attributes;
  const colours = new Float32Array(3 * position!.count);
  const colour = new Color();
  for (let i = 0; i < position!.count; i++) {
    const [x, z] = [position!.getX(i), position!.getZ(i)];
    const far = Math.hypot(x, z);
    const dry = 0.5 + 0.3 * noise(x / 31, z / 31) + 0.2 * noise(x / 6, z / 6);
    colour.lerpColors(LAWN, MEADOW, Math.min(1, dry * (far > 60 ? 1.25 : 0.6)));
    colour.lerp(WOODS, 0.85 * coverAt(x, z) * (0.8 + 0.2 * noise(x / 3, z / 3)));
    colour.lerp(ROCK, Math.min(1, Math.max(0, 9 * (0.86 - normal!.getY(i)))));
    if (far < NEAR) {
      const grass = Math.min(1, Math.max(0, (offPath(x, z) - PATH) / BORDER));
      colour.lerp(GRAVEL, 1 - grass);
    }
    colour.multiplyScalar(1 + 0.05 * noise(x / 1.7, z / 1.7)).toArray(colours, 3 * i);
  }
  return new Float32BufferAttribute(colours, 3);
}
