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
  NormalBlending,
} from 'three';

/** The properties of a material. */
type Look = Readonly<Record<string, unknown>>;
type Compare = (a: Look, b: Look) => boolean;
export type Colored = Material & { color: Color };

// Functions that tell whether two materials of a kind draw the same, but for their colour. Each property is read by its
// name written out, which takes a tenth of the time of enumerating them. A value is not read if another value switches
// it off: a `MeshPhysicalMaterial` is a dictionary in V8, slow to read by any name.

function isSameBase(a: Look, b: Look): boolean {
  if (a.onBeforeCompile !== b.onBeforeCompile || a.onBeforeRender !== b.onBeforeRender) return false;
  if (a.customProgramCacheKey !== b.customProgramCacheKey) return false;
  if (a.type !== b.type || a.visible !== b.visible || a.side !== b.side || a.shadowSide !== b.shadowSide) return false;
  if (a.opacity !== b.opacity || a.transparent !== b.transparent || a.vertexColors !== b.vertexColors) return false;
  if (a.depthTest !== b.depthTest || a.depthWrite !== b.depthWrite || a.depthFunc !== b.depthFunc) return false;
  if (a.colorWrite !== b.colorWrite || a._alphaTest !== b._alphaTest || a.alphaHash !== b.alphaHash) return false;
  if (a.alphaToCoverage !== b.alphaToCoverage || a.premultipliedAlpha !== b.premultipliedAlpha) return false;
  if (a.forceSinglePass !== b.forceSinglePass || a.precision !== b.precision || a.fog !== b.fog) return false;
  if (a.allowOverride !== b.allowOverride || a.toneMapped !== b.toneMapped || a.map !== b.map) return false;
  if (a.dithering !== b.dithering || a.alphaMap !== b.alphaMap || a.wireframe !== b.wireframe) return false;
  // Renderers read `transmission` and `displacementMap` from any material.
  if (a.transmission !== b.transmission || a.displacementMap !== b.displacementMap) return false;
  if (!isSameDefines(a.defines, b.defines) || !isSameValue(a.extensions, b.extensions)) return false;
  const { blending, stencilWrite, clippingPlanes, polygonOffset } = a;
  if (blending !== b.blending || (blending !== NormalBlending && !isSameBlending(a, b))) return false;
  if (stencilWrite !== b.stencilWrite || (stencilWrite && !isSameStencil(a, b))) return false;
  if (!isSameValue(clippingPlanes, b.clippingPlanes) || a.lights !== b.lights) return false;
  if (clippingPlanes && (a.clipIntersection !== b.clipIntersection || a.clipShadows !== b.clipShadows)) return false;
  if (polygonOffset !== b.polygonOffset) return false;
  if (!polygonOffset) return true;
  return a.polygonOffsetFactor === b.polygonOffsetFactor && a.polygonOffsetUnits === b.polygonOffsetUnits;
}

/** Kinds with lights have defines, and each material an object of its own. */
function isSameDefines(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  for (const name in a) if (a[name as never] !== b[name as never]) return false;
  for (const name in b) if (!(name in a)) return false;
  return true;
}

function isSameBlending(a: Look, b: Look): boolean {
  if (a.blendSrc !== b.blendSrc || a.blendDst !== b.blendDst || a.blendEquation !== b.blendEquation) return false;
  if (a.blendSrcAlpha !== b.blendSrcAlpha || a.blendDstAlpha !== b.blendDstAlpha) return false;
  if (a.blendEquationAlpha !== b.blendEquationAlpha || a.blendAlpha !== b.blendAlpha) return false;
  return isSameValue(a.blendColor, b.blendColor);
}

function isSameStencil(a: Look, b: Look): boolean {
  if (a.stencilWriteMask !== b.stencilWriteMask || a.stencilFunc !== b.stencilFunc) return false;
  if (a.stencilRef !== b.stencilRef || a.stencilFuncMask !== b.stencilFuncMask) return false;
  return a.stencilFail === b.stencilFail && a.stencilZFail === b.stencilZFail && a.stencilZPass === b.stencilZPass;
}

function isSameBaked(a: Look, b: Look): boolean {
  const { lightMap, aoMap } = a;
  if (lightMap !== b.lightMap || aoMap !== b.aoMap) return false;
  if (lightMap && a.lightMapIntensity !== b.lightMapIntensity) return false;
  return !aoMap || a.aoMapIntensity === b.aoMapIntensity;
}

