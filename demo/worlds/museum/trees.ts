import { type BufferGeometry, Color, Float32BufferAttribute, MathUtils, PlaneGeometry } from 'three';
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';

const TURN = 2 * Math.PI;
const { clamp, lerp, smoothstep } = MathUtils;

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
    { name: 'Firs', geometry: grow(fir, FIR), height: [7, 11.5], share: 0.4 },
    { name: 'Oaks', geometry: grow(oak, OAK), height: [6, 9.5], share: 0.6 },
  ];
}

/** Colours of the trunk, of the shade between leaves, and of leaves in the sun. */
type Colours = readonly [trunk: Color, shade: Color, leaves: Color];
const FIR: Colours = [new Color('#5d4636'), new Color('#24402c'), new Color('#5d8a52')];
const OAK: Colours = [new Color('#5f4d3a'), new Color('#3d5424'), new Color('#94ab4c')];

/** Quads around a tree and from its foot to its top: 11,840 triangles. */
const AROUND = 80;
const UP = 74;
/** The share of the outline that is the trunk. */
const TRUNK = 0.06;

/** Rolls a sheet up along an outline. */
function grow(outline: Outline, [trunk, shade, leaves]: Colours): BufferGeometry {
  const sheet = new PlaneGeometry(1, 1, AROUND, UP);
  const { position, uv } = sheet.attributes;
  const colours = new Float32BufferAttribute(new Float32Array(3 * position.count), 3);
  const colour = new Color();
  for (let i = 0; i < position.count; i++) {
    const [angle, along] = [-TURN * uv.getX(i), uv.getY(i)];
    const [radius, height, light] = outline(angle, along);
    position.setXYZ(i, radius * Math.cos(angle), height, radius * Math.sin(angle));
    colour.lerpColors(shade, leaves, clamp(light, 0, 1));
    if (along < TRUNK) colour.copy(trunk);
    colours.setXYZ(i, colour.r, colour.g, colour.b);
  }
  sheet.setAttribute('color', colours).deleteAttribute('uv').deleteAttribute('normal');
  // Its left border lies on its right one.
  const tree = mergeVertices(sheet);
  tree.computeVertexNormals();
  return tree;
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

/** A ball with bumps of leaves. */
function oak(angle: number, along: number): Point {
  if (along < TRUNK) return [lerp(0.05, 0.034, along / TRUNK), 0.27 * (along / TRUNK), 0];
  const t = (along - TRUNK) / (1 - TRUNK);
  const tilt = Math.PI * (t - 0.5);
  const [x, y, z] = [Math.cos(angle), 2 * t, Math.sin(angle)];
  const waves = Math.cos(2.3 * x + 1.9 * y + 3.7) * Math.cos(2.7 * z - 2.1 * y + 7.4);
  const bumps = (waves + 0.5 * Math.cos(4.1 * y + 3.3 * x - 2.9 * z)) * Math.cos(tilt);
  const reach = 0.34 * (1 + 0.12 * bumps);
  const height = 0.63 + 1.02 * reach * Math.sin(tilt) + (t < 0.5 ? 0.06 * (0.5 - t) : 0);
  return [Math.max(0.03 * (1 - t), reach * Math.cos(tilt)), height, 0.2 + 0.55 * t + 0.35 * bumps];
}
