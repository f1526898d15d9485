import type { MapSchema } from '@colyseus/schema';
import type { Observer } from 'three-scene-index/interest';
import { KINDS } from '../world/World.js';
import type { Session } from './Session.js';
import { Card } from './WorldState.js';

/** The cards of all entities, by id, and who gets which. */
export class Cards {
  readonly #all: MapSchema<Card>;
  readonly #byId: Card[] = [];
  // Ids are used again; keys are not, so that no patch takes one card for another.
  readonly #keys: string[] = [];
  #made = 0;

  constructor(all: MapSchema<Card>) {
    this.#all = all;
  }

  add(id: number, entity: number, kind: number, level: number): void {
    const card = new Card({ id, name: `${KINDS[kind]} ${entity}`, kind, level });
    this.#byId[id] = card;
    this.#keys[id] = String(this.#made++);
    this.#all.set(this.#keys[id], card);
  }

  get(id: number): Card {
    return this.#byId[id];
  }

  /** Once `takeBack` has run: who has a card in view has to be told that it is gone. */
  remove(id: number): void {
    delete this.#byId[id];
    this.#all.delete(this.#keys[id]);
  }

  /** Takes back the cards of what has left a view with this tick; before ids stand for others. */
  takeBack({ view }: Session, { left }: Observer): void {
    for (let i = 0; i < left.length; i++) view.remove(this.#byId[left.ids[i]]);
  }

  /** Hands out those of what has entered. */
  handOut({ view }: Session, { entered }: Observer): void {
    for (let i = 0; i < entered.length; i++) view.add(this.#byId[entered.ids[i]]);
  }
}
