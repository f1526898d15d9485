/**
 * Components and hooks for React Three Fiber.
 * @module
 */

export { Accelerated, type AcceleratedProps } from './react/Accelerated.js';
export { useNearest, useVisible } from './react/useFound.js';
export { touch, useSceneIndex } from './react/useSceneIndex.js';