function isSameRelief(a: Look, b: Look): boolean {
  const { bumpMap, normalMap, displacementMap } = a;
  if (bumpMap !== b.bumpMap || normalMap !== b.normalMap) return false;
  if (bumpMap && a.bumpScale !== b.bumpScale) return false;
  if (normalMap && (a.normalMapType !== b.normalMapType || !isSameValue(a.normalScale, b.normalScale))) return false;
  if (!displacementMap) return true;
  return a.displacementScale === b.displacementScale && a.displacementBias === b.displacementBias;
}

/** For kinds of materials with lighting and glow. */
function isSameLit(a: Look, b: Look): boolean {
  if (a.emissiveIntensity !== b.emissiveIntensity || a.emissiveMap !== b.emissiveMap) return false;
  return isSameBase(a, b) && isSameColor(a.emissive, b.emissive) && isSameBaked(a, b) && isSameRelief(a, b);
}

function isSameMirror(a: Look, b: Look): boolean {
  if (a.combine !== b.combine || a.reflectivity !== b.reflectivity || a.specularMap !== b.specularMap) return false;
  return a.refractionRatio === b.refractionRatio && isSameEnvironment(a, b);
}

/** `envMapRotation` turns the material's own map alone: without one, the rotation of the scene's environment counts. */
function isSameEnvironment(a: Look, b: Look): boolean {
  const { envMap } = a;
  if (envMap !== b.envMap || a.envMapIntensity !== b.envMapIntensity) return false;
  return !envMap || isSameValue(a.envMapRotation, b.envMapRotation);
}

const isSameBasic: Compare = (a, b) => isSameBase(a, b) && isSameBaked(a, b) && isSameMirror(a, b);

const isSameLambert: Compare = (a, b) => a.flatShading === b.flatShading && isSameLit(a, b) && isSameMirror(a, b);

const isSamePhong: Compare = (a, b) =>
  a.shininess === b.shininess && isSameColor(a.specular, b.specular) && isSameLambert(a, b);

const isSameToon: Compare = (a, b) => a.gradientMap === b.gradientMap && isSameLit(a, b);

const isSameMatcap: Compare = (a, b) =>
  a.matcap === b.matcap && a.flatShading === b.flatShading && isSameBase(a, b) && isSameRelief(a, b);

function isSameStandard(a: Look, b: Look): boolean {
  if (a.roughness !== b.roughness || a.metalness !== b.metalness || a.roughnessMap !== b.roughnessMap) return false;
  if (a.metalnessMap !== b.metalnessMap || a.flatShading !== b.flatShading) return false;
  return isSameLit(a, b) && isSameEnvironment(a, b);
}

function isSamePhysical(a: Look, b: Look): boolean {
  if (a.ior !== b.ior || a._retroreflectivity !== b._retroreflectivity) return false;
  if (a._diffuseRoughness !== b._diffuseRoughness || a.diffuseRoughnessMap !== b.diffuseRoughnessMap) return false;
  if (a.specularIntensity !== b.specularIntensity || a.specularIntensityMap !== b.specularIntensityMap) return false;
  if (a.specularColorMap !== b.specularColorMap || !isSameColor(a.specularColor, b.specularColor)) return false;
  const { _clearcoat, _sheen, _iridescence, _transmission, _anisotropy } = a;
  if (_clearcoat !== b._clearcoat || (_clearcoat && !isSameCoat(a, b))) return false;
  if (_sheen !== b._sheen || (_sheen && !isSameSheen(a, b))) return false;
  if (_iridescence !== b._iridescence || (_iridescence && !isSameIridescence(a, b))) return false;
  if (_transmission && !isSameVolume(a, b)) return false;
  if (_anisotropy !== b._anisotropy || a.anisotropyMap !== b.anisotropyMap) return false;
  if (_anisotropy && a.anisotropyRotation !== b.anisotropyRotation) return false;
  return isSameStandard(a, b);
}

