import { type RefObject, useEffect, useState } from 'react';

/** What a ref holds after each rendering of the component, which is rendered again when that is something else. */
export function useCurrent<T>(ref: RefObject<T | null>): T | null {
  const [current, setCurrent] = useState<T | null>(null);
  useEffect(() => setCurrent(ref.current));
  return current;
}
