import type { BufferGeometry, Material, Mesh, Object3D } from 'three';
import type { BatchedMeshState } from '../batching/BatchedMeshState.js';
import type { BatchGroup, DrawEntry } from '../batching/BatchGroup.js';
import { drawnProperties } from '../batching/ColorMergeable.js';
import { inWords } from '../core/options.js';

/** Advice by the reason why an object is drawn by itself; the first that matches counts. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/no frame has shown/, 'Nothing: it joins after it was first drawn.'],
  [/next frame|joined with/, 'Nothing: this is decided within the next frames.'],
  [
    /drawingPipeline/,
    'Nothing: that pipeline can draw many meshes in one call itself. Batches need StandardDrawingPipeline.',
  ],
  [/^too few/, 'Share materials, attributes and flags with others, or lower the option batch.atLeast.'],
  [/memory limit/, 'Raise the option batch.maxBytes, or share geometries.'],
  [/batches are switched off/, 'Call index.batch(object, true) with it, or with an object above it.'],
  [/shears/, 'Scale the geometry, not an object above a rotated one: shaders of batches would bend its normals.'],
  [/drawn with all that lies in it/, 'Take it out of there, if it can stand alone.'],
  [/^it is of type (?!\w*Mesh)/, 'Nothing: lines, points and sprites are drawn one by one.'],
  [/InstancedMesh|BatchedMesh|has count|geometry has instances/, 'Nothing: its instances are one draw call already.'],
  [/SkinnedMesh/, 'Nothing: skinned meshes are drawn one by one.'],
  [
    /material has its own on(BeforeCompile)|material has its own \w*Node|material is of type/,
    "Use a plain material of three's, or accept it with the option batch.accept if its shader uses nothing that differs between meshes.",
  ],
  [/its own on(Before|After)/, 'Delete that method, and do its work once a frame.'],
  [/customD\w+Material/, "Delete it where three's own shadows will do."],
  [/occlusionTest/, 'Set occlusionTest to false.'],
  [
    /wireframe/,
    'Shaders of batches would shift its lines: set wireframe to false, or draw LineSegments with a WireframeGeometry.',
  ],
  [/normalMapType/, 'Use a normal map in tangent space.'],
  [/alphaHash/, 'Use alphaTest, or transparent: true. The noise depends on the matrix of an object.'],
  [
    /transmission/,
    'Set transmission to 0, and opacity where plain transparency will do. Transmissive objects are drawn last.',
  ],
  [/DoubleSide/, 'Set forceSinglePass to true, or side to FrontSide: else three draws each mesh twice.'],
  [/blending/, 'Set transparent to true, or blending to NormalBlending: its place in the order counts.'],
  [/stencilWrite/, 'Set stencilWrite to false: its place in the order counts.'],
  [/colorWrite/, 'Set colorWrite to true, or visible to false: its place in the order counts.'],
  [/depthFunc/, 'Set depthFunc to LessEqualDepth: its place in the order counts.'],
  [
    /depthTest|depthWrite/,
    'Set depthTest and depthWrite to true, or transparent to true: its place in the order counts.',
  ],
  [/morph targets/, 'Delete morphAttributes that are not used.'],
  [/ShaderChunk/, 'Patch single materials instead of the shaders of all.'],
  [/most frames/, 'Nothing: copying it in every frame would take longer.'],
  [/instanced/, 'Draw it as an InstancedMesh, or without that attribute.'],
  [/attribute|index cannot/, 'Give it typed arrays with numbers for each vertex.'],
  [/no vertices|is empty|no group of its geometry|lacks a material/, 'Remove it: it draws nothing.'],
];

/** What can be done about a reason why an object is drawn by itself. */
export function adviceOn(reason: string): string {
  return ADVICE.find(([words]) => words.test(reason))?.[1] ?? 'Change that, if you can, or leave it drawn by itself.';
}

/** A draw of those that share a batch, or could. */
interface Kin {
  readonly state: BatchedMeshState;
  readonly entry: DrawEntry;
}

interface Difference {
  readonly name: string;
  readonly here: string;
  readonly there: string;
}

/** The mesh that is most like another, and in what they differ. */
export interface NearestKin {
  readonly object: Object3D;
  readonly differences: readonly Difference[];
}

