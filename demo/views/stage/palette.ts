import { Color } from 'three';

/** Colours of the drawn worlds. Those of the page itself are in style/tokens.css; the classes agree with it. */
export interface Palette {
  sky: Color;
  zenith: Color;
  /** Behind the view from above. */
  backdrop: Color;
  /** Where the cities stand. */
  plain: Color;
  grid: Color;
  inside: Color;
  intersecting: Color;
  culled: Color;
  /** In view, and behind others. */
  hidden: Color;
  picked: Color;
  hovered: Color;
  /** Marks of a world: within range, within an area, and nearest or too near. */
  range: Color;
  area: Color;
  near: Color;
  /** What a search looks at. */
  candidate: Color;
  frustum: Color;
  /** Towers from the foot of a village to the top of a metropolis. */
  towerLow: Color;
  towerHigh: Color;
  sun: number;
  ambient: number;
}

const DARK: Palette = {
  sky: new Color('#33475a'),
  zenith: new Color('#121c27'),
  backdrop: new Color('#0c0f12'),
  plain: new Color('#10171e'),
  grid: new Color('#22303c'),
  inside: new Color('#4fd1bd'),
  intersecting: new Color('#f0b13c'),
  culled: new Color('#6f7f8c'),
  hidden: new Color('#b48cff'),
  picked: new Color('#ff6f91'),
  hovered: new Color('#ffffff'),
  range: new Color('#5b9dff'),
  area: new Color('#b48cff'),
  near: new Color('#ff5548'),
  candidate: new Color('#8fd14f'),
  frustum: new Color('#ffffff'),
  towerLow: new Color('#3f6f8f'),
  towerHigh: new Color('#ffdf9e'),
  sun: 2.1,
  ambient: 1.15,
};

const LIGHT: Palette = {
  sky: new Color('#d3e0ea'),
  zenith: new Color('#8fb4d2'),
  backdrop: new Color('#eef1f3'),
  plain: new Color('#dfe6ea'),
  grid: new Color('#c3ced6'),
  inside: new Color('#12a892'),
  intersecting: new Color('#e09512'),
  culled: new Color('#c2cad1'),
  hidden: new Color('#7b3fd6'),
  picked: new Color('#d42f5f'),
  hovered: new Color('#14191d'),
  range: new Color('#2468d8'),
  area: new Color('#7b3fd6'),
  near: new Color('#d92b1f'),
  candidate: new Color('#5a9a0c'),
  frustum: new Color('#14191d'),
  towerLow: new Color('#7f97aa'),
  towerHigh: new Color('#0f5f86'),
  sun: 2.4,
  ambient: 1.9,
};

export function paletteOf(light: boolean): Palette {
  return light ? LIGHT : DARK;
}

/** Sets a uniform to the colours by kind: of the classes, then of the marks (see NumberedMesh.ts). */
export function paintKinds(uniform: { value: Color[] }, palette: Palette): void {
  const { culled, intersecting, inside, range, area, near } = palette;
  uniform.value = [culled, intersecting, inside, range, area, near];
}
