/** What the benchmark against peer libraries takes from this project: bundled, so that the sources are what is measured. */
export * from '../../src/index.js';
export { random } from '../helpers/random.js';
export { scanFrustum, scanRayFirst } from './linearScan.js';
export { cameraPlanes, cameraThatSees, flatBoxes, uniformBoxes } from './worlds.js';
