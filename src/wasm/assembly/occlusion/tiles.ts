import { hasTiles, height, near, setTiles, TILE, tileLeast, width } from './memory';

/** Computes the least nearness of each tile, 8 by 8 pixels, so that large rectangles are tested fast. */
export function makeTiles(): void {
  const across = (width + 7) >> TILE;
  const tiles = across * ((height + 7) >> TILE);
  for (let t = 0; t < tiles; t++) store<f32>(tileLeast + (<usize>t << 2), 2);
  let at = near;
  for (let y = 0; y < height; y++) {
    let t = tileLeast + (<usize>((y >> TILE) * across) << 2);
    for (let k = 0; k < across; k++, at += 32, t += 4) {
      let m = f32x4.pmin(v128.load(at), v128.load(at, 16));
      m = f32x4.pmin(m, i8x16.shuffle(m, m, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
      m = f32x4.pmin(m, i8x16.shuffle(m, m, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11));
      store<f32>(t, min(load<f32>(t), f32x4.extract_lane(m, 0)));
    }
  }
  setTiles(true);
}

/** True when all pixels of a rectangle, both ends included, are nearer than `most`, or when it is empty. */
export function areNearer(left: i32, right: i32, bottom: i32, top: i32, most: f32): bool {
  if (!hasTiles) return pixelsAreNearer(left, right, bottom, top, most);
  const mosts = f32x4.splat(most);
  const firstX = left >> TILE;
  const lastX = right >> TILE;
  const across = (width + 7) >> TILE;
  for (let ty = bottom >> TILE; ty <= top >> TILE; ty++) {
    const y0 = max(bottom, ty << TILE);
    const y1 = min(top, (ty << TILE) + 7);
    let at = tileLeast + (<usize>(ty * across + firstX) << 2);
    for (let tx = firstX; tx <= lastX; tx += 4, at += 16) {
      let not = ~i32x4.bitmask(f32x4.gt(v128.load(at), mosts)) & firstOf(lastX - tx + 1);
      for (; not !== 0; not &= not - 1) {
        const lane = ctz(not);
        const x0 = max(left, (tx + lane) << TILE);
        const x1 = min(right, ((tx + lane) << TILE) + 7);
        // If the whole tile is in the rectangle, so is its pixel that is not nearer.
        if ((x1 - x0 === 7 && y1 - y0 === 7) || !pixelsAreNearer(x0, x1, y0, y1, most)) return false;
      }
    }
  }
  return true;
}

/** Bits for the first `count` of four lanes. */
@inline
function firstOf(count: i32): i32 {
  return count >= 4 ? 15 : (1 << count) - 1;
}

function pixelsAreNearer(left: i32, right: i32, bottom: i32, top: i32, most: f32): bool {
  const mosts = f32x4.splat(most);
  for (let y = bottom; y <= top; y++) {
    let at = near + (<usize>(y * width + left) << 2);
    for (let x = left; x <= right; x += 4, at += 16) {
      // Loads beyond the last row read tiles, whose lanes are masked out.
      if ((~i32x4.bitmask(f32x4.gt(v128.load(at), mosts)) & firstOf(right - x + 1)) !== 0) return false;
    }
  }
  return true;
}
