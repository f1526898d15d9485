import type { Material, Mesh, Object3D } from 'three';
import { getOrMake, grow } from '../core/arrays.js';
import type { Flags } from '../three/kinds.js';
import type { BatchedMeshState, BatchedPass } from './BatchedMeshState.js';
import { type BatchGroup, type Draw, mayReorder, type PassOrder } from './BatchGroup.js';
import { hashOfSpot } from './DrawSlots.js';
import { positionsId } from './KnownGeometry.js';
import type { MaterialGeometryCache } from './MaterialGeometryCache.js';
import type { MeshBatch } from './MeshBatch.js';
import { type ApartReason, dependsOnOrder } from './whyNotBatched.js';

/**
 * Finds meshes that have slots in batches, but have to be drawn alone in a pass, because of other draws in it:
 *
 * - meshes with the same triangles as an object drawn alone ({@link SameTriangles});
 * - meshes whose batch would be on the wrong side of a draw that depends on order, as of a mask or backdrop.
 */
export class DrawnApart {
  readonly #cache: MaterialGeometryCache;
  readonly #stateOf: (object: Object3D) => BatchedMeshState | undefined;
  readonly #triangles = new SameTriangles();
  #found: BatchedMeshState[] = [];

  constructor(cache: MaterialGeometryCache, stateOf: (object: Object3D) => BatchedMeshState | undefined) {
    this.#cache = cache;
    this.#stateOf = stateOf;
  }

  /**
   * Takes draws that have to be drawn alone out of the lists of batches; returns their meshes.
   * @param pass The camera's pass, once it has listed everything but batches.
   * @param objects The objects that the renderer is to walk.
   * @param isNear Whether batches are exact enough in single precision, as seen from the camera.
   */
  find(pass: BatchedPass, objects: readonly Object3D[], isNear: boolean): readonly BatchedMeshState[] {
    const { listed, list, order, number } = pass;
    this.#found = [];
    if (listed.length === 0) return this.#found;
    const groups = listed.map(({ group }) => group);
    this.#triangles.beginPass(groups, order, this.#cache.changes);
    if (!isNear) for (const group of groups) this.#takeAll(group, pass, 'farView');
    // Some draws become draws of batches once the renderer has sorted them.
    const isMerged = (object: Object3D): boolean => this.#stateOf(object)?.mergedIn === number;
    for (const object of objects) this.#visit(object, 0, pass, isMerged);
    this.#triangles.find(list, (draw) => this.#takeOut(draw, pass, 'sameTriangles'));
    if (this.#found.length > 0) for (const group of groups) group.seen(list).dropApart(number);
    return this.#found;
  }

  #takeAll(group: BatchGroup, pass: BatchedPass, reason: ApartReason): void {
    for (const slot of group.seen(pass.list).ids) this.#takeOut(group.bySlot[slot], pass, reason);
  }

  #visit(object: Object3D, orderAbove: number, pass: BatchedPass, isMerged: (one: Object3D) => boolean): void {
    const { material, children, renderOrder, isGroup, isInstancedMesh } = object as Mesh & Flags;
    const groupOrder = isGroup ? renderOrder : orderAbove;
    if (material) {
      if (!Array.isArray(material)) this.#visitMaterial(material, object, groupOrder, pass);
      else for (const one of material) if (one) this.#visitMaterial(one, object, groupOrder, pass);
      if (!isInstancedMesh) this.#triangles.add(object, isMerged);
    }
    for (let i = 0; i < children.length; i++) this.#visit(children[i], groupOrder, pass, isMerged);
  }

  #visitMaterial(material: Material, { renderOrder }: Object3D, groupOrder: number, pass: BatchedPass): void {
    if (!dependsOnOrder(material)) return;
    const { id } = material;
    const { order, listed } = pass;
    if (order === 'material' && !this.#cache.families?.divideAt(id)) return;
    for (const { group } of listed) {
      if (group.isTransparent) continue;
      if (order === 'material' && !(group.firstId < id && id < group.lastId)) continue;
      if (order === 'depth' && !group.hasOrders({ groupOrder, renderOrder })) continue;
      this.#takeAll(group, pass, 'drawOrder');
    }
  }

  #takeOut({ owner }: Draw, { number }: BatchedPass, reason: ApartReason): void {
    const state = owner as BatchedMeshState;
    if (state.apartIn === number) return;
    state.drawApart(number, reason);
    this.#found.push(state);
  }
}

