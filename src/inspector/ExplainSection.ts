import { Box3, Box3Helper, type Camera, type Object3D, Raycaster, Vector2, Vector3 } from 'three';
import type { Item } from 'three/addons/inspector/ui/Item.js';
import { explain } from '../explain/explain.js';
import { describe } from '../scene/objects/checks.js';
import type { SceneIndex } from '../scene/SceneIndex.js';
import { checkbox, inPoint, labelled, Readings, statusLine, topOf, wide } from './widgets.js';

const ROWS = ['Object', 'Is seen', 'Centre', 'Size'];

/** Where a click comes from. */
interface PickSource {
  /** The canvas to click into; null while there is none. */
  readonly canvas: HTMLElement | null;
  /** The camera of its picture; null while it is not known. */
  readonly camera: Camera | null;
}

/** Explains an object that was clicked in the picture, or was named. */
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
    this.#readings.add(ROWS);
    this.item.add(wide(this.#reasons));
    this.#reasons.style.color = 'var(--text-primary)';
    this.#reasons.style.lineHeight = '1.5';
  }

  get object(): Object3D | null {
    return this.#object;
  }

  /** Listens to the canvas, if there is one and clicks are wanted. */
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

  /** Selects what is explained, and outlines it in the picture; null for nothing. */
  select(object: Object3D | null, instance: number | null = null): void {
    this.#object = object;
    this.#instance = instance;
    if (object === null) {
      this.#outline?.dispose();
      this.#outline = null;
      for (const name of ROWS) this.#readings.set(name, '–');
      this.#reasons.replaceChildren();
    } else {
      this.#outline ??= new Outline();
      topOf(this.#index.root).add(this.#outline);
      this.followObject();
    }
    this.#changed();
  }

  /** Moves the outline to where the object is. */
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
    this.#say(explain(this.#index, object, camera));
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

/** True for an object that is seen, or lies in a LOD that is. */
function standsIn(object: Object3D, seen: readonly Object3D[]): boolean {
  for (let o: Object3D | null = object; o !== null; o = o.parent) {
    if ((o === object || 'isLOD' in o) && seen.includes(o)) return true;
  }
  return false;
}

/** The blue of the Inspector's `--color-accent`. */
const COLOR = 0x00aaff;

/** The bounds of an object as lines, in front of everything. No index follows it, no ray hits it. */
class Outline extends Box3Helper {
  readonly isSceneIndexHelper = true;

  constructor() {
    super(new Box3(), COLOR);
    this.name = 'SceneIndexOutline';
    this.frustumCulled = false;
    this.renderOrder = Number.MAX_SAFE_INTEGER;
    const { material } = this;
    Object.assign(material, { depthTest: false, depthWrite: false, transparent: true, toneMapped: false, fog: false });
  }

  override raycast(): void {}

  /** Bounds are in the world, even if the scene is moved. */
  override updateMatrixWorld(): void {
    if (this.box.isEmpty()) return;
    this.box.getCenter(this.position);
    this.box.getSize(this.scale).multiplyScalar(0.5);
    this.updateMatrix();
    this.matrixWorld.copy(this.matrix);
  }

  /** Outlines an object as it is now; hidden where it has no bounds. */
  enclose(index: SceneIndex, object: Object3D): void {
    if (index.getBox(object, this.box) === null) this.box.setFromObject(object);
    this.visible = !this.box.isEmpty() && Number.isFinite(this.box.min.x + this.box.max.x);
  }

  override dispose(): void {
    this.removeFromParent();
    super.dispose();
  }
}

/** A pointer that moves farther than so many pixels between down and up drags. */
const SLACK = 5;

const EVENTS = ['pointerdown', 'pointerup', 'pointercancel'] as const;

/** Reports clicks on a canvas, not drags. Other listeners get all events as before. */
class CanvasClicks {
  readonly #canvas: HTMLElement;
  readonly #clicked: (point: Vector2) => void;
  #down: PointerEvent | null = null;

  /** @param clicked Called with the point in normalised device coordinates. */
  constructor(canvas: HTMLElement, clicked: (point: Vector2) => void) {
    this.#canvas = canvas;
    this.#clicked = clicked;
    // Before the user's own, which may stop events.
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

/**
 * The nearest visible object at a point of the picture, and the instance that was hit; three's casts hit what is hidden, too.
 * @param point In normalised device coordinates.
 */
function pickVisible(
  index: SceneIndex,
  camera: Camera,
  point: Vector2,
): { object: Object3D; instance: number | null } | null {
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

const vector = new Vector3();
