import type { MapSchema } from '@colyseus/schema';
import type { Observer } from 'three-scene-index/interest';
import type { Session } from './Session.js';
import { Card } from './WorldState.js';

/** The cards of all entities, by id, and who gets which. */
export class Cards {
  readonly #all: MapSchema<Card>;
  readonly #byId: Card[] = [];

  constructor(all: MapSchema<Card>) {
    this.#all = all;
  }

  add(id: number, name: string, kind: number): void {
    const card = new Card({ name, kind, level: 1 });
    this.#byId[id] = card;
    this.#all.set(String(id), card);
  }

  get(id: number): Card {
    return this.#byId[id];
  }

  /** Only once `tell` has run: who has a card in view has to be told that it is gone. */
  remove(id: number): void {
    delete this.#byId[id];
    this.#all.delete(String(id));
  }

  /** Hands out and takes back the cards of what has entered and left a view with this tick. */
  tell({ view }: Session, { entered, left }: Observer): void {
    for (let i = 0; i < left.length; i++) view.remove(this.#byId[left.ids[i]]);
    for (let i = 0; i < entered.length; i++) view.add(this.#byId[entered.ids[i]]);
  }
}
