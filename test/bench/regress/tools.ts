/** What both versions are measured with: worlds, cameras and the scan, of the present sources. */
export { random } from '../../helpers/random.js';
export { scanFrustum } from '../linearScan.js';
export { cameraPlanes, flatBoxes, uniformBoxes } from '../worlds.js';
