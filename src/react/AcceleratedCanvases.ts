import { _roots, addEffect, type RootStore } from '@react-three/fiber';
import { createElement, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Acceleration, type AccelerationProps } from './Acceleration.js';

/** Accelerates each canvas below it, also those that come later. */
export function AcceleratedCanvases({ children, ...props }: AccelerationProps & { children?: ReactNode }): ReactNode {
  const wrapper = useRef<HTMLDivElement>(null);
  const stores = useStoresBelow(wrapper);
  const accelerations = stores.map((store) =>
    createElement(Acceleration, { ...props, store, isInside: false, key: store.getState().scene.uuid }),
  );
  return createElement('div', { ref: wrapper, style: { display: 'contents' } }, children, accelerations);
}

/**
 * The stores of the canvases below an element. Fiber tells nobody of a new canvas, so they are counted before each frame;
 * that one has gone is seen at once.
 */
function useStoresBelow(wrapper: RefObject<Element | null>): readonly RootStore[] {
  const [stores, setStores] = useState<readonly RootStore[]>([]);
  useEffect(() => {
    const element = wrapper.current as Element;
    let known: readonly RootStore[] = [];
    const look = (): void => {
      const found = storesBelow(element);
      if (found.length === known.length && found.every((store, i) => store === known[i])) return;
      known = found;
      setStores(found);
    };
    look();
    const stop = addEffect(look);
    const observer = new MutationObserver(look);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      stop();
      observer.disconnect();
      setStores([]);
    };
  }, [wrapper]);
  return stores;
}

function storesBelow(element: Element): RootStore[] {
  const stores: RootStore[] = [];
  for (const [canvas, { store }] of _roots) {
    if (canvas instanceof Node && element.contains(canvas) && store.getState().internal.active) stores.push(store);
  }
  return stores;
}
