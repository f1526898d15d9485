/**
 * The numbers of a pass, as the kernel gets them: where each lies in `OcclusionView.numbers`. The kernel is compiled
 * from this file too, so it holds nothing but constants.
 */

/** Most clipping planes of a pass. */
export const MOST_SECTIONS = 16;

/** Places in `OcclusionView.numbers`. Four rows of four for x, y, w and nearness * w of a world point, */
export const ROWS = 0;
/** and of a view point; */
export const CLIP = 16;
/** three rows of four for x, y and z in view coordinates; the sums of the sizes of the first three numbers of each. */
export const VIEW = 32;
export const VIEW_SUMS = 44;
export const EYE = 47;
/** Guards, in pixels of the buffer: of all positions, and of cuts by sections. */
export const GUARD = 50;
export const SECTION_GUARD = 51;
/** What is held in reserve for nearness: in general; relative, with `1 / near`; by the terms of z: x, y, constant. */
export const DEPTH_GUARD = 52;
export const RELATIVE_GUARD = 53;
export const PER_NEAR = 54;
export const DEPTH_TERMS = 55;
/** Sizes of the rows of `CLIP` for x or y with w, for nearness, and for w: three numbers each. */
export const SIZES_XY = 58;
export const SIZES_N = 61;
export const SIZES_W = 64;
/** The size of the constants of x and y; what programs add up in world coordinates: 1 or 0, and a number. */
export const SIZE_CONSTANT = 67;
export const IN_WORLD = 68;
export const MAGNITUDE = 69;
/** What programs add up relative to the origin of a batch: so many times what a vertex adds up in view coordinates. */
export const FROM_ORIGIN = 79;
/** For boxes: error of x and y, of nearness, and of nearness for each unit of w's, a unit of their reach; and without it. */
export const BOX_XY = 70;
export const BOX_N = 71;
export const BOX_W = 72;
export const BOX_TERMS = 73;
export const BOX_CONSTANTS = 74;
/**
 * How many sections there are, and five numbers of each: its distance, divided by w, for each unit of x and y in the
 * buffer, of nearness, and without these; and the size of its constant.
 */
export const SECTIONS = 80;
export const SECTION = 5;
export const VIEW_NUMBERS = 161;

/**
 * Programs and rasterisers work in single precision, u = 2 ** -24. A coordinate of a vertex is a sum of four products
 * twice over: by the matrix to view coordinates, then by the projection. A rounded entry, a rounded product and three
 * rounded sums cost 5 u of the sum of the sizes of all terms, each time; 16 u is more than both, with what a matrix
 * product in the program adds.
 */
export const UNIT = 9.5367431640625e-7;
