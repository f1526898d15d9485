/**
 * A volume as it is tested against boxes in rows, in single precision: a test says *surely outside*, *surely inside*,
 * or that it is in doubt, which is to be decided by the boxes in double precision. "Surely" refers to what the volume
 * says of them, its own rounding included.
 *
 * Kernels do the same. So the result of each operation is rounded here, and the order of operations is theirs: what is
 * in doubt here is in doubt there, and both look at the same boxes.
 */
export interface RoughVolume {
  /** Numbers for kernels, see wasm/assembly/packed. */
  readonly numbers: Float32Array;
  /** -1 when all that is in the box at `at` is surely outside, else those conditions of `mask` that are in doubt. */
  node(levels: Float32Array, at: number, mask: number): number;
  /**
   * The slots of the row at `o` that are not surely outside, as bits; 16 bits higher those of them that are in doubt.
   * Bits of slots that are not in use mean nothing.
   */
  row(rows: Float32Array, o: number, mask: number): number;
}

/** Numbers beyond this, in the coordinates of rows, are as good as infinite: those in rows are much smaller. */
export const FAR: number = 2 ** 60;
/** Adding this leaves most numbers alone, but is more than what products of the smallest numbers lose. */
export const TINY: number = 2 ** -90;
