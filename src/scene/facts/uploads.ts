import type { BufferFacts, BufferRange } from './BufferFacts.js';

export const WHOLE_BUFFER: readonly BufferRange[] = [{ start: 0, count: Number.POSITIVE_INFINITY }];

/**
 * Remembers the ranges of a buffer's present version, as renderers clear `updateRanges` after an upload. Renderers
 * upload the whole buffer when it is first drawn, then each new version, or its ranges. Numbers written without a new
 * version stay unseen by renderers; batches take them with the next copy.
 */
export function rememberRanges(buffer: BufferFacts): void {
  const { updateRanges } = buffer.source;
  // If a version was missed, a renderer may have cleared its ranges.
  const hasRanges = buffer.before > 0 && updateRanges !== undefined && updateRanges.length > 0;
  buffer.ranges ??= hasRanges ? updateRanges.map(({ start, count }) => ({ start, count })) : WHOLE_BUFFER;
}

/** The ranges that a copy of a buffer with an earlier stamp lacks. */
export function changesSince(stamp: number, { before, ranges }: BufferFacts): readonly BufferRange[] {
  return stamp === before && ranges !== null ? ranges : WHOLE_BUFFER;
}
