import * as THREE from 'three';
import { frustumOf } from '../../helpers/passes.js';
import { BatchDraws, objectDrawn } from './BatchDraws.js';
import { checkHidden } from './checkHidden.js';
import { Difference, type Frame } from './Frame.js';
import { type Item, type Picture, RendererStandIn } from './RendererStandIn.js';
import type { Any, Side } from './Side.js';
import { entryOf, trueBounds } from './trueBounds.js';

/** World bounds on the plain side, by object. */
export type Boxes = ReadonlyMap<THREE.Object3D, THREE.Box3>;

const LISTS = ['opaque', 'transmissive', 'transparent'] as const;

/** Draws scene `i` on both sides and compares what a renderer would meet, for the camera and for each light that casts. */
export function checkPasses(frame: Frame, i: number, boxes: Boxes, eyes: THREE.Camera[]): void {
  const { plain, fast, next } = frame;
  const isSorted = next() < 0.7;
  const renderers = [plain, fast].map(() => Object.assign(new RendererStandIn(), { sortObjects: isSorted }));
  checkPicture(frame, i, boxes, eyes, renderers);
  [plain, fast].forEach((side, s) => {
    renderers[s].finish(side.scenes[i], eyes[s]);
  });
}

function checkPicture(frame: Frame, i: number, boxes: Boxes, eyes: THREE.Camera[], renderers: RendererStandIn[]): void {
  const { plain, fast, counters, without, setting } = frame;
  const watcher = new GateWatcher(fast, i);
  renderers[1].onMeet = (object) => watcher.meet(object);
  const pictures = [plain, fast].map((side, s) => renderers[s].view(side.scenes[i], eyes[s]));
  watcher.count(frame);
  comparePictures(frame, pictures[0], pictures[1], eyes[0], boxes, renderers[1]);
  const lights = pictures.map((picture, s) => picture.lights.map((light) => numberOf([plain, fast][s], light)));
  if (!without.has('lightOrder')) same('lightOrder', lights[0], lights[1]);
  for (const list of lights) list.sort((a, b) => a - b);
  same('lights', lights[0], lights[1]);
  counters.lights += lights[0].length;
  compareLevels(plain, fast);

  const shadows = pictures.map((picture) => picture.shadows as (THREE.Light & { shadow: THREE.LightShadow })[]);
  if (without.has('shadows') || shadows[0].length !== shadows[1].length) return;
  shadows[0].slice(0, 3).forEach((light) => {
    const number = numberOf(plain, light);
    const other = shadows[1].find((o) => numberOf(fast, o) === number);
    if (!other || (light as Any as { isPointLight?: boolean }).isPointLight) return;
    for (const o of [light, other]) o.shadow.updateMatrices(o);
    const frusta = [light.shadow.getFrustum(), other.shadow.getFrustum()];
    const shadow = { frusta, light: setting.cullCasters ? light : null, view: frustumOf(eyes[0]) };
    compareCasters(frame, i, renderers, shadow, watcher, boxes);
  });
  // One more by a light that is none, so that there is always one.
  const eye = new THREE.OrthographicCamera(-7, 7, 7, -7, 0.5, 20);
  eye.position.copy(plain.camera.position).x += 3;
  eye.lookAt(0, 0, 0);
  eye.updateMatrixWorld();
  const frusta = [frustumOf(eye), frustumOf(eye)];
  compareCasters(frame, i, renderers, { frusta, light: null, view: frusta[0] }, watcher, boxes);
}

/** A shadow map that is made. */
interface Shadow {
  /** What the light sees, on both sides. */
  frusta: THREE.Frustum[];
  /** Null where all casters are to be drawn, whether anyone sees their shadow or not. */
  light: THREE.Light | null;
  view: THREE.Frustum;
}

/** True when the shadow of a corner of a box, or of its middle, falls on a place that the camera sees. */
function throwsInto(
  view: THREE.Frustum,
  inLight: THREE.Frustum,
  light: THREE.Light,
  box: THREE.Box3 | undefined,
): boolean {
  if (box === undefined) return true;
  const source = new THREE.Vector3().setFromMatrixPosition(light.matrixWorld);
  const { target } = light as THREE.DirectionalLight;
  const along = new THREE.Vector3().setFromMatrixPosition(target.matrixWorld).sub(source).normalize();
  const isSpot = 'isSpotLight' in light;
  const views = (view as unknown as { _frustums?: THREE.Frustum[] })._frustums ?? [view];
  const point = new THREE.Vector3();
  for (let c = 0; c < 9; c++) {
    if (c === 8) box.getCenter(point);
    else point.set(box[c & 1 ? 'max' : 'min'].x, box[c & 2 ? 'max' : 'min'].y, box[c & 4 ? 'max' : 'min'].z);
    if (!inLight.containsPoint(point)) continue;
    const way = isSpot ? point.clone().sub(source).normalize() : along;
    for (let step = 0; step < 30; step++) {
      if (inLight.containsPoint(point) && views.some((v) => v.containsPoint(point))) return true;
      point.addScaledVector(way, 1);
    }
  }
  return false;
}

