/**
 * Components and hooks for React Three Fiber.
 * @module
 */

export { Accelerated, type AcceleratedProps } from './react/Accelerated.js';
export { touch, useNearest, useSceneIndex, useVisible } from './react/hooks.js';