/** Number of marks, the lowest bits of ids of positions: other positions with the same mark are compared in vain. */
const POSITION_MARKS = 1024;

/** A spot: draws with equal positions and the same world matrix. */
interface Spot {
  readonly matrix: readonly number[];
  isAlone: boolean;
  /** Whether the draws lie in several batches. */
  isShared: boolean;
  readonly draws: Draw[];
}

/** Owner of a hash of draws of several batches, or of a mesh that is drawn alone. */
const SEVERAL = 2 ** 16 - 1;
/** Hashes in the table for each draw: enough that two spots seldom share one. */
const HASHES_A_DRAW = 8;

const NONE_BEFORE = { order: 'scene', changes: -1, versions: [] } as const;

/**
 * Finds triangles that a pass draws both in a batch and in another way: from equal positions, with the same world
 * matrix bit for bit. A batch multiplies matrices in another order than an object drawn alone, so their depths would
 * differ by rounding. In two batches depths are equal, but batches may not be drawn in the order of their meshes.
 *
 * Spots are compared only for positions that are drawn in several ways: first by a table of the owner of each hash,
 * then draw by draw where a hash has several owners.
 */
export class SameTriangles {
  /** The listed batches that have positions of each mark. */
  readonly #marks: readonly BatchGroup[][] = Array.from({ length: POSITION_MARKS }, () => []);
  /** The lists in `#marks` that are not empty. */
  readonly #marked: BatchGroup[][] = [];
  readonly #alone: Mesh[] = [];
  /** Batches that may draw the same triangles as an object drawn alone. */
  readonly #doubted = new Set<BatchGroup>();
  /** Batches that may draw the same triangles in another order than their meshes. */
  readonly #reordered = new Set<BatchGroup>();
  /** The owner of each hash, by its lowest bits: the number of a batch or {@link SEVERAL}; 0 for none. */
  #owners: Uint16Array = new Uint16Array(1024);
  /** Batches of which no two shared a spot: the version of each, its number of draws, and their slots. */
  #unlike: Int32Array = new Int32Array(2);
  /** The state of the last pass for which the marks, and the reordered batches, hold. */
  #before: { order: PassOrder; changes: number; versions: readonly number[] } = NONE_BEFORE;

