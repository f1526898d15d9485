import type { Edit, EditScript } from './EditScript.js';
import { runScript, ScriptFailure } from './runScript.js';

/** Runs that shrinking may take at most: it gives up sooner than the reader does. */
const MOST_RUNS = 4000;

/** A script that fails as well and from which nothing can be left out, as far as some thousand trials tell. */
export function shrinkScript(script: EditScript): EditScript {
  let best = script;
  let runs = 0;
  const attempt = (edits: Edit[]): boolean => {
    if (runs++ >= MOST_RUNS) return false;
    const candidate = { ...best, edits };
    const failure = failureOf(candidate);
    if (failure === null) return false;
    // What comes behind the failure has no part in it.
    best = { ...candidate, edits: edits.slice(0, failure.step + 1) };
    return true;
  };
  attempt(best.edits);
  for (let before = -1; before !== sizeOf(best); ) {
    before = sizeOf(best);
    dropEdits();
    for (let i = 0; i < best.edits.length; i++) simplify(i);
  }
  return best;

  /** Leaves out runs of edits, long ones first. */
  function dropEdits(): void {
    for (let length = best.edits.length >> 1; length >= 1; length >>= 1) {
      for (let end = best.edits.length; end > 0; end -= length) {
        attempt(best.edits.filter((_, i) => i < end - length || i >= end));
      }
    }
  }

  /** Leaves out parts of an edit. */
  function simplify(at: number): void {
    const put = (edit: Edit): boolean => attempt(best.edits.map((e, i) => (i === at ? edit : e)));
    const edit = best.edits[at];
    if (edit.maintenance !== undefined) {
      const { maintenance: _, ...rest } = edit;
      put(rest);
    }
    if ('count' in edit) {
      for (let step = edit.count >> 1; step >= 1; step >>= 1) {
        const now = best.edits[at] as typeof edit;
        if (now.count > step) put({ ...now, count: now.count - step });
      }
    }
    if ('boxes' in edit) {
      for (let length = edit.boxes.length >> 1; length >= 1; length >>= 1) {
        for (let end = edit.boxes.length; end > 0; end -= length) {
          const now = best.edits[at] as typeof edit | undefined;
          const boxes = now?.boxes.filter((_, i) => i < end - length || i >= end) ?? [];
          if (now && boxes.length > 0 && boxes.length < now.boxes.length) put({ ...now, boxes });
        }
      }
    }
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

function sizeOf({ edits }: EditScript): number {
  return edits.reduce((sum, edit) => {
    return sum + 1 + ('boxes' in edit ? edit.boxes.length : 0) + (edit.maintenance === undefined ? 0 : 1);
  }, 0);
}
