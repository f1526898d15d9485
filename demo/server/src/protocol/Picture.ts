import { readView, type ViewMessage } from './readView.js';

/** An entity as a client knows it. */
export interface Seen {
  kind: number;
  x: number;
  z: number;
}

/** What a client sees, put together from its messages. */
export class Picture {
  readonly seen = new Map<number, Seen>();
  /** Of the last message. */
  tick = -1;
  own = -1;
  x = 0;
  z = 0;

  /**
   * Takes in a message.
   * @throws RangeError for one that is damaged, or does not follow from those before; nothing changes then.
   */
  take(bytes: Uint8Array): ViewMessage {
    const message = readView(bytes);
    this.#check(message);
    if (message.isAll) this.seen.clear();
    for (const id of message.left) this.seen.delete(id);
    for (const { id, ...seen } of message.entered) this.seen.set(id, seen);
    for (const { id, x, z } of message.moved) {
      const seen = this.seen.get(id)!;
      seen.x = x;
      seen.z = z;
    }
    this.tick = message.tick;
    this.own = message.own;
    this.x = message.x;
    this.z = message.z;
    return message;
  }

  #check({ isAll, tick, left, entered, moved }: ViewMessage): void {
    if (!isAll && tick <= this.tick) throw new RangeError(`Picture: tick ${tick} after ${this.tick}`);
    const known = new Set(isAll ? [] : this.seen.keys());
    for (const id of left) if (!known.delete(id)) throw new RangeError(`Picture: ${id} left, which was not there`);
    for (const { id } of entered) {
      if (known.has(id)) throw new RangeError(`Picture: ${id} entered, which was there`);
      known.add(id);
    }
    for (const { id } of moved) if (!known.has(id)) throw new RangeError(`Picture: ${id} moved, which is not there`);
  }
}
