import { hasTiles, height, near, setTiles, TILE, tileLeast, width } from './memory';

/** Rectangles of fewer pixels on a side are read without tiles. */
const SMALL: i32 = 4;

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

export function areNearer(left: i32, right: i32, bottom: i32, top: i32, most: f32): bool {
  if (!hasTiles || (right - left < SMALL && top - bottom < SMALL)) return pixelsAreNearer(left, right, bottom, top, most);
  const across = (width + 7) >> TILE;
  for (let ty = bottom >> TILE; ty <= top >> TILE; ty++) {
    const y0 = max(bottom, ty << TILE);
    const y1 = min(top, (ty << TILE) + 7);
    let at = tileLeast + (<usize>(ty * across + (left >> TILE)) << 2);
    for (let tx = left >> TILE; tx <= right >> TILE; tx++, at += 4) {
      if (load<f32>(at) > most) continue;
      const x0 = max(left, tx << TILE);
      const x1 = min(right, (tx << TILE) + 7);
      if (x1 - x0 === 7 && y1 - y0 === 7) return false;
      if (!pixelsAreNearer(x0, x1, y0, y1, most)) return false;
    }
  }
  return true;
}

function pixelsAreNearer(left: i32, right: i32, bottom: i32, top: i32, most: f32): bool {
  const mosts = f32x4.splat(most);
  for (let y = bottom; y <= top; y++) {
    let at = near + (<usize>(y * width + left) << 2);
    const end = near + (<usize>(y * width + right) << 2);
    for (; at + 12 <= end; at += 16) if (i32x4.bitmask(f32x4.gt(v128.load(at), mosts)) !== 15) return false;
    for (; at <= end; at += 4) if (!(load<f32>(at) > most)) return false;
  }
  return true;
}
