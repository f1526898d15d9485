/** Addresses in the kernel's memory, in bytes: assembly/packed/layout.ts, written by build.mjs. */
export const NODES_VISITED = 0;
export const ITEMS_TESTED = 4;
export const INSIDE = 8;
export const ADDRESSES = 16;
export const COUNT = 52;
export const TOP = 56;
export const NUMBERS = 64;
export const PER_UNIT = 1032;
export const FRAME = 1040;
export const SLACK = 1096;
export const STARTS = 1104;
export const ROUGH = 1168;
export const FOUND = 3312;
export const CURVE = 4352;
export const NEXT = 4416;
export const FREE = 11584;
