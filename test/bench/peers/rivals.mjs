// Who of the contestants of a workload is compared with whom.

/** False for one that lost or made up results, and for one that gave none. */
export function isRight({ fault }) {
  return fault !== 'wrong' && fault !== 'died';
}

/** The fastest of those that a condition holds for and that are right; of none, one that is not. */
export function fastest(result, holds) {
  const some = Object.values(result).filter((one) => holds(one));
  const right = some.filter(isRight).sort((a, b) => a.median - b.median);
  return right[0] ?? some[0];
}

/** Our fastest and the fastest peer; undefined where none is right. */
export function rivals(result) {
  return {
    us: fastest(result, (one) => one.isOurs && isRight(one)),
    peer: fastest(result, (one) => one.isPeer && isRight(one)),
  };
}
