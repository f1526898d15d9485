import type { BufferAttribute, BufferGeometry, InstancedMesh, Mesh } from 'three';
import { grow } from '../../core/arrays.js';
import { BOX, copyBox } from '../../core/box.js';
import { IdList, IdSet } from '../../core/ids.js';
import { OccluderMesh } from '../../occlusion/OccluderMesh.js';
import { Packed } from '../../packed/Packed.js';
import type { ScreenView } from '../../scene/ask/cameraViews.js';
import { squareToEye } from '../../scene/ask/SceneLimits.js';
import { geometryFacts } from '../../scene/facts/GeometryFacts.js';
import type { Entries } from '../../scene/follow/Entries.js';
import { isInMemory } from '../../scene/objects/attributes.js';
import { triangleCount } from '../../scene/objects/drawnAttributes.js';
import type { ObjectRecord } from '../../scene/objects/ObjectRecord.js';
import type { Flags } from '../../three/kinds.js';
import { type OccludingInstance, occludingInstances } from './InstanceOccluders.js';

/** Most meshes in the buffer: rooms need 64, streets half of that; more meshes hide next to nothing besides. */
export const MOST_OCCLUDERS = 64;
/** Most triangles of all meshes in the buffer; drawing so many takes about a millisecond. */
export const MOST_TRIANGLES = 4096;

/** An entry is small for its world below this share of the least worth among the best percent of all entries. */
const SMALL_WORTH = 1 / 256;
const BEST = 0.99;
/** Triangles that halve the worth of a mesh. */
const MANY_TRIANGLES = 256;
/** A mesh with more than this share of the most triangles never hides. */
const LARGEST_SHARE = 1 / 4;
/** The least size of an occluder worth drawing: pixels of the buffer, by the largest face of its box. */
const LEAST_PIXELS = 24;
/** Candidates per occluder that may be drawn, as some turn out to be hidden themselves. */
const SPARE_CANDIDATES = 4;
/** Occluders that were of use in the last picture of a camera count as so many times as large. */
const LOYALTY = 4;
/** After the number of entries has changed by this factor, the threshold for small entries is found anew. */
const CHANGE = 2;

/** In place of an id of the index of occluders, for entries that are no candidates. */
const NO_OCCLUDER = -1;

/** A candidate for hiding other objects: an entry, or an instance of an entry. */
export interface Candidate {
  readonly record: ObjectRecord;
  /** The instance; null for an entry as a whole. */
  readonly instance: OccludingInstance | null;
}

/**
 * The entries of a scene that may hide others, and their instances, without small ones, in an index of their own.
 * Whether a candidate really can hide others is decided when it is drawn, as materials change at any time.
 */
export class Occluders {
  readonly #entries: Entries;
  readonly #onChange: (id: number) => void;
  readonly #index = new Packed();
  /** Entries of the scene that came, went or got other boxes. */
  readonly #changed = new IdSet();
  readonly #list = new IdList();
  /** Ids of the index of occluders, by id of the scene's index. */
  readonly #ids: number[] = [];
  /** The records that had the ids of the scene's index when the entries were read. */
  readonly #known: (ObjectRecord | null)[] = [];
  /** Candidates by id of the index of occluders. */
  readonly candidates: (Candidate | null)[] = [];
  #worth = new Float64Array(64);
  boxes: Float64Array = new Float64Array(BOX * 64);
  #least = 0;
  #count = -1;
  #updates = 0;
  /** The instances of each entry: ids in the index of occluders, largest sum of terms, the update that read them. */
  readonly #instances = new Map<ObjectRecord, { ids: readonly number[]; terms: number; update: number }>();
  /** Entries whose instances changed in consecutive pictures: they are measured once they rest. */
  readonly #restless = new Set<ObjectRecord>();
  version = 0;
  /** Grows with each candidate that comes or goes: the ids that {@link choose} lists hold until then. */
  members = 0;

  /** Entries that are drawn by matrices of instances. */
  readonly instanced: Set<ObjectRecord> = new Set();

