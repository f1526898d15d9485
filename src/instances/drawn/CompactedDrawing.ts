import {
  type Box3,
  type BufferGeometry,
  type InstancedBufferAttribute,
  type InstancedMesh,
  Matrix3,
  type Matrix4,
  type Object3D,
  Vector3,
} from 'three';
import { getOrMake } from '../../core/arrays.js';
import { IdList } from '../../core/ids.js';
import type { PartHider, Pass } from '../../passes/Pass.js';
import { Payoff, WEIGHTS } from '../../passes/Payoff.js';
import { withoutChildren } from '../../passes/withoutChildren.js';
import { bufferFacts } from '../../scene/facts/BufferFacts.js';
import { LastValues } from '../../scene/facts/LastValues.js';
import { isInMemory } from '../../scene/objects/attributes.js';
import { triangleCount } from '../../scene/objects/drawnAttributes.js';
import { forgetListener } from '../../three/ChildListeners.js';
import type { SceneRenderer } from '../../three/renderer.js';
import type { IndexedInstances } from '../table/IndexedInstances.js';
import type { InstanceTable } from '../table/InstanceTable.js';
import type { DrawingClient } from './BatchDrawing.js';
import { CompactedMesh } from './CompactedMesh.js';
import { InstanceLevels, type LevelChain, type LeveledMesh, SortedInstances } from './InstanceLevels.js';
import { canCompact } from './whyAllDrawn.js';

/** The meshes of a {@link View} not used for this many passes are freed. */
const PASSES_UNUSED = 2000;

type Client = Pick<DrawingClient, 'ask' | 'failed'>;

/** Per-renderer state, as each renderer has uploads of its own. */
class OfRenderer {
  readonly views = new Map<number, View>();
  /** Whether compacted meshes were drawn since the mesh itself, whose own buffers may then lack changes. */
  isBehind = false;
  /** The stamps of the mesh's attributes when the mesh itself was drawn last. */
  readonly drawn = new WeakMap<InstancedBufferAttribute, number>();
}

/** Per-pass state, by the number of the pass and the nesting of its render. */
class View {
  readonly payoff = new Payoff();
  readonly seen = new IdList();
  /** The seen instances of each level of detail. */
  readonly sorted = new SortedInstances();
  /** The objects that draw the instances of each level; without levels the first draws all. */
  readonly compacted: CompactedMesh[] = [];
  usedIn = 0;
  /** All values that decide about the list of seen instances. */
  readonly key = new LastValues();
  hiddenTriangles = 0;
}

/** Decides whether a pass draws an `InstancedMesh`, or a {@link CompactedMesh} of the seen instances, one per level. */
export class CompactedDrawing {
  readonly #mesh: InstancedMesh;
  readonly #client: Client;
  readonly #renderers = new WeakMap<SceneRenderer, OfRenderer>();
  readonly #used = new Set<View>();
  readonly #levels = new InstanceLevels();
  /** The last arrays of compacted meshes: pages may free an array that they believe to be uploaded. */
  readonly #arrays = new WeakMap<InstancedBufferAttribute, InstancedBufferAttribute['array']>();
  #passes = 0;
  /** Whether another object was ever drawn in place of the mesh, whose own buffers may then lack changes. */
  hasSubstituted = false;

