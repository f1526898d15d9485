import { Box3, Box3Helper, type Camera, type Object3D, Raycaster, Vector2, Vector3 } from 'three';
import type { Item } from 'three/addons/inspector/ui/Item.js';
import { explain } from '../explain/explain.js';
import { describe } from '../scene/objects/checks.js';
import type { SceneIndex } from '../scene/SceneIndex.js';
import { checkbox, inPoint, labelled, Readings, statusLine, topOf, wide } from './widgets.js';

/** Pixels that a pointer may travel between down and up: a hand is not steady, and a drag is longer. */
const SLACK = 5;

/** Tells of clicks on a canvas, which are no drags. Whoever else listens there gets all events as before. */
class CanvasClicks {
  readonly #canvas: HTMLElement;
  readonly #clicked: (point: Vector2) => void;
  #down: PointerEvent | null = null;

  /** @param clicked Called with the point in normalised device coordinates. */
  constructor(canvas: HTMLElement, clicked: (point: Vector2) => void) {
    this.#canvas = canvas;
    this.#clicked = clicked;
    // Before those of the user's, which may stop events.
    for (const type of EVENTS) canvas.addEventListener(type, this.#heard, { capture: true, passive: true });
  }

  dispose(): void {
    for (const type of EVENTS) this.#canvas.removeEventListener(type, this.#heard, { capture: true });
  }

  readonly #heard = (event: PointerEvent): void => {
    const down = this.#down;
    this.#down = null;
    if (event.type === 'pointerdown') {
      if (event.isPrimary && event.button === 0) this.#down = event;
      return;
    }
    if (event.type !== 'pointerup' || down === null || event.pointerId !== down.pointerId) return;
    if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > SLACK) return;
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    const x = (2 * (event.clientX - left)) / width - 1;
    this.#clicked(new Vector2(x, 1 - (2 * (event.clientY - top)) / height));
  };
}

const EVENTS = ['pointerdown', 'pointerup', 'pointercancel'] as const;

/** The blue of the Inspector's `--color-accent`. */
const COLOR = 0x00aaff;

/** The bounds of an object as lines, seen through whatever is in front. No index follows it, no ray hits it. */
class Outline extends Box3Helper {
  readonly isSceneIndexHelper = true;

  constructor() {
    super(new Box3(), COLOR);
    this.name = 'SceneIndexOutline';
    this.frustumCulled = false;
    this.renderOrder = Number.MAX_SAFE_INTEGER;
    const { material } = this;
    if (!Array.isArray(material)) {
      Object.assign(material, {
        depthTest: false,
        depthWrite: false,
        transparent: true,
        toneMapped: false,
        fog: false,
      });
    }
  }

  override raycast(): void {}

  /** Bounds are a box of the world, whatever moves the scene. */
  override updateMatrixWorld(): void {
    if (this.box.isEmpty()) return;
    this.box.getCenter(this.position);
    this.box.getSize(this.scale).multiplyScalar(0.5);
    this.updateMatrix();
    this.matrixWorld.copy(this.matrix);
  }

  /** Goes around an object as it is now; hidden where there is nothing to go around. */
  enclose(index: SceneIndex, object: Object3D): void {
    if (index.getBox(object, this.box) === null) this.box.setFromObject(object);
    this.visible = !this.box.isEmpty() && Number.isFinite(this.box.min.x + this.box.max.x);
  }

  override dispose(): void {
    this.removeFromParent();
    super.dispose();
  }
}

/** What was picked. */
export interface Pick {
  readonly object: Object3D;
  /** The instance that was hit, of a mesh with instances. */
  readonly instance: number | null;
}

/**
 * The nearest object at a point of the picture. Unlike three's casts it goes through what is hidden.
 * @param point In normalised device coordinates.
 */
function pickVisible(index: SceneIndex, camera: Camera, point: Vector2): Pick | null {
  const raycaster = new Raycaster();
  raycaster.layers.mask = camera.layers.mask;
  raycaster.setFromCamera(point, camera);
  for (const { object, instanceId, batchId } of index.raycast(raycaster)) {
    if (isVisible(object)) return { object, instance: instanceId ?? batchId ?? null };
  }
  return null;
}

function isVisible(object: Object3D): boolean {
  for (let o: Object3D | null = object; o !== null; o = o.parent) if (!o.visible) return false;
  return true;
}

/** Where a click comes from. */
export interface PickSource {
  /** The canvas to click into; null while there is none. */
  readonly canvas: HTMLElement | null;
  /** The camera of its picture; null while it is not known. */
  readonly camera: Camera | null;
}

