import { BufferAttribute, BufferGeometry, type InstancedMesh, type Material, type Object3D } from 'three';
import type { LevelChain, LeveledMesh } from '../instances/drawn/InstanceLevels.js';
import type { LevelView, LevelViews } from '../instances/drawn/LevelViews.js';
import { isWhole } from '../scene/facts/GeometryFacts.js';
import { LastValues } from '../scene/facts/LastValues.js';
import { materialFacts } from '../scene/facts/MaterialFacts.js';
import { keepArray } from '../scene/objects/drawnAttributes.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { ruleFor } from '../scene/objects/rules.js';
import * as FACTS from '../three/materialBits.js';
import type { DrawRange, KnownGeometry } from './KnownGeometry.js';
import { type LeveledDraw, type LeveledGroup, type LeveledPart, TRIANGLES } from './LeveledPart.js';
import type { Levels } from './levels/makeLevels.js';
import type { MaterialGeometryCache } from './MaterialGeometryCache.js';
import { type LevelReason, setsFor } from './whyNoLevels.js';
import type { AloneReason } from './whyNotBatched.js';

/** Bits of materials with which the order of instances counts: with levels, they are drawn level by level. */
const ORDERED =
  FACTS.transparent |
  FACTS.blending |
  FACTS.noDepthTest |
  FACTS.noDepthWrite |
  FACTS.depthFunc |
  FACTS.stencilWrite |
  FACTS.noColor;

export interface InstancesQueue {
  readonly views: LevelViews;
  readonly instances: Map<Object3D, unknown>;
  enter(draw: LeveledDraw): void;
  leave(draw: LeveledDraw): void;
  whyNone(draw: LeveledDraw): LevelReason | null;
  /** Calls back before the next picture. */
  whenDrawn(free: () => void): void;
}

/** A draw of the instances: the whole geometry, or a geometry group with a material of its own. */
interface InstancedDraw extends LeveledDraw {
  readonly owner: LeveledInstances;
  readonly materialIndex: number;
}

/**
 * The levels of detail of a mesh with instances: geometries with indices of their own over the vertices of the page.
 * With a list of materials they combine levels of the geometry groups: a group with fewer gives its coarsest, or all.
 */
export class LeveledInstances implements LeveledMesh {
  readonly record: ObjectRecord;
  readonly views: LevelViews;
  isLeveled = true;
  readonly #queue: InstancesQueue;
  readonly #cache: MaterialGeometryCache;
  readonly #rules: WeakMap<Object3D, boolean>;
  #known: KnownGeometry;
  #draws: InstancedDraw[] = [];
  readonly #values = new LastValues();
  #chain: LevelChain | null = null;
  #isStale = false;
  /** The levels from which the chain was made. */
  readonly #taken = new Set<Levels | null>();
  /** The view of the last picture with the mesh; `#drawn` and `#spared` are the triangles drawn and spared in it. */
  #lastView: LevelView | null = null;
  #drawn = 0;
  #spared = 0;

  constructor(
    record: ObjectRecord,
    queue: InstancesQueue,
    cache: MaterialGeometryCache,
    rules: WeakMap<Object3D, boolean>,
  ) {
    this.record = record;
    this.views = queue.views;
    this.#queue = queue;
    this.#cache = cache;
    this.#rules = rules;
    this.#known = cache.geometry(this.#mesh.geometry);
  }

