/**
 * Tests that say something of Chromium and its rasterizer alone, by their names, and why they fail with that of Mesa, by which
 * Firefox and WebKitGTK draw where there is no GPU.
 */
export const EXCEPTIONS: readonly string[] = [
  // They count draw calls as if there were no `countBatches`, or without `WEBGL_multi_draw`.
  'no draw call for several draws, as in Firefox',
  "by WebGPURenderer with 'the WebGL backend'",
  // Surfaces in one plane. They flicker in plain three too when the camera moves by a millionth, and otherwise in batches.
  'surfaces of sides',
  'panes at one depth, in one place',
  'numbers that are no fractions',
  // 1.4 pixels in a thousand are rounded otherwise where one is allowed.
  'units from their first mesh, with a (narrow|parallel) view',
  // Plain three draws no outlines, and no soft edge of a shadow.
  'of an OutlineNode',
  'softens variance shadows at its edges',
];
