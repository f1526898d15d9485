import { Box3, type Object3D, type PerspectiveCamera } from 'three';
import { pickObject, pickPoint } from '../control/Picking.js';
import type { PointerAt } from '../control/Pointer.js';
import type { FrameResult } from '../measure/FrameResult.js';
import type { PickCard } from '../ui/PickCard.js';
import type { LoadedWorld } from '../views/LoadedWorld.js';

/** What is hovered and picked; what is added and removed. */
export class Selection {
  readonly #result: FrameResult;
  readonly #card: PickCard;
  readonly #tip: HTMLElement;
  readonly #box = new Box3();
  #world: LoadedWorld | null = null;

  constructor(result: FrameResult, card: PickCard, tip: HTMLElement) {
    this.#result = result;
    this.#card = card;
    this.#tip = tip;
  }

  get pickedName(): string | null {
    const { picked } = this.#result;
    return picked && this.#world ? this.#world.world.describe(picked).title : null;
  }

  open(loaded: LoadedWorld | null): void {
    this.#world = loaded;
    this.clear();
  }

  /** World bounds from the index. Valid until the next call. */
  readonly boxOf = (object: Object3D | null): Box3 | null => {
    return object && this.#world ? this.#world.index.getBox(object, this.#box) : null;
  };

  hover(at: PointerAt | null, camera: PerspectiveCamera): void {
    if (!this.#world) return;
    const { world, index } = this.#world;
    const object = at && pickObject(world, index, camera, at.ndc, at.pane.clientHeight);
    this.#result.hovered = object;
    this.#tip.hidden = !object;
    if (!at || !object) return;
    const text = world.describe(object).title;
    if (this.#tip.textContent !== text) this.#tip.textContent = text;
    // To the left of the pointer near the right edge.
    const { width } = this.#tip.parentElement!.getBoundingClientRect();
    const shift = at.x > 0.75 * width ? 'translateX(-100%) translateX(-12px)' : 'translateX(14px)';
    this.#tip.style.transform = `translate(${at.x}px, ${at.y}px) ${shift} translateY(-120%)`;
  }

  pick(at: PointerAt, camera: PerspectiveCamera): void {
    if (!this.#world) return;
    const { world, index } = this.#world;
    this.select(pickObject(world, index, camera, at.ndc, at.pane.clientHeight));
  }

  add(at: PointerAt, camera: PerspectiveCamera): void {
    if (!this.#world) return;
    const { world, index } = this.#world;
    const point = pickPoint(world, index, camera, at.ndc);
    if (point && world.add) this.select(world.add(point));
  }

  remove(): void {
    const { picked } = this.#result;
    if (!picked || !this.#world) return;
    this.#world.world.remove(picked);
    this.clear();
  }

  /** Updates the facts on the card; those of moving objects change. */
  refresh(): void {
    const { picked } = this.#result;
    if (!picked || !this.#world) return;
    if (this.#world.index.has(picked)) this.#card.refresh(this.#world.world.describe(picked));
    else this.clear();
  }

  clear(): void {
    this.#result.hovered = null;
    this.#tip.hidden = true;
    this.select(null);
  }

  select(object: Object3D | null): void {
    this.#result.picked = object;
    this.#card.show(object && this.#world ? this.#world.world.describe(object) : null);
  }
}
