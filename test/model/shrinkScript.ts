import type { Edit, EditScript } from './EditScript.js';
import { runScript, ScriptFailure } from './runScript.js';
import { shrink } from './shrink.js';

/** A script that fails as well and from which nothing can be left out, as far as some thousand trials tell. */
export function shrinkScript({ structure, edits }: EditScript): EditScript {
  const stepOf = (some: readonly Edit[]) => failureOf({ structure, edits: [...some] })?.step ?? null;
  return { structure, edits: [...shrink(edits, { stepOf, simpler })] };
}

/** An edit without its maintenance, of fewer items, or with fewer boxes. */
function* simpler(edit: Edit): Generator<Edit> {
  if (edit.maintenance !== undefined) {
    const { maintenance: _, ...rest } = edit;
    yield rest;
  }
  if ('count' in edit) for (let by = edit.count >> 1; by >= 1; by >>= 1) yield { ...edit, count: edit.count - by };
  if (!('boxes' in edit)) return;
  for (let length = edit.boxes.length >> 1; length >= 1; length >>= 1) {
    for (let end = edit.boxes.length; end > 0; end -= length)
      yield { ...edit, boxes: edit.boxes.filter((_, i) => i < end - length || i >= end) };
  }
}

/** How a script fails, or null. */
export function failureOf(script: EditScript, isSparse = false): ScriptFailure | null {
  try {
    runScript(script, isSparse);
    return null;
  } catch (error) {
    if (error instanceof ScriptFailure) return error;
    throw error;
  }
}
