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
const IGNORED = /^(uuid|name|color|version|userData|_listeners|is[A-Z].*)$/;

/** What shaders of three's are made by, of any material, though few of these kinds declare it. */
const UNDECLARED = ['defines', 'extensions', 'lights'];

/** By prototype the properties of which it depends what a material draws. */
let byKind: Map<object, readonly string[]> | null = null;

/**
 * The properties by which materials are compared that may be drawn as one but for their colour: all that their class declares,
 * and what renderers read beside. Whatever else an object has, as marks of editors and frameworks, no shader sees.
 * @returns null for a material of another class.
 */
export function drawnProperties(material: Material): readonly string[] | null {
  byKind ??= new Map(MERGED.map((Kind) => [Kind.prototype, namesOf(new Kind())]));
  return (material as Colored).color instanceof Color ? (byKind.get(Object.getPrototypeOf(material)) ?? null) : null;
}

function namesOf(material: Material): string[] {
  const declared = Object.keys(material).filter((name) => !IGNORED.test(name));
  // The type is among them, so materials of two classes differ.
  return [...new Set([...declared, ...UNDECLARED])];
}
