/**
 * The occlusion buffer: spans are filled and rectangles read four pixels at a time, corners of boxes are computed two at a time.
 *
 * The kernel works in a memory that it is given, from an address on. In that of the kernel of packed rows it answers queries:
 * `visible` opens no group of rows that is hidden.
 */

export { init, near, touched, view } from './occlusion/memory';
export { begin, draw, occluders, triangles } from './occlusion/draw';
export { makeTiles } from './occlusion/tiles';
export { isHidden } from './occlusion/hidesBox';
export { visible } from './occlusion/walk';