function isSameCoat(a: Look, b: Look): boolean {
  if (a.clearcoatRoughness !== b.clearcoatRoughness || a.clearcoatNormalMap !== b.clearcoatNormalMap) return false;
  if (a.clearcoatMap !== b.clearcoatMap || a.clearcoatRoughnessMap !== b.clearcoatRoughnessMap) return false;
  return !a.clearcoatNormalMap || isSameValue(a.clearcoatNormalScale, b.clearcoatNormalScale);
}

function isSameSheen(a: Look, b: Look): boolean {
  if (a.sheenRoughness !== b.sheenRoughness || a.sheenRoughnessMap !== b.sheenRoughnessMap) return false;
  return a.sheenColorMap === b.sheenColorMap && isSameColor(a.sheenColor, b.sheenColor);
}

/** Before r187 a range holds both thicknesses. It is compared by its computed name, as r187 warns of reads. */
function isSameIridescence(a: Look, b: Look): boolean {
  if (a.iridescenceMap !== b.iridescenceMap || a.iridescenceIOR !== b.iridescenceIOR) return false;
  if (a.iridescenceThicknessMinimum !== b.iridescenceThicknessMinimum) return false;
  if (a.iridescenceThicknessMaximum !== b.iridescenceThicknessMaximum) return false;
  return a.iridescenceThicknessMap === b.iridescenceThicknessMap;
}

function isSameVolume(a: Look, b: Look): boolean {
  if (a.transmissionMap !== b.transmissionMap || a.thicknessMap !== b.thicknessMap) return false;
  if (a.thickness !== b.thickness || a._dispersion !== b._dispersion) return false;
  return a.attenuationDistance === b.attenuationDistance && isSameColor(a.attenuationColor, b.attenuationColor);
}

function isSameColor(a: unknown, b: unknown): boolean {
  if (!(a instanceof Color && b instanceof Color)) return isSameValue(a, b);
  return a.r === b.r && a.g === b.g && a.b === b.b;
}

function isSameValue(a: unknown, b: unknown): boolean {
  return a === b || isEqualValue(b, a);
}

/** The kinds of materials whose shaders multiply their own colour, and nothing else, by the colour of a draw. */
export const MERGED: readonly (readonly [Kind: new () => Colored, isSame: Compare])[] = [
  [MeshBasicMaterial, isSameBasic],
  [MeshLambertMaterial, isSameLambert],
  [MeshPhongMaterial, isSamePhong],
  [MeshToonMaterial, isSameToon],
  [MeshMatcapMaterial, isSameMatcap],
  [MeshStandardMaterial, isSameStandard],
  [MeshPhysicalMaterial, isSamePhysical],
];

/**
 * Properties that do not change pixels, or are compared separately: the colour, and the version. The shaders of the
 * MERGED kinds do not see `userData`; batches draw no wireframes.
 */
const IGNORED_PROPERTIES = /^(uuid|name|color|version|userData|_listeners|wireframeLine.*|is[A-Z].*)$/;

/** Private switches of other properties. Without one: all are compared, by computed names, ten times as slowly. */
const SWITCHES = ['_clearcoat', '_sheen', '_iridescence', '_transmission', '_anisotropy'];

/** Properties that renderers read from any material, though few of the MERGED kinds declare them. */
const UNDECLARED = ['defines', 'extensions', 'lights'];

/** A kind of materials: all names compared, the names that its function reads, and the names left unread. */
interface MaterialKind {
  readonly isSame: Compare;
  readonly names: readonly string[];
  readonly read: ReadonlySet<string>;
  readonly unread: readonly string[];
  /** The latest traits of materials of this kind, as many materials share traits. */
  readonly recent: WeakRef<MaterialTraits>[];
}

/** A changed material is compared with at most this many recent traits of its kind. */
const RECENT = 4;

let byKind: Map<object, MaterialKind> | null = null;

function materialKindOf(material: Material): MaterialKind | null {
  byKind ??= new Map(MERGED.map(([Kind, isSame]) => [Kind.prototype, traitsOf(Kind, isSame)]));
  return (material as Colored).color instanceof Color ? (byKind.get(Object.getPrototypeOf(material)) ?? null) : null;
}

function traitsOf(Kind: new () => Colored, isSame: Compare): MaterialKind {
  const declared = Object.keys(new Kind()).filter((name) => !IGNORED_PROPERTIES.test(name));
  // The type is among the names, so materials of two classes differ.
  const names = [...new Set([...declared, ...UNDECLARED])];
  const read = namesReadBy(isSame);
  const isRenamed = SWITCHES.some((name) => read.has(name) && !declared.includes(name));
  return { isSame, names, read, unread: names.filter((name) => isRenamed || !read.has(name)), recent: [] };
}

