/**
 * The layout of `OcclusionView.numbers`: the numbers of a pass, as the kernel gets them. The kernel is compiled from
 * this file too, so it holds nothing but constants.
 */

/** Most clipping planes of a pass. */
export const MOST_SECTIONS = 16;

/** Indices in `OcclusionView.numbers`. Four rows of four for x, y, w and nearness * w of a world point. */
export const ROWS = 0;
/** Four rows of four for x, y, w and nearness * w of a point in view coordinates. */
export const CLIP = 16;
/** Three rows of four for x, y and z in view coordinates; for each row the sum of sizes of its first three numbers. */
export const VIEW = 32;
export const VIEW_SUMS = 44;
export const EYE = 47;
/** Guards of all positions, and of cuts by sections, in pixels of the buffer. */
export const GUARD = 50;
export const SECTION_GUARD = 51;
/** Reserves of nearness: in general; relative, with `1 / near`; by the terms of z: x, y, constant. */
export const DEPTH_GUARD = 52;
export const RELATIVE_GUARD = 53;
export const PER_NEAR = 54;
export const DEPTH_TERMS = 55;
/** Sizes of the rows of `CLIP` for x or y with w, for nearness, and for w: three numbers each. */
export const SIZES_XY = 58;
export const SIZES_N = 61;
export const SIZES_W = 64;
/** Size of the constants of x and y; 1 if programs add up in world coordinates, else 0; the largest number added up. */
export const SIZE_CONSTANT = 67;
export const IN_WORLD = 68;
export const MAGNITUDE = 69;
/** The sum that programs add up relative to the origin of a batch, per sum of a vertex in view coordinates. */
export const FROM_ORIGIN = 79;
/** Errors of boxes per unit of reach, in x and y, nearness * w, w, and by the terms of z; then errors without reach. */
export const BOX_XY = 70;
export const BOX_N = 71;
export const BOX_W = 72;
export const BOX_TERMS = 73;
export const BOX_CONSTANTS = 74;
/**
 * The number of sections, and five numbers of each: the distance from the section, divided by w, per unit of x and of y
 * in the buffer, per unit of nearness, and the rest; and the size of the section's constant.
 */
export const SECTIONS = 80;
export const SECTION = 5;
export const VIEW_NUMBERS = 161;

/**
 * Programs and rasterisers work in single precision, u = 2 ** -24. A coordinate of a vertex is a sum of four products
 * twice over: by the matrix to view coordinates, then by the projection. A rounded element, a rounded product and three
 * rounded sums cost 5 u of the sum of the sizes of all terms, each time; 16 u is more than both, with the error of a
 * matrix product in the program.
 */
export const UNIT = 9.5367431640625e-7;
