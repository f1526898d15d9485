const KEY = 'three-scene-index.tour';

/** True once in each browser; never where it cannot be remembered, as a tour each time would be in the way. */
export function isFirstVisit(): boolean {
  try {
    if (localStorage.getItem(KEY) !== null) return false;
    localStorage.setItem(KEY, 'seen');
    return true;
  } catch {
    return false;
  }
}
