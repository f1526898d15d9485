/**
 * What `matrixWorldNeedsUpdate` of an object may be, as long as nobody but one owner of marks makes its matrices. All are as
 * good as false to three, which sets the flag to true and false when it makes them.
 */
export type Mark = boolean;

const MARKS = [null, undefined, '', 0] as unknown[] as Mark[];
/** Who has each; one that was forgotten without a word gives its mark back as well. */
const owners: (WeakRef<object> | undefined)[] = [];

/** What is no mark: no flag equals it. */
export const NO_MARK: Mark = Symbol('no mark') as unknown as Mark;

/** A mark that nobody else has, so that owners who look at the same objects tell theirs apart; there are but a few. */
export function takeMark(owner: object): Mark {
  for (let i = 0; i < MARKS.length; i++) {
    if (owners[i]?.deref() !== undefined) continue;
    owners[i] = new WeakRef(owner);
    return MARKS[i];
  }
  return NO_MARK;
}

/** Frees the mark of an owner, who has taken it off all objects. */
export function giveBackMark(owner: object): void {
  for (let i = 0; i < MARKS.length; i++) if (owners[i]?.deref() === owner) owners[i] = undefined;
}
