import { ByteReader } from './ByteReader.js';
import { MOST_ID, MOST_SEEN, MOST_VIEW_BYTES, STEP } from './limits.js';
import { ALL } from './ViewWriter.js';

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
  const flags = from.byte();
  if (flags > ALL) throw new RangeError(`readView: unknown flags ${flags}`);
  const tick = from.count();
  const own = idOf(from.count());
  const x = from.int32();
  const z = from.int32();
  const [left, entered, moved] = [from.count(), from.count(), from.count()];
  if (left > MOST_SEEN || entered + moved > MOST_SEEN) {
    throw new RangeError(`readView: ${left} left, ${entered} entered and ${moved} moved are too many`);
  }
  const place = () => ({ x: (x + from.int16()) * STEP, z: (z + from.int16()) * STEP });
  let before = 0;
  const message: ViewMessage = {
    ...{ isAll: flags === ALL, tick, own, x: x * STEP, z: z * STEP },
    left: Array.from({ length: left }, () => idOf(from.count())),
    entered: Array.from({ length: entered }, () => ({ id: idOf(from.count()), kind: from.byte(), ...place() })),
    moved: Array.from({ length: moved }, () => {
      before = idOf(before + from.difference());
      return { id: before, ...place() };
    }),
  };
  if (!from.isAtEnd) throw new RangeError('readView: bytes are left over');
  return message;
}

function idOf(value: number): number {
  if (!(value >= 0 && value <= MOST_ID)) throw new RangeError(`readView: ${value} is no id`);
  return value;
}
