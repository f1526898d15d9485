// Bits for facts that distinguish materials from plain ones. three's own shaders draw plain materials, which cover
// everything behind them. Bits are named exports, as bundlers write their values in place of the names.

export const missing: number = 1;
export const invisible: number = 1 << 1;
export const otherShader: number = 1 << 2;
export const ofNodes: number = 1 << 3;
export const onBeforeCompile: number = 1 << 4;
export const onBeforeRender: number = 1 << 5;
export const nodes: number = 1 << 6;
export const movingNodes: number = 1 << 7;
export const displaced: number = 1 << 8;
export const wireframe: number = 1 << 9;
export const objectNormals: number = 1 << 10;
export const transparent: number = 1 << 11;
export const transmits: number = 1 << 12;
/** three draws the back of each mesh, then its front. */
export const drawnTwice: number = 1 << 13;
export const alphaHash: number = 1 << 14;
/** The alpha of the material cuts holes. */
export const cutout: number = 1 << 15;
export const blending: number = 1 << 16;
/** The material is blended with the pixels behind, though it need not be transparent. */
export const blended: number = 1 << 17;
export const noColor: number = 1 << 18;
export const noDepthWrite: number = 1 << 19;
export const noDepthTest: number = 1 << 20;
export const depthFunc: number = 1 << 21;
/** The material may replace a depth by a farther one. */
export const fartherDepth: number = 1 << 22;
export const polygonOffset: number = 1 << 23;
export const stencil: number = 1 << 24;
/** The material changes the stencil, besides testing it. */
export const stencilWrite: number = 1 << 25;
export const stencilByDepth: number = 1 << 26;
