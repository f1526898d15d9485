/**
 * A tab for three's Inspector.
 * @module
 */

export { SceneIndexTab, type SceneIndexTabOptions } from './inspector/SceneIndexTab.js';
