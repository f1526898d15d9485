/**
 * Components and hooks for React Three Fiber.
 * @module
 */

export { Accelerated, type AcceleratedProps } from './react/Accelerated.js';
export { useNearest } from './react/useNearest.js';
export { touch, useSceneIndex } from './react/useSceneIndex.js';
export { useVisible } from './react/useVisible.js';
