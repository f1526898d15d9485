import {
  Color,
  type Material,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshMatcapMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  MeshToonMaterial,
} from 'three';

export type Colored = Material & { color: Color };

/** The kinds whose shaders multiply their colour by that of a draw, and nothing else by the colour. */
const MERGED: readonly (new () => Colored)[] = [
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhongMaterial,
  MeshToonMaterial,
  MeshMatcapMaterial,
  MeshStandardMaterial,
  MeshPhysicalMaterial,
];

/**
 * Declared, but of no account for what is drawn, or asked separately: the colour, and the version, which says that a shader is
 * to be made anew. Materials of these kinds have shaders of three's own, which see no `userData`.
 */
const IGNORED: ReadonlySet<string> = new Set(['uuid', 'name', 'color', 'version', 'userData', '_listeners']);

/** What renderers read of any material, though none of these kinds declares it. */
const UNDECLARED = ['extensions', 'index0AttributeName', 'glslVersion', 'depthPacking', 'lights', 'hardwareClipping'];

/** By prototype the properties of which it depends what a material draws: all that its class declares, and `defines`. */
let byKind: Map<object, readonly string[]> | null = null;
/** All that renderers read of materials of any of these kinds. */
const read = new Set(UNDECLARED);

function kinds(): Map<object, readonly string[]> {
  if (byKind !== null) return byKind;
  byKind = new Map();
  for (const Kind of MERGED) {
    const names = new Set(['defines']);
    for (const name of Object.keys(new Kind())) {
      if (!IGNORED.has(name) && !/^is[A-Z]/.test(name)) names.add(name);
    }
    for (const name of names) read.add(name);
    byKind.set(Kind.prototype, [...names]);
  }
  return byKind;
}

/**
 * The properties by which materials are compared that may be drawn as one but for their colour. Whatever else an object has,
 * as marks of editors and frameworks, no shader sees.
 * @returns null for a material that is of another class, or has what renderers read of other classes alone.
 */
export function drawnProperties(material: Material): readonly string[] | null {
  const names = kinds().get(Object.getPrototypeOf(material));
  if (names === undefined || !((material as Colored).color instanceof Color)) return null;
  for (const name of Object.keys(material)) if (read.has(name) && !names.includes(name)) return null;
  return names;
}
