import { accelerate, createIndex, STRUCTURES } from '../../../../src/index.js';
import { oneOf, pick } from '../chance.js';

import type { Edits } from './Edit.js';

/** What is done to the index alone; pictures must not show it. */
export const INDEX_EDITS: Edits = {
  index(side, next) {
    const object = pick(next, side.objects);
    const structure = pick(next, STRUCTURES);
    oneOf(
      next,
      () => side.index?.batch(object, false),
      () => side.index?.batch(object, true),
      () => side.index?.batch(side.scene, true),
      () => side.index?.setStructure(createIndex(structure)),
      () => side.index?.update(),
      () => side.index?.cull(side.camera),
      () => {
        if (side.options === null) return;
        side.index?.dispose();
        side.index = accelerate(side.scene, side.options);
      },
    );
  },
};
