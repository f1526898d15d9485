import type { Session } from './Session.js';

/** As many bytes are asked for at once; what is written stays untouched until the system has taken it. */
const ROOM = 256 * 1024;
/** Of a WebSocket frame. */
const MOST_HEADER = 10;
/** From this length on it is told in two bytes, and beyond what they hold in eight. */
const LONG = 126;
const LONGER = 127;
const MOST_SHORT = 65_535;
/** Final, binary. */
const BINARY = 0x82;

/**
 * Puts together what a client is told in one tick, as WebSocket frames in one piece of memory, for one call of the system.
 *
 * `ws` would write the header and the bytes of each message by themselves, which takes as long again as the call.
 */
export class Outbox {
  #room = Buffer.allocUnsafeSlow(ROOM);
  #start = 0;
  #at = 0;

  /** Adds what a session holds. */
  addHeld({ held }: Session): void {
    for (const bytes of held) this.#add(bytes);
  }

  /** Adds bytes as a message of Colyseus with a type, a number below 128. */
  addBytes(protocol: number, type: number, bytes: Uint8Array): void {
    this.#begin(bytes.length + 2);
    this.#room[this.#at++] = protocol;
    this.#room[this.#at++] = type;
    this.#room.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** What was added since it was taken last: frames, to be written as they are. */
  take(): Uint8Array {
    const frames = this.#room.subarray(this.#start, this.#at);
    this.#start = this.#at;
    return frames;
  }

  #add(bytes: Uint8Array): void {
    this.#begin(bytes.length);
    this.#room.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Writes the header of a frame, for which there is room then. */
  #begin(length: number): void {
    this.#reserve(length + MOST_HEADER);
    this.#room[this.#at++] = BINARY;
    if (length < LONG) {
      this.#room[this.#at++] = length;
    } else if (length <= MOST_SHORT) {
      this.#room[this.#at++] = LONG;
      this.#at = this.#room.writeUInt16BE(length, this.#at);
    } else {
      this.#room[this.#at++] = LONGER;
      this.#at = this.#room.writeBigUInt64BE(BigInt(length), this.#at);
    }
  }

  #reserve(count: number): void {
    if (this.#at + count <= this.#room.length) return;
    const before = this.#room.subarray(this.#start, this.#at);
    this.#room = Buffer.allocUnsafeSlow(Math.max(ROOM, before.length + count));
    this.#room.set(before);
    this.#start = 0;
    this.#at = before.length;
  }
}