  /** @param onChange Called with the id of each entry that came, went, moved or got another shape. */
  constructor(entries: Entries, onChange: (id: number) => void) {
    this.#entries = entries;
    this.#onChange = onChange;
    entries.listeners.add(this.#changed);
  }

  dispose(): void {
    this.#entries.listeners.delete(this.#changed);
  }

  /**
   * The largest sum of terms by which a program computes a world coordinate of an instance that may hide others. The
   * origins of meshes with instances count as well.
   */
  get magnitude(): number {
    let most = 0;
    for (const { terms } of this.#instances.values()) most = Math.max(most, terms);
    for (const { object } of this.instanced) {
      const { elements: e } = object.matrixWorld;
      most = Math.max(most, Math.abs(e[12]), Math.abs(e[13]), Math.abs(e[14]));
    }
    return most;
  }

  update(): void {
    const size = Math.max(16, this.#entries.measured.size);
    if (this.#count < 0 || size > CHANGE * this.#count || CHANGE * size < this.#count) this.#findLeast();
    const list = this.#list;
    this.#changed.drain(list);
    this.#updates++;
    const rested = [...this.#restless];
    this.#restless.clear();
    if (list.length === 0 && rested.length === 0) return;
    this.version++;
    const { records } = this.#entries.byId;
    for (let i = 0; i < list.length; i++) this.#take(list.ids[i], records[list.ids[i]] ?? null);
    for (const record of rested) if (record.id >= 0 && !this.#instances.has(record)) this.#takeInstances(record);
  }

  /** Finds the least worth of a candidate in this world, by the worths of all entries; all are then read anew. */
  #findLeast(): void {
    const records = this.#entries.byId.records.filter((record) => record !== null);
    for (const { id } of records) this.#changed.add(id);
    const worths = records.map((record) => this.#worthOf(record)).sort((a, b) => a - b);
    this.#least = SMALL_WORTH * (worths[Math.floor(BEST * (worths.length - 1))] ?? 0);
    this.#count = Math.max(records.length, 16);
  }

  #take(id: number, record: ObjectRecord | null): void {
    for (let n = this.#known.length; n <= id; n++) {
      this.#known.push(null);
      this.#ids.push(NO_OCCLUDER);
    }
    const last = this.#known[id];
    if (last !== null && last !== record) {
      this.#keep(id, last, 0);
      this.instanced.delete(last);
      this.#restless.delete(last);
      this.#dropInstances(last);
    }
    this.#known[id] = record;
    this.#onChange(id);
    if (record === null) return;
    if (record.hasInstances) {
      this.instanced.add(record);
      this.#takeInstances(record);
    }
    // The instances come first, as `#worthOf` leaves the entry's box in `box` for `#keep`.
    this.#keep(id, record, this.#worthOf(record));
  }

  /** Adds an entry as a whole to the candidates, or removes it, by its worth. */
  #keep(id: number, record: ObjectRecord, worth: number): void {
    const own = this.#ids[id];
    if (worth > 0 && worth >= this.#least) this.#ids[id] = this.#put(own, record, null, worth);
    else if (own !== NO_OCCLUDER) {
      this.#drop(own);
      this.#ids[id] = NO_OCCLUDER;
    }
  }

  /** Measures the instances of an entry, unless the last update has measured them: then they wait until they rest. */
  #takeInstances(record: ObjectRecord): void {
    const mesh = record.object as InstancedMesh;
    const last = this.#instances.get(record)?.update ?? Number.NEGATIVE_INFINITY;
    this.#dropInstances(record);
    if (!mesh.isInstancedMesh) return;
    if (last === this.#updates - 1) {
      this.#restless.add(record);
      return;
    }
    const triangles = trianglesOf(mesh.geometry);
    const found = triangles === 0 ? null : occludingInstances(mesh);
    if (found === null) return;
    const ids: number[] = [];
    found.found.forEach((instance, i) => {
      copyBox(found.boxes, BOX * i, box, 0);
      const worth = worthOfBox(triangles);
      if (worth > 0 && worth >= this.#least) ids.push(this.#put(NO_OCCLUDER, record, instance, worth));
    });
    this.#instances.set(record, { ids, terms: found.terms, update: this.#updates });
  }

  #dropInstances(record: ObjectRecord): void {
    for (const id of this.#instances.get(record)?.ids ?? []) this.#drop(id);
    this.#instances.delete(record);
  }

  /** Adds, or updates, the candidate of the box that was read last. */
  #put(own: number, record: ObjectRecord, instance: OccludingInstance | null, worth: number): number {
    let id = own;
    if (id === NO_OCCLUDER) {
      id = this.#index.add(box);
      this.members++;
    } else this.#index.update(id, box);
    if (id >= this.#worth.length) {
      this.#worth = grow(this.#worth, id + 1);
      this.boxes = grow(this.boxes, BOX * this.#worth.length);
    }
    if (this.candidates[id]?.record !== record || instance !== null) this.candidates[id] = { record, instance };
    this.#worth[id] = worth;
    this.boxes.set(box, BOX * id);
    return id;
  }

  #drop(id: number): void {
    this.#index.remove(id);
    this.candidates[id] = null;
    this.members++;
  }

  /** The largest face of an entry's box, weighted by fewness of triangles; 0 if it hides nothing. Reads the box. */
  #worthOf({ object, id }: ObjectRecord): number {
    const { isMesh, isSkinnedMesh, isInstancedMesh, isBatchedMesh } = object as Flags;
    if (!isMesh || isSkinnedMesh || isInstancedMesh || isBatchedMesh) return 0;
    const triangles = trianglesOf((object as Mesh).geometry);
    if (triangles === 0) return 0;
    this.#entries.measured.getBox(id, box);
    return worthOfBox(triangles);
  }

  /**
   * Lists the candidates in a view that are worth drawing, nearest first.
   * @param view The view, in pixels of the buffer.
   * @param useful Candidates that were of use in the last picture.
   */
  choose(planes: Float64Array, view: ScreenView, useful: ReadonlySet<Candidate>): number[] {
    const list = this.#list;
    this.#index.queryPlanes(planes, list);
    const boxes = this.boxes;
    const worth = this.#worth;
    const least = (4 * LEAST_PIXELS) / view.perRadius ** 2;
    const { ids, length } = list;
    if (scores.length < length) {
      scores = grow(scores, length);
      distances = grow(distances, length);
    }
    const candidates: number[] = [];
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const o = BOX * id;
      const square = view.isPerspective ? squareToEye(view, boxes, o) + 1e-6 : 1;
      let score = worth[id] / square;
      if (score < least) continue;
      if (useful.size > 0 && useful.has(this.candidates[id] as Candidate)) score *= LOYALTY;
      scores[candidates.length] = score;
      distances[candidates.length] = view.isPerspective ? square : along(boxes, o, view);
      candidates.push(id);
    }
    const chosen = Array.from(candidates.keys());
    if (chosen.length > SPARE_CANDIDATES * MOST_OCCLUDERS) {
      chosen.sort((a, b) => scores[b] - scores[a]);
      chosen.length = SPARE_CANDIDATES * MOST_OCCLUDERS;
    }
    chosen.sort((a, b) => distances[a] - distances[b]);
    return chosen.map((i) => candidates[i]);
  }

  /** The distance of a candidate from the eye of a view; 0 for no candidate. */
  distanceTo(id: number, view: ScreenView): number {
    return id < 0 ? 0 : Math.sqrt(squareToEye(view, this.boxes, BOX * id));
  }
}

const box = new Float64Array(BOX);

/** The worth of a candidate with the box that was read last. */
function worthOfBox(triangles: number): number {
  if (triangles > LARGEST_SHARE * MOST_TRIANGLES) return 0;
  const [x, y, z] = [box[3] - box[0], box[4] - box[1], box[5] - box[2]];
  // Thin things hide nothing: the worth is the product of the two largest sides.
  return Math.max(x * y, y * z, z * x) / (1 + triangles / MANY_TRIANGLES);
}

let scores = new Float64Array(256);
let distances = new Float64Array(256);

/** The distance of a box along the direction of a view: that of its nearest corner. */
function along(b: Float64Array, o: number, { fx: x, fy: y, fz: z }: ScreenView): number {
  return x * b[x > 0 ? o : o + 3] + y * b[y > 0 ? o + 1 : o + 4] + z * b[z > 0 ? o + 2 : o + 5];
}

/** How many triangles a geometry draws; 0 for a geometry whose vertices, or index, are not in memory. */
function trianglesOf(geometry: BufferGeometry | null | undefined): number {
  const position = geometry?.attributes?.position as BufferAttribute | undefined;
  if (!geometry || position?.itemSize !== 3 || !isInMemory(position)) return 0;
  return geometry.index === null || isInMemory(geometry.index) ? triangleCount(geometry) : 0;
}

/** Meshes by geometry, with the stamps of the shape and index from which they were made. */
const meshes = new WeakMap<BufferGeometry, { shape: number; index: number; mesh: OccluderMesh }>();

/** The mesh by which the buffer draws a geometry, cached until that changes; null without triangles in memory. */
export function occluderMeshOf(geometry: BufferGeometry): OccluderMesh | null {
  if (trianglesOf(geometry) === 0) {
    meshes.delete(geometry);
    return null;
  }
  const facts = geometryFacts(geometry);
  const shape = facts.lookAtShape();
  const index = facts.lookAtIndex();
  const known = meshes.get(geometry);
  if (known?.shape === shape && known.index === index) return known.mesh;
  const { attributes, drawRange } = geometry;
  const position = attributes.position as BufferAttribute;
  const { start, count } = drawRange;
  const isPlain = position.array instanceof Float32Array && (position as { data?: unknown }).data === undefined;
  const numbers = isPlain ? position.array : read(position);
  const mesh = new OccluderMesh(numbers, geometry.index?.array ?? null, Math.max(0, start), count + Math.min(0, start));
  meshes.set(geometry, { shape, index, mesh });
  return mesh;
}

/** Positions as shaders get them, also from interleaved attributes and scaled integers. */
function read(position: BufferAttribute): Float32Array {
  const numbers = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; i++) {
    numbers[3 * i] = position.getX(i);
    numbers[3 * i + 1] = position.getY(i);
    numbers[3 * i + 2] = position.getZ(i);
  }
  return numbers;
}
