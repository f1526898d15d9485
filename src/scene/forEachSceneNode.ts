import type { NodeView } from '../contract/NodeView.js';
import { inWords } from '../core/inWords.js';
import { forEachNode } from '../structures/forEachNode.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';

/**
 * Calls `visit` for every node of the structure of an index, parents before children; for drawing.
 * @throws TypeError for an index or a visitor that is none, Error for an index that was disposed.
 */
export function forEachSceneNode(index: SceneIndex, visit: (node: NodeView) => void): void {
  const { entries } = partsOf(index, 'forEachSceneNode');
  if (typeof visit !== 'function') {
    throw new TypeError(`forEachSceneNode.visit: must be a function, got ${inWords(visit)}`);
  }
  forEachNode(entries.index, visit);
}
