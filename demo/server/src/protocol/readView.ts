import { ByteReader } from './ByteReader.js';
import { MOST_ID, MOST_SEEN, MOST_VIEW_BYTES, STEP } from './limits.js';
import { ALL, WIDE } from './ViewWriter.js';

export interface Entered {
  id: number;
  kind: number;
  x: number;
  z: number;
}

export interface Moved {
  id: number;
  x: number;
  z: number;
}

/** What a client is told in one tick. */
export interface ViewMessage {
  /** What was known before is to be forgotten. */
  isAll: boolean;
  tick: number;
  own: number;
  x: number;
  z: number;
  left: number[];
  entered: Entered[];
  moved: Moved[];
}

/**
 * Reads what `ViewWriter` writes.
 * @throws RangeError for anything else, TypeError for what is not bytes.
 */
export function readView(bytes: Uint8Array): ViewMessage {
  const from = new ByteReader(bytes);
  if (bytes.length > MOST_VIEW_BYTES) throw new RangeError(`readView: ${bytes.length} bytes are too many`);
  const flags = from.word();
  if (flags > (ALL | WIDE)) throw new RangeError(`readView: unknown flags ${flags}`);
  const tick = from.int32() >>> 0;
  const own = idOf(from.int32());
  const x = from.int32();
  const z = from.int32();
  const [left, entered, moved] = [from.word(), from.word(), from.word()];
  if (left > MOST_SEEN || entered + moved > MOST_SEEN) {
    throw new RangeError(`readView: ${left} left, ${entered} entered and ${moved} moved are too many`);
  }
  const id = (flags & WIDE) === 0 ? () => from.word() : () => idOf(from.int32());
  const place = () => ({ x: nearest(from.word(), x) * STEP, z: nearest(from.word(), z) * STEP });
  const kind = () => {
    const value = from.word();
    if (value > 255) throw new RangeError(`readView: ${value} is no kind`);
    return value;
  };
  const message: ViewMessage = {
    ...{ isAll: (flags & ALL) !== 0, tick, own, x: x * STEP, z: z * STEP },
    left: Array.from({ length: left }, id),
    entered: Array.from({ length: entered }, () => ({ id: id(), kind: kind(), ...place() })),
    moved: Array.from({ length: moved }, () => ({ id: id(), ...place() })),
  };
  if (!from.isAtEnd) throw new RangeError('readView: bytes are left over');
  return message;
}

function idOf(value: number): number {
  if (!(value >= 0 && value <= MOST_ID)) throw new RangeError(`readView: ${value} is no id`);
  return value;
}

/** The number nearest to `from` whose lowest 16 bits are those. */
function nearest(word: number, from: number): number {
  return from + (((word - from) << 16) >> 16);
}
