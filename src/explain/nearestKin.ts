import type { BufferGeometry, Material, Mesh, Object3D } from 'three';
import type { BatchedMeshState } from '../batching/BatchedMeshState.js';
import type { BatchGroup, DrawEntry } from '../batching/BatchGroup.js';
import { drawnProperties } from '../batching/drawnProperties.js';
import { inWords } from '../core/inWords.js';

/** A draw of those that share a batch, or could. */
interface Kin {
  readonly member: BatchedMeshState;
  readonly part: DrawEntry;
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
export function kinsOf(members: Iterable<BatchedMeshState>): Kin[] {
  const byGroup = new Map<BatchGroup, Kin>();
  for (const member of members) {
    for (const part of member.entries) {
      if (part.group !== null && !byGroup.has(part.group)) byGroup.set(part.group, { member, part });
    }
  }
  const sizeOf = ({ part }: Kin): number => part.group?.entries.size ?? 0;
  return [...byGroup.values()].sort((a, b) => sizeOf(b) - sizeOf(a));
}

/** Of a mesh that waits for others: the one that it would share a batch with after the fewest changes; null for none. */
export function nearestKin(member: BatchedMeshState, kins: readonly Kin[]): NearestKin | null {
  const part = member.entries.find(({ group }) => !group?.batch) ?? member;
  const names = part.known === null ? [] : (drawnProperties(part.known.material) ?? []);
  let nearest: NearestKin | null = null;
  for (const kin of kins) {
    if (kin.part.group === part.group) continue;
    const differences = differencesOf({ member, part }, kin, names);
    if (nearest === null || differences.length < nearest.differences.length) {
      nearest = { object: kin.member.mesh, differences };
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
  const [mesh, other] = [a.member.mesh, b.member.mesh];
  compare('layers.mask', mesh.layers.mask, other.layers.mask);
  for (const name of ['renderOrder', 'castShadow', 'receiveShadow'] as const) compare(name, mesh[name], other[name]);
  compare('renderOrder of the group above', a.member.groupOrder, b.member.groupOrder);
  compare('mirroring', a.member.isMirrored, b.member.isMirrored);
  compareAttributes(mesh.geometry, other.geometry, compare);
  if (a.part.known && b.part.known && a.part.known.drawn !== b.part.known.drawn) {
    compareMaterials(a.part.known.material, b.part.known.material, names, compare);
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