function compareCasters(
  frame: Frame,
  i: number,
  renderers: RendererStandIn[],
  { frusta, light, view }: Shadow,
  watcher: GateWatcher,
  boxes: Boxes,
): void {
  const sides = [frame.plain, frame.fast];
  const [wanted, found] = sides.map((side, s) =>
    renderers[s].shadow(side.scenes[i], frusta[s], side.camera.layers).map((caster) => {
      const { group } = caster;
      const object = objectDrawn(side, caster.object);
      return { object, group, name: `${numberOf(side, object)} ${group === null ? '' : JSON.stringify(group)}` };
    }),
  );
  const draws = new BatchDraws(frame, found, renderers[1], true);
  watcher.count(frame);
  frame.counters.cast += found.length;
  // The order in which things come into a shadow map shows nowhere.
  const left = new Map(wanted.map((caster) => [caster.name, caster]));
  for (const { object, name } of found) {
    if (!frame.fast.numbers.has(object)) continue;
    if (!left.delete(name)) throw new Difference('casters', `${nameOf(name, frame)} is drawn, though it must not be`);
  }
  const isWanted = ({ object }: { object: THREE.Object3D }): boolean =>
    isInView(object, frusta[0], boxes) &&
    (light === null || throwsInto(view, frusta[0], light, boxes.get(entryOf(object))));
  const lost = draws.takeAll([...left.values()], isWanted);
  if (lost.length > 0) throw new Difference('casters', `${nameOf(lost[0].name, frame)} is missing`);
}

/** The accelerated list must be the plain one, less what the bounds of its entries show to be out of view, or hidden. */
function comparePictures(
  frame: Frame,
  plain: Picture,
  fast: Picture,
  eye: THREE.Camera,
  boxes: Boxes,
  renderer: RendererStandIn,
): void {
  const isSorted = renderer.sortObjects;
  const frustum = frustumOf(eye);
  const hidden: Item[] = [];
  for (const list of LISTS) {
    const wanted = plain[list].map((item) => ({ item, text: textOf(frame.plain, item, isSorted) }));
    const items = fast[list].map((item) => ({ ...item, object: objectDrawn(frame.fast, item.object) }));
    const own = items.filter(({ object }) => frame.fast.numbers.has(object));
    const found = own.map((item) => textOf(frame.fast, item, isSorted));
    const draws = new BatchDraws(frame, items, renderer, false);
    frame.counters.drawn += found.length;
    const left: Item[] = [];
    let at = 0;
    for (const { item, text } of wanted) {
      if (found[at] === text) at++;
      else left.push(item);
    }
    const lost = draws.takeAll(left, ({ object }) => isInView(object, frustum, boxes));
    if (lost.length > 0 && frame.setting.occlusion) hidden.push(...lost);
    else if (lost.length > 0) {
      throw new Difference(
        'list',
        `${lost[0].object.name} is missing from ${list}: must be\n  ${wanted.map((w) => w.text).join('\n  ')}\nis\n  ${found.join('\n  ')}`,
      );
    }
    draws.checkRest(plain[list]);
    if (at < found.length) {
      throw new Difference(
        'list',
        `${found[at]} is one too many, or out of order, in ${list}: must be\n  ${wanted.map((w) => w.text).join('\n  ')}\nis\n  ${found.join('\n  ')}`,
      );
    }
  }
  if (hidden.length > 0) checkHidden(frame, hidden, plain.opaque, eye, boxes);
}

/** Orders and distances are for those who sort: without that nobody looks at them. */
function textOf(side: Side, { object, material, group, groupOrder, renderOrder, z }: Item, isSorted: boolean): string {
  const m = side.materials.indexOf(material);
  if (!isSorted) return `${object.name} material ${m} part ${JSON.stringify(group)}`;
  return `${object.name} material ${m} part ${JSON.stringify(group)} order ${groupOrder} ${renderOrder} z ${z}`;
}

function isInView(object: THREE.Object3D, frustum: THREE.Frustum, boxes: Boxes): boolean {
  if (!object.frustumCulled || Object.hasOwn(object, 'intersectsFrustum')) return true;
  const box = boxes.get(entryOf(object));
  if (box === undefined) return isLost(object);
  const frusta = (frustum as unknown as { _frustums?: THREE.Frustum[] })._frustums ?? [frustum];
  return frusta.some((f) => f.intersectsBox(box));
}

/** What lies at places that are no numbers may be anywhere. */
function isLost(object: THREE.Object3D): boolean {
  const { min, max } = trueBounds(object as Any, NONE_DECLARED).box;
  return Number.isNaN(min.length() + max.length()) && !(min.x > max.x);
}

const NONE_DECLARED = (): null => null;

function compareLevels(plain: Side, fast: Side): void {
  plain.objects.forEach((object, i) => {
    if (object.visible !== fast.objects[i].visible) {
      throw new Difference('levels', `${object.name} must ${object.visible ? '' : 'not '}be visible`);
    }
  });
}

function numberOf(side: Side, object: THREE.Object3D): number {
  return side.numbers.get(object) ?? Number.NaN;
}

function nameOf(name: string, { plain }: Frame): string {
  return plain.objects[Number.parseInt(name, 10)]?.name ?? name;
}

function same(kind: string, wanted: unknown[], found: unknown[]): void {
  if (wanted.join() !== found.join()) throw new Difference(kind, `must be ${wanted.join()}, are ${found.join()}`);
}

/** Tells whether a walk was led through the gate: it comes to things that are nobody's. */
class GateWatcher {
  readonly #side: Side;
  readonly #isAccelerated: boolean;
  #strange = 0;
  #own = 0;

  constructor(side: Side, i: number) {
    this.#side = side;
    this.#isAccelerated = side.setting.mode === 'accelerate' && side.indices[i] !== null;
  }

  meet(object: THREE.Object3D): void {
    if (this.#side.numbers.has(object)) this.#own++;
    else if (object !== (this.#side.camera as THREE.Camera)) this.#strange++;
  }

  /** By a list a walk does not come to all objects. */
  count({ counters }: Frame): void {
    if (!this.#isAccelerated) return;
    counters.passes++;
    if (this.#strange > 0 && this.#own < this.#side.objects.length) counters.listed++;
    this.#strange = this.#own = 0;
  }
}
