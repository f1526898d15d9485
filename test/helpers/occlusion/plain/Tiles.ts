/** Pixels along the side of a tile, as a power of two. */
const TILE = 3;
/** Rectangles of fewer pixels on a side are read without tiles. */
const SMALL = 4;

const { min, max } = Math;

/** The least nearness of each 8 by 8 pixels, so that large rectangles are answered fast. */
export class Tiles {
  readonly width: number;
  readonly height: number;
  readonly #near: Float32Array;
  readonly #across: number;
  readonly #least: Float32Array;
  /** False while pixels change. */
  isReady = false;

  constructor(width: number, height: number, near: Float32Array) {
    this.width = width;
    this.height = height;
    this.#near = near;
    this.#across = (width + 7) >> TILE;
    this.#least = new Float32Array(this.#across * ((height + 7) >> TILE));
  }

  make(): void {
    const { width, height } = this;
    const near = this.#near;
    const least = this.#least;
    least.fill(2);
    for (let y = 0, k = 0; y < height; y++) {
      const row = (y >> TILE) * this.#across;
      for (let x = 0; x < width; x++, k++) if (near[k] < least[row + (x >> TILE)]) least[row + (x >> TILE)] = near[k];
    }
    this.isReady = true;
  }

  /** True when all pixels of a rectangle, both ends included, are nearer than `most`; so are those of an empty one. */
  areNearer(left: number, right: number, bottom: number, top: number, most: number): boolean {
    if (!this.isReady || (right - left < SMALL && top - bottom < SMALL)) {
      return this.#pixelsAreNearer(left, right, bottom, top, most);
    }
    const least = this.#least;
    for (let ty = bottom >> TILE; ty <= top >> TILE; ty++) {
      const y0 = max(bottom, ty << TILE);
      const y1 = min(top, (ty << TILE) + 7);
      for (let tx = left >> TILE; tx <= right >> TILE; tx++) {
        if (least[ty * this.#across + tx] > most) continue;
        const x0 = max(left, tx << TILE);
        const x1 = min(right, (tx << TILE) + 7);
        // A whole tile has a pixel that is not nearer.
        if (x1 - x0 === 7 && y1 - y0 === 7) return false;
        if (!this.#pixelsAreNearer(x0, x1, y0, y1, most)) return false;
      }
    }
    return true;
  }

  #pixelsAreNearer(left: number, right: number, bottom: number, top: number, most: number): boolean {
    const { width } = this;
    const near = this.#near;
    for (let y = bottom; y <= top; y++) {
      for (let k = y * width + left, end = y * width + right; k <= end; k++) if (!(near[k] > most)) return false;
    }
    return true;
  }
}