  /** @param changes Grows when batches may be drawn in another order among each other. */
  beginPass(groups: readonly BatchGroup[], order: PassOrder, changes: number): void {
    this.#doubted.clear();
    if (this.#isAsBefore(groups, order, changes)) return;
    this.#before = { order, changes, versions: groups.map(versionOf) };
    this.#reordered.clear();
    for (const alike of this.#marked) alike.length = 0;
    this.#marked.length = 0;
    for (const group of groups) {
      for (const { positions } of (group.batch as MeshBatch).geometry.known) {
        const alike = this.#marks[positions & (POSITION_MARKS - 1)];
        // Groups come one after the other, so a repeated group is the last of its mark.
        if (alike.at(-1) === group) continue;
        for (const other of alike) if (mayReorder(other, group, order)) this.#reordered.add(other).add(group);
        if (alike.push(group) === 1) this.#marked.push(alike);
      }
    }
  }

  #isAsBefore(groups: readonly BatchGroup[], order: PassOrder, changes: number): boolean {
    const { versions } = this.#before;
    if (order !== this.#before.order || changes !== this.#before.changes) return false;
    return groups.length === versions.length && groups.every((group, i) => versionOf(group) === versions[i]);
  }

  /** Called for each object that is listed beside the batches, and may be drawn alone. */
  add(object: Object3D, isMerged: (object: Object3D) => boolean): void {
    const position = (object as Mesh).geometry?.attributes?.position;
    const alike = position && this.#marks[positionsId(position) & (POSITION_MARKS - 1)];
    if (!alike || alike.length === 0 || isMerged(object)) return;
    this.#alone.push(object as Mesh);
    for (const group of alike) this.#doubted.add(group);
  }

  /** Calls back with the draws in batches that have to be drawn alone in a list. */
  find(list: number, callback: (draw: Draw) => void): void {
    const isKnown = this.#rememberDraws(list);
    if (this.#alone.length > 0 || !isKnown) {
      const reordered = isKnown ? [] : [...this.#reordered];
      if (this.#findOwners(list, reordered)) {
        for (const { isAlone, isShared, draws } of this.#spotsIn(list)) {
          if (isAlone || isShared) draws.forEach(callback);
          if (isShared) this.#unlike[0] = 0;
        }
      }
    }
    // The list keeps no mesh alive.
    this.#alone.length = 0;
  }

  /** Remembers the draws of reordered batches; true when they are the same as when no two of them shared a spot. */
  #rememberDraws(list: number): boolean {
    let isSame = true;
    let count = 0;
    for (const group of this.#reordered) {
      const { ids, slots } = group.seen(list);
      const { length, ids: listed } = ids;
      if (count + length + 2 > this.#unlike.length) this.#unlike = grow(this.#unlike, count + length + 2);
      const before = this.#unlike;
      isSame &&= before[count] === slots.version && before[count + 1] === length;
      before[count++] = slots.version;
      before[count++] = length;
      for (let i = 0; i < length; i++, count++) {
        if (before[count] === listed[i]) continue;
        before[count] = listed[i];
        isSame = false;
      }
    }
    return isSame;
  }

  /** Fills the table of owners; true when a hash has several. */
  #findOwners(list: number, reordered: readonly BatchGroup[]): boolean {
    let count = this.#alone.length;
    for (const group of reordered) count += group.seen(list).ids.length;
    if (HASHES_A_DRAW * count > this.#owners.length) {
      this.#owners = new Uint16Array(2 ** Math.ceil(Math.log2(HASHES_A_DRAW * count)));
    } else this.#owners.fill(0);
    const owners = this.#owners;
    const mask = owners.length - 1;
    let hasSeveral = this.#alone.length > 0;
    for (const mesh of this.#alone) owners[hashOf(mesh) & mask] = SEVERAL;
    for (const [i, group] of reordered.entries()) {
      const { ids, slots } = group.seen(list);
      const { length, ids: listed } = ids;
      for (let k = 0; k < length; k++) {
        const at = slots.hashAt(listed[k]) & mask;
        const isFirst = owners[at] === 0 || owners[at] === i + 1;
        owners[at] = isFirst ? i + 1 : SEVERAL;
        hasSeveral ||= !isFirst;
      }
    }
    return hasSeveral;
  }

  /** The spots of all draws whose hash has several owners. */
  #spotsIn(list: number): Spot[] {
    const spots = new Map<number, Spot[]>();
    const owners = this.#owners;
    const mask = owners.length - 1;
    for (const mesh of this.#alone) spotOf(spots, hashOf(mesh), mesh).isAlone = true;
    for (const group of new Set([...this.#doubted, ...this.#reordered])) {
      const { ids, slots } = group.seen(list);
      const { length, ids: listed } = ids;
      for (let i = 0; i < length; i++) {
        const hash = slots.hashAt(listed[i]);
        if (owners[hash & mask] !== SEVERAL) continue;
        const draw = group.bySlot[listed[i]];
        const spot = spotOf(spots, hash, draw.owner.mesh);
        spot.isShared ||= spot.draws.length > 0 && spot.draws[0].group !== group;
        spot.draws.push(draw);
      }
    }
    return [...spots.values()].flat();
  }
}

function versionOf({ batch }: BatchGroup): number {
  return (batch as MeshBatch).slots.version;
}

function spotOf(spots: Map<number, Spot[]>, hash: number, { matrixWorld: { elements } }: Mesh): Spot {
  const alike = getOrMake(spots, hash, (): Spot[] => []);
  const found = alike.find(({ matrix }) => matrix.every((value, i) => value === elements[i]));
  if (found !== undefined) return found;
  const spot = { matrix: elements, isAlone: false, isShared: false, draws: [] };
  alike.push(spot);
  return spot;
}

function hashOf({ geometry, matrixWorld }: Mesh): number {
  return hashOfSpot(positionsId(geometry.attributes.position), matrixWorld.elements, 12);
}
