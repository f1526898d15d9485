import { Box3, type Object3D, type PerspectiveCamera } from 'three';
import { type Pick, pickObject, pickPoint } from '../control/Picking.js';
import type { PointerAt } from '../control/Pointer.js';
import type { FrameResult } from '../measure/FrameResult.js';
import type { PickCard } from '../ui/PickCard.js';
import type { LoadedWorld } from '../views/LoadedWorld.js';
import type { CurrentNodes } from './CurrentNodes.js';
import type { PickedObject } from './PickedObject.js';

/** What is hovered and picked; what is added and removed. */
export class Selection {
  /** Called with each pick that casts a ray. */
  onCast: (pick: Pick) => void = () => {};
  readonly #result: FrameResult;
  readonly #nodes: CurrentNodes;
  readonly #object: PickedObject;
  readonly #card: PickCard;
  readonly #tip: HTMLElement;
  readonly #box = new Box3();
  #world: LoadedWorld | null = null;

  constructor(result: FrameResult, nodes: CurrentNodes, object: PickedObject, card: PickCard, tip: HTMLElement) {
    this.#result = result;
    this.#nodes = nodes;
    this.#object = object;
    this.#card = card;
    this.#tip = tip;
    card.onAct = (act) => {
      const { picked } = this.#result;
      if (!picked) return;
      if (this.#object.act(act, picked)) this.refresh();
      else this.clear();
    };
  }

  get pickedName(): string | null {
    const { picked } = this.#result;
    return picked && this.#world ? this.#world.world.describe(picked).title : null;
  }

  open(loaded: LoadedWorld | null): void {
    this.#world = loaded;
    this.clear();
    this.#object.open(loaded);
  }

  /** World bounds from the index. Valid until the next call. */
  readonly boxOf = (object: Object3D | null): Box3 | null => {
    if (!object || !this.#world) return null;
    return this.#world.world.pick ? this.#box.setFromObject(object) : this.#world.index.getBox(object, this.#box);
  };

  hover(at: PointerAt | null, camera: PerspectiveCamera): void {
    if (!this.#world) return;
    const { world, index } = this.#world;
    const object = at ? pickObject(world, index, camera, at.ndc, at.pane.clientHeight).object : null;
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
    const pick = pickObject(world, index, camera, at.ndc, at.pane.clientHeight);
    this.select(pick.object);
    this.onCast(pick);
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
    this.#object.act('remove', picked);
    this.clear();
  }

  /** Updates the facts on the card; those of moving objects change. */
  refresh(): void {
    const { picked } = this.#result;
    if (!picked || !this.#world) return;
    if (this.#world.has(picked)) this.#card.refresh(this.#factsOf(picked));
    else this.clear();
  }

  clear(): void {
    this.#result.hovered = null;
    this.#tip.hidden = true;
    this.select(null);
  }

  select(object: Object3D | null): void {
    this.#result.picked = object;
    this.#card.show(object && this.#world ? this.#factsOf(object) : null);
  }

  #factsOf(object: Object3D) {
    return this.#object.factsOf(object, this.#result, this.#nodes.tree?.holderOf(object)?.depth ?? null);
  }
}
