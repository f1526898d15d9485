import { BufferGeometry, Color, Float32BufferAttribute, MathUtils } from 'three';

const TURN = 2 * Math.PI;
const { lerp, smoothstep } = MathUtils;

/** A point of a tree a metre high: how far from its axis, its height, and how light it is, 0 to 1. */
type Point = readonly [radius: number, height: number, light: number];
/** Gives the point at an angle, and so far along the outline from the foot to the top, 0 to 1. */
type Outline = (angle: number, along: number) => Point;

/** A kind of tree: its geometry, of one surface from the foot of the trunk to the top, and the heights that it reaches. */
export interface Kind {
  readonly name: string;
  readonly geometry: BufferGeometry;
  readonly height: readonly [least: number, most: number];
  /** How often it grows, as a share. */
  readonly share: number;
}

export function kinds(): readonly Kind[] {
  return [
    { name: 'Firs', geometry: grow(fir, FIR), height: [7, 11.5], share: 0.28 },
    { name: 'Oaks', geometry: grow(oak, OAK), height: [6, 9.5], share: 0.4 },
    { name: 'Poplars', geometry: grow(poplar, POPLAR), height: [8, 12.5], share: 0.32 },
  ];
}

/** Colours of the trunk, of the shade between leaves, and of leaves in the sun. */
type Colours = readonly [trunk: Color, shade: Color, leaves: Color];
const FIR: Colours = [new Color('#5d4636'), new Color('#24402c'), new Color('#5d8a52')];
const OAK: Colours = [new Color('#5f4d3a'), new Color('#3d5424'), new Color('#94ab4c')];
const POPLAR: Colours = [new Color('#7c7264'), new Color('#566327'), new Color('#bcb356')];

/** Quads around a tree and from its foot to its top: 11,840 triangles. */
const AROUND = 80;
const UP = 74;
/** The share of the outline that is the trunk. */
const TRUNK = 0.06;

function grow(outline: Outline, [trunk, shade, leaves]: Colours): BufferGeometry {
  const places: number[] = [];
  const colours: number[] = [];
  const colour = new Color();
  for (let row = 0; row <= UP; row++) {
    for (let k = 0; k < AROUND; k++) {
      const angle = (TURN * k) / AROUND;
      const [radius, height, light] = outline(angle, row / UP);
      places.push(radius * Math.cos(angle), height, radius * Math.sin(angle));
      colour.lerpColors(shade, leaves, Math.min(1, Math.max(0, light)));
      if (row / UP < TRUNK) colour.copy(trunk);
      colour.toArray(colours, colours.length);
    }
  }
  const corners: number[] = [];
  for (let row = 0; row < UP; row++) {
    for (let k = 0; k < AROUND; k++) {
      const a = AROUND * row + k;
      const b = AROUND * row + ((k + 1) % AROUND);
      corners.push(a, a + AROUND, b, b, a + AROUND, b + AROUND);
    }
  }
  const geometry = new BufferGeometry().setIndex(corners);
  geometry.setAttribute('position', new Float32BufferAttribute(places, 3));
  geometry.setAttribute('color', new Float32BufferAttribute(colours, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Storeys of branches that hang over each other, as waves of a cone. */
function fir(angle: number, along: number): Point {
  if (along < TRUNK) return [0.024, 0.1 * (along / TRUNK), 0];
  const t = (along - TRUNK) / (1 - TRUNK);
  const wave = TURN * 3.5 * t ** 0.9;
  const fold = 0.5 + 0.5 * Math.cos(wave);
  const arms = Math.cos(5 * angle + 0.3 * wave);
  const wide = 0.2 * (1 - t) ** 0.9 * smoothstep(t, 0, 0.04) + 0.02 * (1 - smoothstep(t, 0, 0.08));
  const radius = wide * (0.8 + 0.2 * fold) * (1 + 0.03 * arms);
  // Branches droop.
  const height = 0.1 + 0.9 * t - 0.03 * (1 - t) * fold;
  return [radius, height, 0.1 + 0.5 * t + 0.4 * fold];
}

/** Bumps of leaves on a ball. */
function leafage(angle: number, up: number, seed: number): number {
  const [x, y, z] = [Math.cos(angle), 2 * up, Math.sin(angle)];
  return (
    Math.cos(2.3 * x + 1.9 * y + seed) * Math.cos(2.7 * z - 2.1 * y + 2 * seed) +
    0.5 * Math.cos(4.1 * y + 3.3 * x - 2.9 * z)
  );
}

function oak(angle: number, along: number): Point {
  if (along < TRUNK) return [lerp(0.05, 0.034, along / TRUNK), 0.27 * (along / TRUNK), 0];
  const t = (along - TRUNK) / (1 - TRUNK);
  const tilt = Math.PI * (t - 0.5);
  const bumps = leafage(angle, t, 3.7) * Math.cos(tilt);
  const reach = 0.34 * (1 + 0.12 * bumps);
  const height = 0.63 + 1.02 * reach * Math.sin(tilt) + (t < 0.5 ? 0.06 * (0.5 - t) : 0);
  return [Math.max(0.03 * (1 - t), reach * Math.cos(tilt)), height, 0.2 + 0.55 * t + 0.35 * bumps];
}

function poplar(angle: number, along: number): Point {
  if (along < TRUNK) return [0.022, 0.13 * (along / TRUNK), 0];
  const t = (along - TRUNK) / (1 - TRUNK);
  const tall = Math.sqrt(Math.sin(Math.PI * t ** 0.8));
  const bumps = leafage(angle, 2.2 * t, 8.9);
  const radius = 0.135 * tall * (1 + 0.13 * bumps) + 0.02 * (1 - smoothstep(t, 0, 0.08));
  return [radius, 0.12 + 0.88 * t, 0.25 + 0.5 * t + 0.3 * bumps];
}
