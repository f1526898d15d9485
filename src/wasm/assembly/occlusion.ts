/**
 * The occlusion buffer: spans are filled and rectangles read four pixels at a time, corners of boxes are computed two at a time.
 *
 * The kernel works in a given memory, from an address on. In the memory of the kernel of packed rows it answers
 * queries: `visible` opens no hidden node.
 */

export { init, near, touched, view } from './occlusion/memory';
export { beginPass, draw, occluders, triangles } from './occlusion/draw';
export { makeTiles } from './occlusion/tiles';
export { isHidden } from './occlusion/hidesBox';
export { visible } from './occlusion/walk';
