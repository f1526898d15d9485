import type { Layers } from 'three';
import { replaceMethod } from '../objects/replaceMethod.js';

type Watcher = (other: Layers) => void;

/** The functions called when layers are tested, and what puts their `test` back. */
interface Watch {
  readonly watchers: Set<Watcher>;
  readonly restore: () => void;
}

const watches = new WeakMap<Layers, Watch>();

/**
 * Has a function called with the other layers whenever layers are tested. Objects may share their layers, so there may
 * be several such functions; with the last of them the layers are as they were.
 * @returns what takes the function away.
 */
export function watchLayers(layers: Layers, watcher: Watcher): () => void {
  let watch = watches.get(layers);
  if (watch === undefined) {
    watch = beginWatch(layers);
    watches.set(layers, watch);
  }
  const { watchers, restore } = watch;
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    watches.delete(layers);
    restore();
  };
}

function beginWatch(layers: Layers): Watch {
  const before = layers.test;
  const watchers = new Set<Watcher>();
  const restore = replaceMethod(layers, 'test', (other: Layers): boolean => {
    const isMet = before.call(layers, other);
    for (const watcher of watchers) watcher(other);
    return isMet;
  });
  return { watchers, restore };
}
