import {
  type Camera,
  type DirectionalLight,
  Frustum,
  type InstancedMesh,
  Matrix4,
  type Mesh,
  type Object3D,
  Sphere,
} from 'three';
import { type Flags, isDrawable } from '../scene/objects/ObjectRecord.js';
import { MOST_LISTED } from './Gate.js';

/**
 * Prices in nanoseconds, by which counts are weighed: from `npm run bench:frames` in Chromium, rounded, and such that
 * what is said to pay does not cost more in Node's older V8 either. Only their ratios matter.
 */
const PRICE = {
  /** What three spends on an object out of view, in each pass. */
  test: 100,
  /** What three spends on the matrices of an object, which the index skips for a static one. */
  matrices: 120,
  /** What three spends on an object when a ray is cast at the scene. */
  cast: 50,
  /** What three spends on a mesh in view and its draw call. */
  draw: 1500,
  /** What an index costs per picture, and beyond three's matrices per object that may move, and more for one that did. */
  index: 10_000,
  look: 30,
  move: 300,
  /** What a batch costs per picture, per mesh in it, more per mesh that moved, and per material. */
  batch: 110_000,
  seat: 300,
  reseat: 150,
  material: 700,
};

/**
 * An index has to spare as much per picture. It takes some milliseconds to make, and new code runs slowly at first: less
 * would take a minute of pictures to come back.
 */
const LEAST = 50_000;
/**
 * What loading the code of batches costs, and running it for the first times. It is least welcome while a page starts, so
 * batches wait until they would spare as much in the next two seconds of pictures, or would have spared it in those so far.
 */
const FIRST_BATCHES = 150e6;
const SOON = 120;
/** Some milliseconds of work, on a machine of today. */
const SLICE = 1000;
/** Fewer objects are not worth a query, and fewer meshes not worth batches. */
const FEWEST = 64;

/** As in `CulledMesh`, whose code is loaded when a scene has such a mesh. */
const MANY_INSTANCES = 256;

/** Objects looked at for all of a scene, evenly spread over it. */
const SAMPLE = 32;
/**
 * Consecutive pictures of one look. A motion may stop every other picture, and an effect may render several pictures of
 * one frame, in which nothing moves: so one pair of pictures does not tell.
 */
const PICTURES = 7;
/** Weight of a look in averages. */
const WEIGHT = 0.25;
/** Pictures between two looks: at first, and at most while looks keep saying the same. */
const SHORTEST = 16;
const LONGEST = 256;

/**
 * What an index would spare a scene, and what it would cost, in the present pictures. It is estimated by counts, never by
 * a clock, so the same pictures always lead to the same answer: the objects are counted once per look, and a sample of
 * them is watched over some pictures: how many are out of view, how many move, and how many are alike.
 */
export class Prospects {
  readonly #scene: Object3D;
  readonly #isBatched: boolean;
  #wait = 1;
  #pause = SHORTEST;
  /** The pause after the next index that did not pay. */
  #patience = SHORTEST;
  #picture = 0;
  /** Held weakly, as no picture may follow. */
  #sample: WeakRef<Object3D>[] = [];
  readonly #matrices = new Float64Array(16 * 2 * SAMPLE);
  #objects = 0;
  #drawables = 0;
  #statics = 0;
  #hasInstances = false;
  #lights: WeakRef<DirectionalLight>[] = [];
  /** Of the pictures of this look: tests of objects of the sample, those that were out of view, and moves. */
  #tests = 0;
  #outside = 0;
  #moves = 0;
  /** The share of tests that found an object out of view, over several looks: cameras turn. */
  #averageOutside = 0;
  #isFirst = true;
  /** What batches would have spared so far. */
  #foregone = 0;
  /** Since the last look. */
  #picturesSince = 0;
  #casts = 0;

  /** @param isBatched Whether similar meshes would be drawn in batches. */
  constructor(scene: Object3D, isBatched: boolean) {
    this.#scene = scene;
    this.#isBatched = isBatched;
  }