/** Explains an object that was clicked in the picture, or is looked for by its name. */
export class ExplainSection {
  readonly item: Item;
  readonly #index: SceneIndex;
  readonly #source: PickSource;
  readonly #changed: () => void;
  readonly #readings = new Readings('Explain');
  readonly #name = document.createElement('input');
  readonly #reasons = statusLine();
  readonly #box = new Box3();
  #isPicking = false;
  #clicks: CanvasClicks | null = null;
  #object: Object3D | null = null;
  #instance: number | null = null;
  #outline: Outline | null = null;

  /** @param changed Called when another object is to be explained. */
  constructor(index: SceneIndex, source: PickSource, changed: () => void) {
    this.#index = index;
    this.#source = source;
    this.#changed = changed;
    this.item = this.#readings.item;
    const picking = checkbox((isOn) => {
      this.#isPicking = isOn;
      this.listen();
      if (!isOn) this.select(null);
    });
    this.#name.placeholder = 'name, then Enter';
    this.#name.addEventListener('change', () => this.#find(this.#name.value));
    this.item.add(labelled('Click an object', picking));
    this.item.add(labelled('Object of name', this.#name));
    this.#readings.add('Object').add('Is seen').add('Centre').add('Size');
    this.item.add(wide(this.#reasons));
    this.#reasons.style.color = 'var(--text-primary)';
    this.#reasons.style.lineHeight = '1.5';
  }

  get object(): Object3D | null {
    return this.#object;
  }

  /** Listens to the canvas if clicks are wanted, from when there is one. */
  listen(): void {
    const { canvas } = this.#source;
    if (this.#isPicking && canvas !== null) {
      this.#clicks ??= new CanvasClicks(canvas, (point) => {
        const { camera } = this.#source;
        const pick = camera === null ? null : pickVisible(this.#index, camera, point);
        this.select(pick?.object ?? null, pick?.instance ?? null);
      });
    } else {
      this.#clicks?.dispose();
      this.#clicks = null;
    }
  }

  /** Chooses what is explained, and encloses it in the picture; null for nothing. */
  select(object: Object3D | null, instance: number | null = null): void {
    this.#object = object;
    this.#instance = instance;
    if (object === null) {
      this.#outline?.dispose();
      this.#outline = null;
      for (const name of ['Object', 'Is seen', 'Centre', 'Size']) this.#readings.set(name, '–');
      this.#reasons.replaceChildren();
    } else {
      this.#outline ??= new Outline();
      topOf(this.#index.root).add(this.#outline);
      this.followObject();
    }
    this.#changed();
  }

  /** Keeps the lines around the object. */
  followObject(): void {
    if (this.#object !== null) this.#outline?.enclose(this.#index, this.#object);
  }

  /** Explains the object as it is now. */
  show(seen: readonly Object3D[], camera: Camera): void {
    const object = this.#object;
    if (object === null) return;
    const instance = this.#instance === null ? '' : `, instance ${this.#instance}`;
    this.#readings.set('Object', describe(object) + instance);
    this.#readings.set('Is seen', standsIn(object, seen) ? 'yes' : 'no');
    const box = this.#index.getBox(object, this.#box);
    this.#readings.set('Centre', box === null ? '–' : inPoint(box.getCenter(vector)));
    this.#readings.set('Size', box === null ? '–' : inPoint(box.getSize(vector)));
    const reasons = explain(this.#index, object, camera);
    this.#say(reasons.length > 0 ? reasons : ['Nothing is in the way of it: it is drawn.']);
  }

  dispose(): void {
    this.#isPicking = false;
    this.#clicks?.dispose();
    this.#clicks = null;
    this.#outline?.dispose();
    this.#outline = null;
    this.#object = null;
  }

  #find(name: string): void {
    const object = name === '' ? null : (this.#index.root.getObjectByName(name) ?? null);
    this.select(object);
    if (name !== '' && object === null) this.#say([`No object of the scene has the name ${name}.`]);
  }

  #say(sentences: readonly string[]): void {
    const text = sentences.join('\n');
    if (this.#reasons.textContent === text) return;
    this.#reasons.style.whiteSpace = 'pre-line';
    this.#reasons.textContent = text;
  }
}

/** True for an object that is seen, or lies in a LOD that is, which stands for it. */
function standsIn(object: Object3D, seen: readonly Object3D[]): boolean {
  for (let o: Object3D | null = object; o !== null; o = o.parent) {
    if ((o === object || 'isLOD' in o) && seen.includes(o)) return true;
  }
  return false;
}

const vector = new Vector3();
