/**
 * Components and hooks for React Three Fiber.
 * @module
 */

export { Accelerated, type AcceleratedProps } from './react/Accelerated.js';
export { Static, type StaticProps } from './react/Static.js';
export { useNearest } from './react/useNearest.js';
export { useSceneIndex } from './react/useSceneIndex.js';
export { useVisibilityWatch, useVisible, type VisibilityWatchOptions } from './react/useVisible.js';
