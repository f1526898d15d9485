type Table = Float64Array | Int32Array | Uint8Array;

/** A longer copy of a table; what is new is zero. */
export function grow<T extends Table>(table: T, length: number): T {
  const longer = new (table.constructor as new (length: number) => T)(length);
  longer.set(table);
  return longer;
}
