import { BufferGeometry, Color, Float32BufferAttribute, MathUtils } from 'three';
import { noise } from './land.js';

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
    { name: 'Firs', geometry: grow(fir, 64, 66, FIR), height: [12, 23], share: 0.48 },
    { name: 'Oaks', geometry: grow(oak, 64, 60, OAK), height: [10, 16], share: 0.34 },
    { name: 'Poplars', geometry: grow(poplar, 56, 60, POPLAR), height: [13, 19], share: 0.18 },
  ];
}

/** Colours of the trunk, of the shade between leaves, and of leaves in the sun. */
type Colours = readonly [trunk: Color, shade: Color, leaves: Color];
const FIR: Colours = [new Color('#5d4636'), new Color('#24402c'), new Color('#5d8a52')];
const OAK: Colours = [new Color('#5f4d3a'), new Color('#3d5424'), new Color('#94ab4c')];
const POPLAR: Colours = [new Color('#7c7264'), new Color('#566327'), new Color('#bcb356')];

/** Rows of the trunk, and the share of the outline from which on there are leaves. */
const TRUNK = 0.08;

function grow(outline: Outline, around: number, up: number, [trunk, shade, leaves]: Colours): BufferGeometry {
  const places: number[] = [];
  const colours: number[] = [];
  const colour = new Color();
  for (let row = 0; row <= up; row++) {
    for (let k = 0; k < around; k++) {
      const angle = (TURN * k) / around;
      const [radius, height, light] = outline(angle, row / up);
      places.push(radius * Math.cos(angle), height, radius * Math.sin(angle));
      colour.lerpColors(shade, leaves, Math.min(1, Math.max(0, light)));
      if (row / up < TRUNK) colour.copy(trunk);
      colour.toArray(colours, colours.length);
    }
  }
  const corners: number[] = [];
  for (let row = 0; row < up; row++) {
    for (let k = 0; k < around; k++) {
      const a = around * row + k;
      const b = around * row + ((k + 1) % around);
      corners.push(a, a + around, b, b, a + around, b + around);
    }
  }
  const geometry = new BufferGeometry().setIndex(corners);
  geometry.setAttribute('position', new Float32BufferAttribute(places, 3));
  geometry.setAttribute('color', new Float32BufferAttribute(colours, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Storeys of branches: the outline goes out below each and comes back above it. */
function fir(angle: number, along: number): Point {
  if (along < TRUNK) return [0.024, 0.14 * (along / TRUNK), 0];
  const storeys = 8;
  const t = (storeys * (along - TRUNK)) / (1 - TRUNK);
  const storey = Math.min(storeys - 1, Math.floor(t));
  const part = t - storey;
  const base = 0.12 + (0.74 * storey) / storeys;
  const wide = 0.2 * (1 - storey / (storeys + 0.6)) ** 0.85;
  const tall = storey === storeys - 1 ? 1 - base : 0.21;
  const branches = 7 + (storey % 3);
  const arms = 0.5 + 0.5 * Math.cos(branches * angle + 2.1 * storey);
  const tip = wide * (0.74 + 0.3 * arms ** 2 + 0.08 * noise(3 * angle, 9 * storey));
  // Below the branches for a fifth of the way, and along their upper side for the rest.
  const isBelow = part < 0.2;
  const out = isBelow ? part / 0.2 : 1 - (part - 0.2) / 0.8;
  const inner = storey === storeys - 1 ? 0 : 0.022;
  const radius = inner + (tip - inner) * out;
  const rise = isBelow ? 0.05 * (1 - out) : tall * (1 - out) ** 1.25;
  return [radius, base + rise - 0.045 * out ** 2, isBelow ? 0 : 0.12 + 0.75 * out * (0.55 + 0.45 * arms) + 0.2 * base];
}

/** Bumps of leaves on a ball: of each size a layer, the larger the higher. */
function leafage(angle: number, up: number, seed: number): number {
  const [x, y, z] = [Math.cos(angle), 2.2 * up, Math.sin(angle)];
  const bumps = (size: number): number =>
    (noise(size * x + seed, size * y) + noise(size * z - seed, size * y + 7) + noise(size * x + 3, size * z + seed)) /
    3;
  return 1.1 * bumps(1.7) + 0.75 * Math.abs(bumps(3.3)) + 0.3 * bumps(7);
}

function oak(angle: number, along: number): Point {
  if (along < TRUNK) return [lerp(0.05, 0.034, along / TRUNK), 0.27 * (along / TRUNK), 0];
  const t = (along - TRUNK) / (1 - TRUNK);
  const tilt = Math.PI * (t - 0.5);
  const bumps = leafage(angle, t, 3.7) * Math.cos(tilt) ** 0.5;
  const reach = 0.34 * (1 + 0.42 * bumps);
  const height = 0.63 + 1.02 * reach * Math.sin(tilt) + (t < 0.5 ? 0.06 * (0.5 - t) : 0);
  return [Math.max(0.03 * (1 - t), reach * Math.cos(tilt)), height, 0.3 + 0.4 * t + 0.85 * bumps];
}

function poplar(angle: number, along: number): Point {
  if (along < TRUNK) return [0.022, 0.13 * (along / TRUNK), 0];
  const t = (along - TRUNK) / (1 - TRUNK);
  const bumps = leafage(angle, 3 * t, 8.9);
  const wide = 0.135 * smoothstep(t, 0, 0.25) * (1 - smoothstep(t, 0.35, 1)) ** 0.6 + 0.012 * (1 - t);
  return [wide * (1 + 0.4 * bumps), 0.12 + 0.88 * t, 0.35 + 0.25 * t + 0.8 * bumps];
}
