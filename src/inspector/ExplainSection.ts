import { Box3, type Camera, type Object3D, Vector3 } from 'three';
import type { Item } from 'three/addons/inspector/ui/Item.js';
import { explain } from '../explain/explain.js';
import { describe } from '../scene/objects/describe.js';
import type { SceneIndex } from '../scene/SceneIndex.js';
import { CanvasClicks } from './CanvasClicks.js';
import { checkbox, labelled, statusLine, wide } from './controls.js';
import { inPoint } from './format.js';
import { Outline } from './Outline.js';
import { pickVisible } from './pickVisible.js';
import { Readings } from './Readings.js';
import { topOf } from './topOf.js';

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