  get #mesh(): InstancedMesh {
    return this.record.object as InstancedMesh;
  }

  get first(): LeveledDraw | null {
    return this.#draws[0] ?? null;
  }

  /** How many levels the mesh is drawn by; 0 for none. */
  get levels(): number {
    return this.#chain?.least.length ?? 0;
  }

  takeChain(): LevelChain | null {
    if (!this.#takeSame()) this.#renew();
    if (this.#isStale) this.#makeChain();
    return this.#chain !== null && this.#isWorth(this.#chain) ? this.#chain : null;
  }

  note(drawn: number, spared: number): void {
    this.#lastView = this.views.last;
    this.#drawn = drawn;
    this.#spared = spared;
  }

  /** The triangles of the mesh in the last picture, drawn and spared; null if the picture drew it without levels. */
  get triangles(): { drawn: number; spared: number } | null {
    const isShown = this.#lastView !== null && this.#lastView === this.views.last;
    return isShown ? { drawn: this.#drawn, spared: this.#spared } : null;
  }

  /** Why the geometry cannot have levels, whatever mesh draws it; null for another reason, or none. */
  get geometryReason(): AloneReason | null {
    return this.#known.reason;
  }

  /** Why the mesh has no levels; null for a mesh that has some. */
  whyNone(): LevelReason | null {
    if (!this.isLeveled) return 'notAllowed';
    if (this.#isOrdered) return 'ordered';
    const reasons = this.#draws.map((draw) => this.#queue.whyNone(draw));
    const isWaiting = reasons.includes('waiting');
    // Levels that another mesh had made are drawn before batches have them.
    if (this.#chain !== null && (isWaiting || reasons.includes(null)))
      return this.#isWorth(this.#chain) ? null : 'alone';
    if (isWaiting || (this.#isStale && reasons.includes(null))) return 'waiting';
    return reasons.find((why) => why !== null) ?? 'part';
  }

  #isWorth({ triangles }: LevelChain): boolean {
    return this.#mesh.count * (triangles[0] - (triangles.at(-1) ?? 0)) >= TRIANGLES;
  }

  dispose(): void {
    const { instances } = this.#queue;
    this.#leave();
    // The mesh may have come back, with other levels.
    if (instances.get(this.record.object) === this) instances.delete(this.record.object);
  }

  get #materials(): readonly Material[] {
    return [this.#mesh.material].flat();
  }

  get #isOrdered(): boolean {
    return this.#materials.some((material) => material && (materialFacts(material).bits & ORDERED) !== 0);
  }

  /** Compares the properties that the levels depend on with their values at the last call. */
  #takeSame(): boolean {
    const { geometry } = this.#mesh;
    // Batches may not have compared the geometry in this picture.
    this.#known = this.#cache.geometry(geometry).compare();
    this.isLeveled = ruleFor(this.record, this.#rules) ?? true;
    const values = this.#values.beginRow();
    values.compare(this.#known);
    values.compare(this.#known.revision);
    values.compare(this.isLeveled);
    values.compare(this.#isOrdered);
    for (const material of this.#materials) {
      values.compare(material);
      values.compare(material && setsFor(material));
    }
    return values.takeSame();
  }

  #leave(): void {
    for (const draw of this.#draws) this.#queue.leave(draw);
    this.#draws = [];
    this.#free();
  }

  /** Asks for levels of the parts that the mesh draws now. */
  #renew(): void {
    this.#leave();
    if (this.#known.reason !== null || !isWhole(this.#mesh.geometry) || this.#isOrdered) return;
    const { material, geometry } = this.#mesh;
    const all = (geometry.index ?? geometry.attributes.position).count;
    if (Array.isArray(material)) {
      for (const { start, count, materialIndex = 0 } of geometry.groups) {
        const range = { start, count: Math.min(count, all - start) };
        if (material[materialIndex] && range.count > 0) this.#add(range, material[materialIndex], materialIndex);
      }
    } else this.#add({ start: 0, count: all }, material, 0);
    this.#isStale = true;
  }

  #add(range: DrawRange, drawn: Material, materialIndex: number): void {
    const { count } = this.#mesh;
    const takeLevels = (part: LeveledPart): void => {
      this.#isStale ||= !this.#taken.has(part.levels);
    };
    const group: LeveledGroup = { drawn, isLeveled: true, instances: count, takeLevels };
    const draw = {
      owner: this,
      next: null,
      group,
      joined: { geometry: this.#known },
      range,
      part: null,
      materialIndex,
    };
    this.#draws.push(draw);
    this.#queue.enter(draw);
  }

  #makeChain(): void {
    this.#isStale = false;
    this.#free();
    const leveled = this.#draws.map(({ part, group }) => (part?.hasLevels(setsFor(group.drawn)) ? part : null));
    for (const part of leveled) if (part !== null) this.#taken.add(part.levels);
    const length = Math.max(0, ...leveled.map((part) => part?.levels?.counts.length ?? 0));
    if (length === 0) return;
    const geometries = [this.#mesh.geometry];
    const least: number[] = [];
    const triangles = [triangleSum(this.#draws.map(({ range }) => range.count))];
    for (let level = 1; level <= length; level++) {
      const counts = this.#draws.map(({ range }, i) => countAt(leveled[i], level) ?? range.count);
      const errors = leveled.map((part) => part?.levels?.errors[numberOfLevel(part, level)] ?? 0);
      geometries.push(this.#geometryOf(leveled, counts, level));
      least.push(1 / Math.max(...errors));
      triangles.push(triangleSum(counts));
    }
    this.#chain = { geometries, least: Float64Array.from(least), triangles };
    this.#mesh.geometry.addEventListener('dispose', this.#onDispose);
  }

  /** A geometry with the vertices of the page, and a level of each draw. */
  #geometryOf(leveled: readonly (LeveledPart | null)[], counts: readonly number[], level: number): BufferGeometry {
    const { geometry } = this.#mesh;
    const made = new BufferGeometry();
    for (const name in geometry.attributes) made.setAttribute(name, geometry.attributes[name]);
    made.boundingBox = geometry.boundingBox;
    made.boundingSphere = geometry.boundingSphere;
    const [part] = leveled;
    if (!Array.isArray(this.#mesh.material))
      return made.setIndex((part as LeveledPart).indices[numberOfLevel(part, level)]);
    const index = new Uint32Array(counts.reduce((sum, count) => sum + count, 0));
    let start = 0;
    for (const [i, { range, materialIndex }] of this.#draws.entries()) {
      const at = numberOfLevel(leveled[i], level);
      if (at >= 0) index.set((leveled[i] as LeveledPart).indices[at].array, start);
      else
        for (let k = 0; k < range.count; k++)
          index[start + k] = geometry.index?.getX(range.start + k) ?? range.start + k;
      made.addGroup(start, counts[i], materialIndex);
      start += counts[i];
    }
    return made.setIndex(keepArray(new BufferAttribute(index, 1)));
  }

  /** Called when the page has freed the buffers, which the vertex arrays of renderers still refer to. */
  readonly #onDispose = (): void => {
    this.#isStale = true;
  };

  #free(): void {
    const [own, ...levels] = this.#chain?.geometries ?? [];
    own?.removeEventListener('dispose', this.#onDispose);
    if (levels.length > 0) this.#queue.whenDrawn(() => levels.forEach(freeLevel));
    this.#chain = null;
    this.#taken.clear();
    this.#lastView = null;
  }
}

/** Has renderers free the buffers of a level, and keep those of the page. */
function freeLevel(made: BufferGeometry): void {
  // The index of a whole mesh is shared with other meshes.
  if (made.groups.length === 0) made.setIndex(null);
  for (const name of Object.keys(made.attributes)) made.deleteAttribute(name);
  made.dispose();
}

/** The level of a part that is drawn in a level of the mesh: the last one if the part has no more; -1 for none. */
function numberOfLevel(part: LeveledPart | null, level: number): number {
  return Math.min(level, part?.levels?.counts.length ?? 0) - 1;
}

function countAt(part: LeveledPart | null, level: number): number | undefined {
  return part?.levels?.counts[numberOfLevel(part, level)];
}

function triangleSum(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0) / 3;
}
