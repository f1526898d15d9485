import { useStore } from '@react-three/fiber';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { AcceleratedScene } from '../render/accelerate.js';
import { IndexSlot, scenesAround } from './SceneAcceleration.js';

/**
 * The index of the scene that a component is in, from an `<Accelerated>` anywhere in the same canvas; null while there is
 * none. In a portal into another scene it is the index of that scene, or else that of the canvas. The component is rendered
 * again when the index comes or goes.
 * @throws Error outside of a canvas.
 */
export function useSceneIndex(): AcceleratedScene | null {
  const store = useStore();
  const slots = useMemo(() => scenesAround(store).map((scene) => IndexSlot.of(scene)), [store]);
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = slots.map((slot) => slot.subscribe(listener));
      return () => {
        for (const end of ends) end();
      };
    },
    [slots],
  );
  const read = (): AcceleratedScene | null => slots.find(({ index }) => index !== null)?.index ?? null;
  return useSyncExternalStore(subscribe, read, () => null);
}
