import { ALL, type Places, ViewWriter } from '../protocol/ViewWriter.js';
import type { Session } from './Session.js';

/** Where the sender reads what has moved. */
export interface Moves extends Places {
  readonly tick: number;
  readonly movedAt: Int32Array;
}

/** Writes to each client what it sees: one message a tick. */
export class Sender {
  readonly #writer: ViewWriter;
  readonly #moves: Moves;
  readonly #every: number;
  /** 1 for an id that enters with the message that is written, by id; else 0. */
  #enters = new Uint8Array(1024);

  /** @param every In every nth tick all that is in view is due. */
  constructor(moves: Moves, every: number) {
    this.#writer = new ViewWriter(moves);
    this.#moves = moves;
    this.#every = every;
  }

  /** The message of this tick, in memory that the next one overwrites. */
  write(session: Session): Uint8Array {
    const { inView, due, entered, left } = session.observer!;
    const { tick } = this.#moves;
    if (session.needsAll) {
      // What is not due may be out of reach by now; where it is then is nobody's business.
      this.#writer.begin(ALL, tick, session.player, 0, due.length);
      this.#writer.entered(due);
      session.needsAll = due.length < inView.length;
    } else {
      this.#writer.begin(0, tick, session.player, left.length, entered.length);
      this.#writer.left(left);
      this.#writer.entered(entered);
      this.#writeMoved(session);
    }
    return this.#writer.written;
  }

  /** What is due, has moved since it was due last, and has not just entered. */
  #writeMoved(session: Session): void {
    const { due, entered } = session.observer!;
    const { movedAt, tick } = this.#moves;
    if (this.#enters.length < movedAt.length) this.#enters = new Uint8Array(movedAt.length);
    const enters = this.#enters;
    for (let i = 0; i < entered.length; i++) enters[entered.ids[i]] = 1;
    this.#writer.moved(due, movedAt, tick - this.#every + 1, enters);
    for (let i = 0; i < entered.length; i++) enters[entered.ids[i]] = 0;
  }
}