/** The names that a comparison reads of a material; without `of`, of a material with everything switched on. */
export function namesReadBy(isSame: Compare, of?: Look): ReadonlySet<string> {
  const read = new Set<string>();
  const get = (_: Look, name: string): unknown => read.add(name) && (of === undefined || of[name]);
  const asked = new Proxy<Look>({}, { get: get as never });
  isSame(asked, asked);
  return read;
}

/**
 * The properties by which materials are compared: properties declared by their class, and others read by renderers.
 * No shader sees any other property, such as marks of editors and frameworks.
 * @returns null for a material of another class.
 */
export function drawnProperties(material: Material): readonly string[] | null {
  return materialKindOf(material)?.names ?? null;
}

/** The properties, except colour, that decide how a material draws, as of one moment. Materials share traits. */
export class MaterialTraits {
  readonly #isSame: Compare;
  readonly #unread: readonly string[];
  readonly #then: Look;

  /** The traits of a material; null if its class is not compared. */
  static of(material: Material): MaterialTraits | null {
    const kind = materialKindOf(material);
    if (kind === null) return null;
    for (const known of kind.recent) {
      const traits = known.deref();
      if (traits?.fits(material)) return traits;
    }
    const traits = new MaterialTraits(material, kind);
    kind.recent.unshift(new WeakRef(traits));
    kind.recent.length = Math.min(kind.recent.length, RECENT);
    return traits;
  }

  constructor(material: Material, { isSame, read, unread }: MaterialKind) {
    this.#isSame = isSame;
    this.#unread = unread;
    // The object has one shape for each kind, so engines read its properties fast.
    const names = [...read, ...unread];
    this.#then = Object.fromEntries(names.map((name) => [name, copyOf(material[name as never])]));
  }

  /** The values that matter, with their names. Traits that draw the same have equal values, but for textures. */
  get values(): [name: string, value: unknown][] {
    const then = this.#then;
    return [...namesReadBy(this.#isSame, then), ...this.#unread].map((name) => [name, then[name]]);
  }

  /** True while a material has these traits. Called for each material in each frame. */
  fits(material: Material): boolean {
    const isSame = this.#isSame;
    const then = this.#then;
    const now = material as unknown as Look;
    if (!isSame(now, then)) return false;
    const unread = this.#unread;
    for (let i = 0; i < unread.length; i++) if (!isSameValue(now[unread[i]], then[unread[i]])) return false;
    return true;
  }
}

/** Colours, vectors and the like. A texture is only equal to itself. */
interface Comparable {
  clone(): Comparable;
  equals(other: unknown): boolean;
}

function isComparable(value: object): value is Comparable {
  return 'equals' in value && 'clone' in value;
}

/** True for values compared by their contents: colours and the like, and lists and `defines` of plain values. */
function isRich(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (isComparable(value)) return true;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every((one) => typeof one !== 'object' || one === null);
}

/** Copies a value compared by its contents; other values are shared. */
export function copyOf(value: unknown): unknown {
  if (!isRich(value)) return value;
  if (isComparable(value)) return value.clone();
  return Array.isArray(value) ? [...value] : { ...value };
}

export function isEqualValue(then: unknown, now: unknown): boolean {
  if (typeof then !== 'object' || typeof now !== 'object' || then === null || now === null) return false;
  if (Object.getPrototypeOf(now) !== Object.getPrototypeOf(then)) return false;
  if (isComparable(then)) return then.equals(now);
  if (!isRich(then)) return false;
  for (const name in then) if (then[name as never] !== now[name as never]) return false;
  for (const name in now) if (!(name in then)) return false;
  return true;
}

const numbers = new WeakMap<object, number>();
let count = 0;

/** A word for a value: equal values, and no others, have the same word. */
export function wordFor(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (isRich(value)) {
    const entries = Object.entries(value).sort();
    return `{${entries.map(([name, one]) => `${name}:${wordFor(one)}`)}}`;
  }
  if (!numbers.has(value)) numbers.set(value, ++count);
  return `#${numbers.get(value)}`;
}
