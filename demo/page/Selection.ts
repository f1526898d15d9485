import { Box3, type Object3D, type PerspectiveCamera } from 'three';
import { pickObject, pickPoint } from '../control/Picking.js';
import type { PointerAt } from '../control/Pointer.js';
import type { Sight } from '../measure/Sight.js';
import type { PickCard } from '../ui/PickCard.js';
import type { Opened } from '../views/LoadedWorld.js';

/** What is hovered and picked; what is added and removed. */
export class Selection {
  readonly #sight: Sight;
  readonly #card: PickCard;
  readonly #tip: HTMLElement;
  readonly #box = new Box3();
  #opened: Opened | null = null;

  constructor(sight: Sight, card: PickCard, tip: HTMLElement) {
    this.#sight = sight;
    this.#card = card;
    this.#tip = tip;
  }

  get pickedName(): string | null {
    const { picked } = this.#sight;
    return picked && this.#opened ? this.#opened.world.describe(picked).title : null;
  }

  open(opened: Opened | null): void {
    this.#opened = opened;
    this.clear();
  }

  /** World bounds as the index has them: they follow what moves. Valid until the next call. */
  readonly boxOf = (object: Object3D | null): Box3 | null => {
    return object && this.#opened ? this.#opened.index.getBox(object, this.#box) : null;
  };

  hover(at: PointerAt | null, camera: PerspectiveCamera): void {
    if (!this.#opened) return;
    const { world, index } = this.#opened;
    const object = at && pickObject(world, index, camera, at.ndc, at.pane.clientHeight);
    this.#sight.hovered = object;
    this.#tip.hidden = !object;
    if (!at || !object) return;
    const text = world.describe(object).title;
    if (this.#tip.textContent !== text) this.#tip.textContent = text;
    // Left of the pointer where there is no room on the right.
    const { width } = this.#tip.parentElement!.getBoundingClientRect();
    const shift = at.x > 0.75 * width ? 'translateX(-100%) translateX(-12px)' : 'translateX(14px)';
    this.#tip.style.transform = `translate(${at.x}px, ${at.y}px) ${shift} translateY(-120%)`;
  }

  pick(at: PointerAt, camera: PerspectiveCamera): void {
    if (!this.#opened) return;
    const { world, index } = this.#opened;
    this.#take(pickObject(world, index, camera, at.ndc, at.pane.clientHeight));
  }

  add(at: PointerAt, camera: PerspectiveCamera): void {
    if (!this.#opened) return;
    const { world, index } = this.#opened;
    const point = pickPoint(world, index, camera, at.ndc);
    if (point && world.place) this.#take(world.place(point));
  }

  remove(): void {
    const { picked } = this.#sight;
    if (!picked || !this.#opened) return;
    this.#opened.world.take(picked);
    this.clear();
  }

  /** Brings the card up to date: what moves has other facts by now. */
  refresh(): void {
    const { picked } = this.#sight;
    if (!picked || !this.#opened) return;
    if (this.#opened.index.has(picked)) this.#card.refresh(this.#opened.world.describe(picked));
    else this.clear();
  }

  clear(): void {
    this.#sight.hovered = null;
    this.#tip.hidden = true;
    this.#take(null);
  }

  #take(object: Object3D | null): void {
    this.#sight.picked = object;
    this.#card.show(object && this.#opened ? this.#opened.world.describe(object) : null);
  }
}