  constructor(mesh: InstancedMesh, client: Client) {
    this.#mesh = mesh;
    this.#client = client;
    mesh.addEventListener('dispose', this.#free);
  }

  /**
   * Returns the mesh itself, or the object that a pass draws in its place.
   * @param isWhole Whether all instances have to be drawn.
   * @param leveled The owner of `chain`, the levels of detail of the mesh; null for none.
   * @param more Further objects to draw are added to it.
   */
  objectFor(
    pass: Pass,
    isWhole: boolean,
    leveled: LeveledMesh | null,
    chain: LevelChain | null,
    more: Object3D[],
  ): InstancedMesh {
    const ofRenderer = getOrMake(this.#renderers, pass.renderer, () => new OfRenderer());
    const compacted = isWhole ? null : this.#compactedFor(pass, ofRenderer.views, leveled, chain);
    if (compacted === null) {
      this.#catchUp(ofRenderer, pass.frustum);
      return this.#mesh;
    }
    this.hasSubstituted = ofRenderer.isBehind = true;
    for (const attribute of this.#attributes) this.#arrays.set(attribute, attribute.array);
    const [{ object }, ...others] = compacted;
    // Children of the mesh are drawn once.
    const isLeaf = this.#mesh.children.length === 0;
    for (const other of others) more.push(isLeaf ? other.object : withoutChildren(other.object));
    return object;
  }

  dispose(): void {
    forgetListener(this.#mesh, 'dispose', this.#free);
    this.#free();
    this.catchUp();
  }

  /** Has renderers upload the whole mesh, without ranges, if its own buffers may lack changes. */
  catchUp(): void {
    if (!this.hasSubstituted) return;
    for (const attribute of this.#attributes) attribute.clearUpdateRanges();
  }

  get #attributes(): InstancedBufferAttribute[] {
    const { instanceMatrix, instanceColor } = this.#mesh;
    return instanceColor === null ? [instanceMatrix] : [instanceMatrix, instanceColor];
  }

  /** Has all of the mesh uploaded, before it is drawn, if ranges of changes, or arrays with them, may be lost. */
  #catchUp(ofRenderer: OfRenderer, frustum: Pass['frustum']): void {
    const mesh = this.#mesh;
    const { drawn } = ofRenderer;
    const missing = this.#attributes.filter((attribute) => drawn.get(attribute) !== bufferFacts(attribute).lookAt());
    if (!ofRenderer.isBehind && missing.length === 0) return;
    if (mesh.frustumCulled && !mesh.intersectsFrustum(frustum)) return;
    if (ofRenderer.isBehind) this.catchUp();
    ofRenderer.isBehind = false;
    for (const attribute of missing) {
      drawn.set(attribute, bufferFacts(attribute).lookAt());
      const array = this.#arrays.get(attribute);
      if (array !== undefined && !isInMemory(attribute)) lend(attribute, array);
    }
  }

  #compactedFor(
    pass: Pass,
    views: Map<number, View>,
    leveled: LeveledMesh | null,
    chain: LevelChain | null,
  ): CompactedMesh[] | null {
    const mesh = this.#mesh;
    if (!canCompact(mesh, pass)) return null;
    const view = this.#viewOf(pass, views);
    // Hiding, or levels after a move of the camera, may come to spare most instances: these two take no rests.
    const hider = pass.hider?.mayHideIn(mesh) ? pass.hider : null;
    if (hider === null && chain === null && !view.payoff.takeTurn()) return null;
    const instances = this.#client.ask();
    if (instances === null) return null;
    const isSame = this.#look(pass.views, hider, instances, view);
    const { seen, sorted } = view;
    const { table, size } = instances;
    const levelViews = leveled?.views.of(pass) ?? null;
    const isSorted = leveled !== null && chain !== null && levelViews !== null;
    if (isSorted) this.#levels.sort(seen, isSame, table, mesh, chain, levelViews, leveled.views.errors, sorted);
    const spared = isSorted ? sorted.spared : -1;
    const pays = view.payoff.note(WEIGHTS.instance * (size - seen.length), WEIGHTS.copy * seen.length);
    if (!pays && spared <= 0) return null;
    const isCameraPass = isSorted && levelViews[1] === null;
    if (isCameraPass) leveled.note(seen.length * chain.triangles[0] - spared, spared);
    if (chain === null || spared <= 0) return [this.#compact(view, 0, seen, mesh.geometry, table)];
    const { lists } = sorted;
    const drawn = lists.map((_, level) => level).filter((level) => lists[level].length > 0);
    return drawn.map((level) => this.#compact(view, level, lists[level], chain.geometries[level], table));
  }

  /** Lists the instances that a pass sees; true when the list stays as it is, as nothing has changed. */
  #look(views: Pass['views'], hider: PartHider | null, instances: IndexedInstances, view: View): boolean {
    const mesh = this.#mesh;
    const { farthest, stamp } = instances.table;
    const key = view.key.beginRow();
    for (const planes of views) key.compareAll(planes);
    key.compareAll(mesh.matrixWorld.elements);
    key.compare(stamp);
    key.compare(hider?.found);
    if (key.takeSame()) {
      hider?.note(0, view.hiddenTriangles);
      return true;
    }
    const planes = views.map((world) => carryPlanes(world, mesh.matrixWorld, farthest));
    instances.cullRoughly(planes, view.seen);
    view.hiddenTriangles = 0;
    const triangles = hider === null ? 0 : triangleCount(mesh.geometry);
    if (hider === null || triangles < FEWEST_HIDDEN || !instances.table.shapes.every(isNear)) return false;
    const looks = view.seen.length;
    leaveOutHidden(mesh, instances, hider, view.seen);
    view.hiddenTriangles = triangles * (looks - view.seen.length);
    hider.note(looks, view.hiddenTriangles);
    return false;
  }

  /** Makes the object that draws some of the seen instances with a geometry. */
  #compact(view: View, level: number, seen: IdList, geometry: BufferGeometry, table: InstanceTable): CompactedMesh {
    const { compacted } = view;
    if (!compacted[level]?.fits(seen.length)) {
      compacted[level]?.dispose();
      const capacity = Math.min(2 * seen.length, this.#mesh.instanceMatrix.count);
      compacted[level] = new CompactedMesh(this.#mesh, capacity, this.#client.failed);
      this.#used.add(view);
    }
    view.usedIn = this.#passes;
    const one = compacted[level];
    one.seen = seen;
    one.table = table;
    if (one.object.geometry !== geometry) one.object.geometry = geometry;
    return one;
  }

  #viewOf({ nesting, number }: Pass, views: Map<number, View>): View {
    if (++this.#passes % PASSES_UNUSED === 0) {
      for (const view of this.#used) if (this.#passes - view.usedIn >= PASSES_UNUSED) this.#forget(view);
    }
    return getOrMake(views, number * 1024 + nesting, () => new View());
  }

  readonly #free = (): void => {
    for (const view of this.#used) this.#forget(view);
  };

  #forget(view: View): void {
    for (const compacted of view.compacted) compacted?.dispose();
    view.compacted.length = 0;
    this.#used.delete(view);
  }
}

/** Gives an attribute an array until it is uploaded. */
function lend(attribute: InstancedBufferAttribute, array: InstancedBufferAttribute['array']): void {
  const freed = attribute.array;
  const own = Object.getOwnPropertyDescriptor(attribute, 'onUploadCallback');
  attribute.array = array;
  attribute.onUploadCallback = () => {
    attribute.array = freed;
    if (own === undefined) Reflect.deleteProperty(attribute, 'onUploadCallback');
    else Object.defineProperty(attribute, 'onUploadCallback', own);
    attribute.onUploadCallback();
  };
}

/** Planes are moved outwards by this share of all coordinates, as graphics cards compute in single precision. */
const PLANE_ROUNDING = 2 ** -20;
/** The share for the near and far plane, whose positions are the difference of two large numbers. */
const DEPTH_ROUNDING = 2 ** -22;
/** Offsets of the far and the near plane among the numbers of a frustum. */
const ENDS = [16, 20] as const;
/** Offsets of three planes at the sides. */
const SIDE_PLANES = [0, 4, 8] as const;

/**
 * Carries the six planes of a frustum from the world into the frame of an object. They are moved outwards, by as much
 * as rounding may carry points into the picture on a graphics card.
 * @param farthest The largest coordinate of the points in the frame.
 */
function carryPlanes(planes: Float64Array, matrixWorld: Matrix4, farthest: number): Float64Array {
  const { elements: e } = matrixWorld;
  const local = new Float64Array(24);
  const beyond = depthError(planes);
  for (let p = 0; p < 24; p += 4) {
    const [x, y, z, constant] = planes.subarray(p, p + 4);
    const moved = constant + (p >= ENDS[0] ? beyond : 0);
    // Planes go from the world to the mesh by the transposed matrix, projective or not.
    for (let c = 0; c < 4; c++)
      local[p + c] = x * e[4 * c] + y * e[4 * c + 1] + z * e[4 * c + 2] + moved * e[4 * c + 3];
    const length = Math.hypot(local[p], local[p + 1], local[p + 2]);
    const size = Math.abs(constant) + Math.abs(x * e[12] + y * e[13] + z * e[14]);
    for (let c = 0; c < 4; c++) local[p + c] /= length;
    local[p + 3] += PLANE_ROUNDING * (size / length + farthest);
  }
  return local;
}

/**
 * How far off a graphics card may put the far plane of a perspective camera. In clip space z and w differ there by the
 * distance of the near plane alone, and are rounded by a share of the distance of the far plane.
 */
function depthError(planes: Float64Array): number {
  const normals = SIDE_PLANES.map((p) => normal.fromArray(planes, p).clone());
  matrix.set(...(normals.flatMap((n) => n.toArray()) as Parameters<Matrix3['set']>));
  // The sides of an orthographic camera meet nowhere: its error is 0.
  if (Math.abs(matrix.determinant()) < 1e-9) return 0;
  eye
    .set(-planes[SIDE_PLANES[0] + 3], -planes[SIDE_PLANES[1] + 3], -planes[SIDE_PLANES[2] + 3])
    .applyMatrix3(matrix.invert());
  const [a, b] = ENDS.map((p) => Math.abs(normal.fromArray(planes, p).dot(eye) + planes[p + 3]));
  const error = (DEPTH_ROUNDING * Math.max(a, b) ** 2) / Math.min(a, b);
  return Number.isFinite(error) ? error : Number.POSITIVE_INFINITY;
}

const matrix = new Matrix3();
const normal = new Vector3();
const eye = new Vector3();

/** Fewest triangles of an instance tested for being hidden: a graphics card draws so many in the time of a test. */
const FEWEST_HIDDEN = 100;
/** Geometries may lie so many times their size away from their origin. */
const FARTHEST_SIZES = 4;
/** Share by which programs round a position in the mesh, then in the world: each is a sum of four products. */
const PROGRAM_ROUNDING = 2 ** -21;

/**
 * Takes instances out of a list that are hidden behind other draws of the pass.
 *
 * A program carries a vertex v by the matrix M of its instance, then by W of the mesh: it adds up terms of at most
 * |W| (|M| |v| + |m|) + |w|, and boxes grow by the share of these that is lost in rounding. A coordinate of |M| |v| is at
 * most three times the scale of M times |v|, and |v| is at most four times the size s of the geometry, see {@link
 * isNear}. The ball around the instance has a diameter of at least the scale times s, and at most twice the farthest
 * coordinate f of any instance. So |M| |v| is at most 24 f, and |m| at most 25 f, as their sum lies within f.
 */
function leaveOutHidden(mesh: InstancedMesh, instances: IndexedInstances, hider: PartHider, seen: IdList): void {
  const terms = 49 * instances.table.farthest;
  const { elements } = mesh.matrixWorld;
  const { ids, length } = seen;
  let kept = 0;
  for (let i = 0; i < length; i++) {
    const id = ids[i];
    const hasBox = instances.getBox(id, box);
    if (hasBox) toWorld(box, elements, terms);
    if (!hasBox || !hider.isHidden(box)) ids[kept++] = id;
  }
  seen.length = kept;
}

/** True for a shape that lies near its origin, relative to its size. */
function isNear({ box: { min, max } }: { box: Box3 }): boolean {
  const size = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
  const reach = Math.max(-min.x, -min.y, -min.z, max.x, max.y, max.z);
  return reach <= FARTHEST_SIZES * size;
}

/** Carries a box to the world, and grows it by the rounding errors there. */
function toWorld(b: Float64Array, e: readonly number[], terms: number): void {
  for (let r = 0; r < 3; r++) {
    let [center, half, rounded] = [e[12 + r], 0, Math.abs(e[12 + r])];
    for (let c = 0; c < 3; c++) {
      const factor = e[4 * c + r];
      center += (factor * (b[c] + b[c + 3])) / 2;
      half += (Math.abs(factor) * (b[c + 3] - b[c])) / 2;
      rounded += Math.abs(factor) * terms;
    }
    half += PROGRAM_ROUNDING * rounded;
    corners[r] = center - half;
    corners[r + 3] = center + half;
  }
  b.set(corners);
}

const box = new Float64Array(6);
const corners = new Float64Array(6);