/** One draw for each group of those that can share a batch, the largest groups first. */
export function kinsOf(states: Iterable<BatchedMeshState>): Kin[] {
  const byGroup = new Map<BatchGroup, Kin>();
  for (const state of states) {
    for (const entry of state.entries) {
      if (entry.group !== null && !byGroup.has(entry.group)) byGroup.set(entry.group, { state, entry });
    }
  }
  const sizeOf = ({ entry }: Kin): number => entry.group?.entries.size ?? 0;
  return [...byGroup.values()].sort((a, b) => sizeOf(b) - sizeOf(a));
}

/** Of a mesh that waits for others: the one that it would share a batch with after the fewest changes; null for none. */
export function nearestKin(state: BatchedMeshState, kins: readonly Kin[]): NearestKin | null {
  const entry = state.entries.find(({ group }) => !group?.batch) ?? state;
  const names = entry.known === null ? [] : (drawnProperties(entry.known.material) ?? []);
  let nearest: NearestKin | null = null;
  for (const kin of kins) {
    if (kin.entry.group === entry.group) continue;
    const differences = differencesOf({ state, entry }, kin, names);
    if (nearest === null || differences.length < nearest.differences.length) {
      nearest = { object: kin.state.mesh, differences };
    }
    if (nearest.differences.length === 1) break;
  }
  return nearest;
}

export function differencesInWords({ differences }: NearestKin): string {
  return differences.map(({ name, here, there }) => `${name} (${here}, there ${there})`).join(', ');
}

/** @param names The properties by which materials are compared. */
function differencesOf(a: Kin, b: Kin, names: readonly string[]): Difference[] {
  const found: Difference[] = [];
  const compare = (name: string, here: unknown, there: unknown): void => {
    if (!isSame(here, there)) found.push({ name, here: wordFor(here), there: wordFor(there) });
  };
  const [mesh, other] = [a.state.mesh, b.state.mesh];
  compare('layers.mask', mesh.layers.mask, other.layers.mask);
  for (const name of ['renderOrder', 'castShadow', 'receiveShadow'] as const) compare(name, mesh[name], other[name]);
  compare('renderOrder of the group above', a.state.groupOrder, b.state.groupOrder);
  compare('mirroring', a.state.isMirrored, b.state.isMirrored);
  compareAttributes(mesh.geometry, other.geometry, compare);
  if (a.entry.known && b.entry.known && a.entry.known.drawn !== b.entry.known.drawn) {
    compareMaterials(a.entry.known.material, b.entry.known.material, names, compare);
  }
  // What is told apart by nothing that is known here, as materials that are not merged.
  if (found.length === 0) compare('material', 'an object of its own', 'another');
  return found;
}

type Compare = (name: string, here: unknown, there: unknown) => void;

function compareMaterials(a: Material, b: Material, names: readonly string[], compare: Compare): void {
  if (a.type !== b.type) {
    compare('material.type', a.type, b.type);
    return;
  }
  for (const name of names) compare(`material.${name}`, (a as Loose)[name], (b as Loose)[name]);
}

function compareAttributes(a: Mesh['geometry'], b: Mesh['geometry'], compare: Compare): void {
  compare('index', a.index !== null, b.index !== null);
  for (const name of new Set([...Object.keys(a.attributes), ...Object.keys(b.attributes)])) {
    compare(`attribute ${name}`, kindOf(a, name), kindOf(b, name));
  }
}

/** What vertices have of an attribute: a number of values of a type. */
function kindOf({ attributes }: BufferGeometry, name: string): string {
  const attribute = attributes[name];
  if (attribute === undefined) return 'none';
  return `${attribute.itemSize} of ${attribute.normalized ? 'normalized ' : ''}${attribute.array?.constructor.name}`;
}

type Loose = Material & { readonly [name: string]: unknown };
type Value = {
  readonly equals?: (other: unknown) => boolean;
  readonly getHexString?: () => string;
  readonly name?: string;
};

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const { equals } = a as Value;
  if (typeof equals === 'function') return equals.call(a, b) === true;
  return Object.getPrototypeOf(a) === Object.prototype && JSON.stringify(a) === JSON.stringify(b);
}

function wordFor(value: unknown): string {
  const { getHexString, name } = (value ?? {}) as Value;
  if (typeof getHexString === 'function') return `#${getHexString.call(value)}`;
  return typeof value === 'object' && name ? `"${inWords(name)}"` : inWords(value);
}