  /**
   * To be called after each picture.
   * @param casts Rays cast at the scene since the last picture.
   * @param batches The number of batches; null while there is no index, or not yet the code for them.
   * @returns what the index spares by what it costs, once a look has ended; above 1 it pays. Null in between.
   */
  afterPicture(camera: Camera, casts: number, batches: number | null): number | null {
    this.#casts += casts;
    this.#picturesSince++;
    if (this.#wait > 0) {
      this.#wait--;
      return null;
    }
    if (this.#picture === 0) this.#begin();
    this.#watch(camera);
    if (++this.#picture < PICTURES && !this.#hasInstances) return null;
    const worth = this.#worth(batches);
    this.#end();
    return worth;
  }

  /** The number of objects that each update should follow while the scene wakes. */
  get slice(): number {
    return SLICE;
  }

  /** Looks again soon, as the last look found what is to be confirmed. */
  hurry(): void {
    this.#wait = Math.min(this.#wait, SHORTEST);
  }

  /** Looks often again, as there is an index now. */
  watchIndex(): void {
    this.#wait = this.#pause = SHORTEST;
  }

  /** Waits longer each time: what a look promised did not come, or not for long. */
  afterIndex(): void {
    this.#patience = Math.min(4 * this.#patience, 16 * LONGEST);
    this.#wait = this.#pause = this.#patience;
  }

  #end(): void {
    this.#picture = 0;
    this.#wait = this.#pause;
    this.#pause = Math.max(this.#pause, Math.min(1.5 * this.#pause, LONGEST));
    this.#sample = [];
    this.#lights = [];
    this.#casts = this.#picturesSince = 0;
  }

  /** Counts the scene, and chooses the sample: every so many drawables, twice as many whenever it gets too large. */
  #begin(): void {
    this.#objects = this.#drawables = this.#statics = this.#tests = this.#outside = this.#moves = 0;
    this.#hasInstances = false;
    const sample: Object3D[] = [];
    let stride = 1;
    const visit = (object: Object3D & Flags, isShown: boolean): void => {
      this.#objects++;
      if (object.static === true) this.#statics++;
      const isVisible = isShown && object.visible;
      if (isVisible && isDrawable(object)) {
        if (this.#drawables++ % stride === 0) sample.push(object);
        if (sample.length === 2 * SAMPLE) {
          for (let i = 0; i < SAMPLE; i++) sample[i] = sample[2 * i];
          sample.length = SAMPLE;
          stride *= 2;
        }
        const { count, instanceCount } = object as Partial<InstancedMesh & { instanceCount: number }>;
        this.#hasInstances ||=
          (object.isInstancedMesh || object.isBatchedMesh) === true && (instanceCount ?? count ?? 0) >= MANY_INSTANCES;
      } else if (isVisible && object.isLight && object.castShadow)
        this.#lights.push(new WeakRef(object as DirectionalLight));
      for (const child of object.children) visit(child, isVisible);
    };
    visit(this.#scene, true);
    this.#sample = sample.map((object) => new WeakRef(object));
  }

  #watch(camera: Camera): void {
    const frusta = [frustumOf(camera), ...this.#lights.map((light) => light.deref()?.shadow?.getFrustum())];
    const sample = this.#sample;
    for (let i = 0; i < sample.length; i++) {
      const object = sample[i].deref();
      if (object === undefined) continue;
      if (this.#hasMoved(i, object) && this.#picture > 0) this.#moves++;
      for (const frustum of frusta) {
        this.#tests++;
        if (frustum && isOutside(object, frustum)) this.#outside++;
      }
    }
  }

  /** Compares the world matrix of an object of the sample with that of the last picture, and keeps it. */
  #hasMoved(place: number, { matrixWorld: { elements } }: Object3D): boolean {
    const matrices = this.#matrices;
    let hasMoved = false;
    for (let i = 0, k = 16 * place; i < 16; i++, k++) {
      hasMoved ||= matrices[k] !== elements[i];
      matrices[k] = elements[i];
    }
    return hasMoved;
  }

  #worth(batches: number | null): number {
    if (this.#hasInstances) return Number.POSITIVE_INFINITY;
    const sampled = this.#sample.length;
    if (sampled === 0) return 0;
    const dynamic = this.#objects - this.#statics;
    const moved = this.#moves / ((PICTURES - 1) * sampled);
    // Every so many passes: the camera's, and one for each light, of a sample of the objects.
    const passes = this.#tests / (PICTURES * sampled);
    const now = this.#outside / this.#tests;
    this.#averageOutside += (now - this.#averageOutside) * (this.#isFirst ? 1 : WEIGHT);
    this.#isFirst = false;
    const outside = this.#averageOutside;
    const isListed = this.#drawables >= FEWEST && outside >= 1 - MOST_LISTED;
    const cost = PRICE.index + dynamic * (PRICE.look + moved * PRICE.move);
    let spared = this.#statics * PRICE.matrices;
    if (isListed) spared += passes * outside * this.#drawables * PRICE.test;
    spared += (this.#casts / this.#picturesSince) * this.#drawables * PRICE.cast;
    if (this.#isBatched && batches !== 0) {
      const seen = this.#drawables * (1 - outside);
      const { alike, kinds, materials } = countAlike(this.#sample.flatMap((each) => each.deref() ?? []));
      const batched = seen * alike;
      const gain = Math.max(0, batched - kinds) * PRICE.draw;
      const each = PRICE.seat + moved * PRICE.reseat + materials * PRICE.material;
      const price = kinds * PRICE.batch + batched * each;
      // Batches cost what they cost as long as there are some, and come with an index that is made anyway.
      const mayPay = batched >= FEWEST && gain > price;
      if (batches !== null || (mayPay && (spared > cost || this.#forego(gain - price)))) spared += gain - price;
    }
    const worth = spared / cost;
    return spared - cost < LEAST ? Math.min(worth, 1) : worth;
  }

  /**
   * Notes what is foregone without batches.
   * @param gain What they would spare in each picture.
   * @returns true when they are to wait no longer.
   */
  #forego(gain: number): boolean {
    this.#foregone += gain * this.#picturesSince;
    const missing = FIRST_BATCHES - this.#foregone;
    if (missing <= 0 || gain * SOON >= FIRST_BATCHES) return true;
    // The next look comes when nothing is missing any more, should all stay as it is.
    this.#pause = Math.min(this.#pause, Math.max(SHORTEST, Math.ceil(missing / gain)));
    return false;
  }
}

const frustum = new Frustum();
const matrix = new Matrix4();
const sphere = new Sphere();

function frustumOf(camera: Camera): Frustum {
  matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  return frustum.setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
}

/** True when the bounding sphere that the renderer tests is out of view; false for what it does not test. */
function isOutside(object: Object3D, view: Frustum): boolean {
  const { boundingSphere, geometry } = object as Partial<InstancedMesh>;
  const bounds = boundingSphere ?? geometry?.boundingSphere;
  if (!object.frustumCulled || !bounds) return false;
  return !view.intersectsSphere(sphere.copy(bounds).applyMatrix4(object.matrixWorld));
}

/** What batches could draw of a sample. */
interface Alike {
  /** The share of it that is like another mesh in it, by what a batch has to share. */
  alike: number;
  /** The number of kinds of these. */
  kinds: number;
  /** Materials by objects: 1 where each has its own. */
  materials: number;
}

function countAlike(sample: readonly Object3D[]): Alike {
  const counts = new Map<string, number>();
  const materials = new Set<unknown>();
  for (const object of sample) {
    const { material, geometry } = object as Partial<Mesh>;
    const first = Array.isArray(material) ? material[0] : material;
    if (first === undefined || geometry === undefined) continue;
    materials.add(first);
    const { map } = first as { map?: { id: number } | null };
    const kind = [first.type, first.transparent, map?.id, ...Object.keys(geometry.attributes)].join();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  let alike = 0;
  let kinds = 0;
  for (const count of counts.values()) {
    if (count < 2) continue;
    alike += count;
    kinds++;
  }
  // A few materials in a large scene are few however large it is.
  const isOwn = materials.size > sample.length / 2;
  return { alike: alike / sample.length, kinds, materials: isOwn ? materials.size / sample.length : 0 };
}
