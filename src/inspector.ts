/** A tab for three's Inspector. */

export { SceneIndexTab, type SceneIndexTabOptions } from './inspector/SceneIndexTab.js';
