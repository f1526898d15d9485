import { cameraActs } from './acts/cameraActs.js';
import { geometryActs } from './acts/geometryActs.js';
import { indexActs } from './acts/indexActs.js';
import { kindActs } from './acts/kindActs.js';
import { lookActs } from './acts/lookActs.js';
import { matrixActs } from './acts/matrixActs.js';
import { ownUpdateActs } from './acts/ownUpdateActs.js';
import { transformActs } from './acts/transformActs.js';
import { treeActs } from './acts/treeActs.js';

/** Everything that a script may do, by name. */
export const ACTS = {
  ...treeActs,
  ...transformActs,
  ...matrixActs,
  ...ownUpdateActs,
  ...lookActs,
  ...geometryActs,
  ...kindActs,
  ...indexActs,
  ...cameraActs,
};
export type ActName = keyof typeof ACTS;
export const ACT_NAMES = Object.keys(ACTS) as ActName[];
