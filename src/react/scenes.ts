import type { RootStore } from '@react-three/fiber';
import type { Scene } from 'three';

/**
 * The scenes that a place in a canvas is in: within a portal into a scene of its own that scene, then those of the layers
 * around it, and last the scene of the canvas.
 */
export function scenesAround(store: RootStore): Scene[] {
  const scenes: Scene[] = [];
  for (let layer: RootStore | undefined = store; layer !== undefined; layer = layer.getState().previousRoot) {
    // A portal may lead to any object.
    const { scene } = layer.getState();
    if (scene.isScene && !scenes.includes(scene)) scenes.push(scene);
  }
  return scenes;
}

/** The store of the canvas that a portal, or what is in none, belongs to. */
export function canvasOf(store: RootStore): RootStore {
  let layer = store;
  for (let next = layer.getState().previousRoot; next !== undefined; next = layer.getState().previousRoot) layer = next;
  return layer;
}
