import { VIEW_NUMBERS } from '../../occlusionLayout';

/** Pixels along the side of a tile, as a power of two. */
export const TILE: i32 = 3;

export let width: i32 = 0;
export let height: i32 = 0;
export let hasTiles: bool = false;

/** Addresses: the numbers of the pass, nearness by pixel, the least nearness of each tile. */
export let view: usize = 0;
export let near: usize = 0;
export let tileLeast: usize = 0;
/**
 * Addresses for drawing. By pixel: the last mesh that touched it in part, and the last mesh with a border on it; for
 * pixels shared by triangles of the present mesh: the farthest plane, 1 if a triangle holds the middle, and a list.
 */
export let touched: usize = 0;
export let bordered: usize = 0;
export let shared: usize = 0;
export let middle: usize = 0;
export let list: usize = 0;
export let spans: usize = 0;

/** Lays out the memory from an address on, a multiple of 16; returns the end. */
export function init(start: usize, w: i32, h: i32, draws: bool): usize {
  width = w;
  height = h;
  const pixels = <usize>(w * h);
  view = start;
  near = align(view + 8 * VIEW_NUMBERS);
  tileLeast = near + 4 * pixels;
  // Tiles are read four at a time.
  let end = align(tileLeast + 12 + 4 * <usize>(((w + 7) >> TILE) * ((h + 7) >> TILE)));
  hasTiles = !draws;
  if (!draws) return end;
  touched = end;
  bordered = touched + 4 * pixels;
  shared = bordered + 4 * pixels;
  list = shared + 4 * pixels;
  middle = list + 4 * pixels;
  spans = align(middle + pixels);
  end = spans + 64 * <usize>h;
  return end;
}

/** Drops all drawn meshes, with the marks that hold their numbers. */
export function clear(): void {
  hasTiles = false;
  memory.fill(near, 0, 4 * <usize>(width * height));
  memory.fill(touched, 0, shared - touched);
}

export function setTiles(areReady: bool): void {
  hasTiles = areReady;
}

@inline
export function align(at: usize): usize {
  return (at + 15) & ~15;
}

/** A number of the pass. */
@inline
export function numberAt(k: i32): f64 {
  return load<f64>(view + (<usize>k << 3));
}

@inline
export function f(at: usize, k: i32): f64 {
  return load<f64>(at + (<usize>k << 3));
}

/** `max(least, floor(x))`, which is used only up to the size of the buffer. */
@inline
export function low(x: f64, least: i32): i32 {
  return <i32>min(max(floor(x), <f64>least), 1e9);
}

/** `min(most, floor(x))`, which is used only from -1 on. */
@inline
export function high(x: f64, most: i32): i32 {
  return <i32>max(min(floor(x), <f64>most), -1e9);
}
