/** Components and hooks for React Three Fiber. */

export { Accelerated } from './react/Accelerated.js';
