import { describe, expect, it } from 'vitest';
import { forEachNode, Grid, type NodeView, stats } from '../../../src/standalone.js';
import { type GridLayout, keyOf, TIERS } from '../../../src/trees/grid/Grid.js';
import { layoutOf, rebuildsOf } from '../../helpers/partsOf.js';
import { random } from '../../helpers/random.js';
import { validate } from '../../helpers/validate.js';
import { checkAround } from '../../model/checkNear.js';
import { Truth } from '../../model/Truth.js';

const COUNT = 4000;
const FEW = 300;
const MANY = 1500;
const edgeOf = (grid: Grid): number => layoutOf<GridLayout>(grid).edge;
const cellsIn = (grid: Grid): number => layoutOf<GridLayout>(grid).cells.size;

/** Boxes of a size in a cube around the origin. */
function world(count: number, width: number, size: number, seed = 1): number[][] {
  const next = random(seed);
  return Array.from({ length: count }, () => {
    const [x, y, z] = [next(), next(), next()].map((c) => (c - 0.5) * width);
    return [x, y, z, x + size, y + size, z + size];
  });
}

function views(grid: Grid): { box: number[]; cell: number[]; depth: number; leaf: boolean; items: number }[] {
  const found: ReturnType<typeof views> = [];
  forEachNode(grid, ({ box, cell, depth, leaf, items }: NodeView) => {
    found.push({ box: [...box], cell: [...cell], depth, leaf, items });
  });
  return found;
}

const perCell = (grid: Grid): number => grid.size / stats(grid).leaves;

describe('the cell size of a grid is chosen', () => {
  const WORLDS: [label: string, boxes: number[][]][] = [
    ['sparse', world(COUNT, 1e6, 1)],
    ['dense', world(COUNT, 10, 0.5)],
    ['tiny', world(COUNT, 1e-6, 1e-9)],
    ['flat', world(COUNT, 1000, 1).map(([x, , z]) => [x, 0, z, x, 0, z])],
    ['two clusters, far apart', world(COUNT, 10, 0.1).map((box, i) => box.map((c) => c + (i & 1) * 1e9))],
    ['one far outlier', [...world(COUNT, 10, 0.1), [1e12, 0, 0, 1e12, 0, 0]]],
    ['half of it in one point', world(COUNT, 10, 0).map((box, i) => (i & 1 ? [1, 1, 1, 1, 1, 1] : box))],
    [
      'of clusters with few between',
      world(COUNT, 1, 0).map((b, i) => b.map((c) => (i % 5 ? c + (i % 7) * 100 : 1e3 * c))),
    ],
  ];
  it.each(WORLDS)('so that a cell has some dozens of items, in a world that is %s', (_label, boxes) => {
    const atOnce = new Grid();
    atOnce.addAll(boxes.flat());
    const oneByOne = new Grid();
    for (const box of boxes) oneByOne.add(box);
    const planar = new Grid({ planar: true });
    planar.addAll(boxes.flat());
    for (const grid of [atOnce, oneByOne, planar]) {
      expect(perCell(grid)).toBeGreaterThan(4);
      expect(perCell(grid)).toBeLessThan(150);
      expect(validate(grid)).toEqual([]);
    }
  });

  it('for what is there, not for what was', () => {
    const grid = new Grid();
    const far = world(COUNT, 1000, 1);
    const near = world(COUNT, 1, 0.001);
    const ids = grid.addAll(far.flat());
    const before = edgeOf(grid);
    for (const [i, id] of ids.entries()) grid.update(id, near[i]);
    grid.rebuild();
    // Items that came close to each other are not all in one cell, and those that went apart not all in cells of their own.
    expect(perCell(grid)).toBeLessThan(200);
    expect(edgeOf(grid)).toBeLessThan(before / 100);
    for (const [i, id] of ids.entries()) grid.update(id, far[i]);
    grid.rebuild();
    expect(perCell(grid)).toBeGreaterThan(4);
    expect(edgeOf(grid)).toBeGreaterThan(before / 2);
    expect(validate(grid)).toEqual([]);
  });

  it('anew at rebuild', () => {
    const grid = new Grid();
    grid.addAll(world(COUNT, 1000, 1).flat());
    const few = grid.addAll(world(10, 1000, 1).flat());
    for (let id = 0; id < few[0]; id++) grid.remove(id);
    grid.rebuild();
    expect(stats(grid).leaves).toBeLessThan(10);
    expect(edgeOf(grid)).toBeGreaterThan(100);
  });

  const GROWING: [label: string, box: (i: number) => number[]][] = [
    ['in the same space', (i) => world(1, 100, 1, i)[0]],
    ['in one point', () => [7, 7, 7, 7, 7, 7]],
    ['along a line', (i) => [i, 0, 0, i, 1, 1]],
    ['at ever larger distances', (i) => [1.01 ** i, 0, 0, 1.01 ** i, 0, 0]],
    ['in ever larger sizes', (i) => [0, 0, 0, 1.01 ** i, 1, 1]],
    ['without ends', (i) => [i, 0, 0, Number.POSITIVE_INFINITY, 1, 1]],
  ];
  /** At 16, 32, ..., 1024 items, and where most of the last ones lie alone in their cells. */
  const REBUILDS: { [label: string]: number } = { 'at ever larger distances': 19 };
  it.each(GROWING)('few times while items are added one by one, %s', (label, box) => {
    const grid = new Grid();
    for (let i = 0; i < MANY; i++) grid.add(box(i));
    expect(rebuildsOf(grid)).toBe(REBUILDS[label] ?? 7);
    expect(validate(grid)).toEqual([]);
  });

  it('so that half of the boxes fit a cell, however thick they lie', () => {
    const grid = new Grid();
    grid.addAll([...world(COUNT / 2 - 1, 1, 1000), ...world(COUNT / 2 + 1, 1, 50)].flat());
    expect(edgeOf(grid)).toBe(64);
    expect(stats(grid).leaves).toBeLessThanOrEqual(8);
  });

  it('for all together, where cells at the same place are of different levels', () => {
    const grid = new Grid();
    grid.addAll([...world(COUNT, 1000, 1), ...world(COUNT / 2, 1000, 400)].flat());
    expect(perCell(grid)).toBeGreaterThan(24);
    expect(validate(grid)).toEqual([]);
  });

  it('without regard to boxes without ends', () => {
    const [few, more] = [new Grid(), new Grid()];
    const far = Number.POSITIVE_INFINITY;
    few.addAll(world(COUNT, 1000, 1).flat());
    more.addAll(
      [...world(COUNT, 1000, 1), ...world(2 * COUNT, 1000, 1).map((box) => [...box.slice(0, 3), far, far, far])].flat(),
    );
    expect(edgeOf(more)).toBe(edgeOf(few));
  });

  it('by none but the caller who gives one', () => {
    const grid = new Grid({ cellSize: 3 });
    for (const box of world(COUNT, 100, 1)) grid.add(box);
    grid.addAll(world(COUNT, 1000, 1).flat());
    grid.rebuild();
    expect(edgeOf(grid)).toBe(3);
  });

  it('while a few of many come at once', () => {
    const grid = new Grid();
    const truth = new Truth();
    const next = random(1);
    for (let round = 0; grid.size < 3000; round++) {
      truth.addAll(grid, world(1 + (grid.size >> 3), 100, 1, round));
      expect(validate(grid)).toEqual([]);
    }
    checkAround(grid, truth, next, [0, 0, 0], 30);
  });
});

/** A node takes 72 bytes and 32 for its place; a row 1,104. Arrays may be twice as long. A tower has LEVELS nodes at most. */
const BYTES_PER_ITEM = 2 * (1104 + 104 * (TIERS + 1));

describe('a grid with cells far too small or large', () => {
  const WORLDS: [label: string, boxes: number[][]][] = [
    ['points', world(FEW, 100, 0)],
    ['boxes of 1', world(FEW, 100, 1)],
    ['boxes of 1 in a world of 1e9', world(FEW, 1e9, 1)],
    ['boxes of 1e9', world(FEW, 1e9, 1e9)],
    ['points at 2^299', world(FEW, 2 ** 299, 0)],
    ['points 2^52 cells apart', world(FEW, 0, 0).map((_, i) => new Array(6).fill(2 ** 22 * i))],
    ['the smallest of numbers', world(FEW, 0, 0).map((_, i) => [0, 0, 0, 5e-324 * i, 0, 5e-324])],
    ['boxes of all sizes', world(FEW, 100, 0).map((b, i) => b.map((c, k) => c + (k > 2 ? 2 ** ((i % 100) - 50) : 0)))],
  ];
  describe.each([5e-324, 1e-12, 2 ** -30, 1e9, 2 ** 300])('of %d', (cellSize) => {
    it.each(WORLDS)('take bounded room and lose nothing, given %s', (_label, boxes) => {
      for (const planar of [false, true]) {
        const grid = new Grid({ cellSize, planar });
        const truth = new Truth();
        const empty = stats(grid);
        for (const [i, box] of boxes.entries()) {
          if (i & 1) truth.add(grid, box);
          else truth.addAll(grid, [box]);
        }
        const check = (): void => {
          const { nodes, rows, bytes, height } = stats(grid);
          expect(height).toBeLessThanOrEqual(TIERS);
          expect(nodes).toBeLessThanOrEqual(TIERS * FEW);
          expect(bytes).toBeLessThanOrEqual(BYTES_PER_ITEM * FEW);
          // No cell is so small, so far away, that its sides fall together.
          const cells = views(grid).filter(({ leaf }) => leaf);
          for (const { cell } of cells) expect(cell.every(Number.isFinite) && cell[0] < cell[3]).toBe(true);
          const next = random(2);
          const at = boxes[123].slice(0, 3);
          checkAround(grid, truth, next, at, 3);
          grid.queryPoint(at[0], at[1], at[2]);
          expect(grid.counters.nodesVisited).toBeLessThanOrEqual(nodes + rows + 1);
        };
        check();
        grid.rebuild();
        check();
        for (let id = 0; id < FEW; id += 2) {
          truth.remove(grid, id);
          truth.update(grid, id + 1, boxes[FEW - id - 1]);
          if (id === 200) check();
        }
        for (const id of truth.boxes.keys()) grid.remove(id);
        expect(stats(grid)).toMatchObject({ items: 0, nodes: 0, rows: 0 });
        expect(stats(grid).bytes).toBeLessThanOrEqual(2 * empty.bytes);
      }
    });
  });
});

describe('a grid', () => {
  it('places an item in one cell, by its centre and size', () => {
    const grid = new Grid({ cellSize: 2 });
    grid.addAll(
      [
        [1, 1, 1, 2, 2, 2],
        [1.5, 1.5, 1.5, 2.75, 2.75, 2.75],
        [-1, -1, -1, 4, 1, 1],
      ].flat(),
    );
    const leaves = views(grid).filter(({ items }) => items > 0);
    expect(leaves.map(({ cell }) => cell).sort()).toEqual(
      [
        [0, 0, 0, 2, 2, 2],
        [2, 2, 2, 4, 4, 4],
        [0, 0, 0, 8, 8, 8],
      ].sort(),
    );
    expect(views(grid).map(({ cell }) => cell[3] - cell[0])).toContain(8);
  });

  it('has columns as high as what is in them, when planar', () => {
    const grid = new Grid({ cellSize: 10, planar: true });
    grid.addAll([1, -500, 1, 2, -499, 2, 3, 700, 3, 4, 701, 4]);
    expect(views(grid)[TIERS - 1]).toMatchObject({ cell: [0, -500, 0, 10, 701, 10], items: 2, leaf: true });
  });

  it('keeps two cells whose places give the same key in one node, and finds everything', () => {
    const [x, y] = [0xc2b2ae3d3, 0x85ebca6b1];
    expect(keyOf(0, x, 0, 0)).toBe(keyOf(0, 0, y, 0));
    const grid = new Grid({ cellSize: 1 });
    const places = [
      [x, 0, 0],
      [0, y, 0],
      [x, 0, 0],
      [0, 0, 0],
    ];
    for (const at of places) grid.add([...at, ...at.map((c) => c + 0.5)]);
    expect(views(grid).map(({ items }) => items)).toContain(3);
    const at = (x: number, y: number): number[] => grid.queryPoint(x, y, 0).toArray().sort();
    expect([at(x, 0), at(0, y), at(0, 0)]).toEqual([[0, 2], [1], [3]]);
    for (const id of [0, 1]) grid.update(id, [5, 5, 0, 6, 6, 1]);
    expect([at(x, 0), at(0, y), at(5, 5)]).toEqual([[2], [], [0, 1]]);
    grid.remove(2);
    grid.update(1, [0, y, 0, 0, y, 0]);
    expect([at(x, 0), at(0, y), at(5, 5)]).toEqual([[], [1], [0]]);
    expect(validate(grid)).toEqual([]);
  });

  it('keeps an item in its cell while it lies half a cell beyond it at most', () => {
    const grid = new Grid({ cellSize: 8 });
    const id = grid.add([3, 3, 3, 5, 5, 5]);
    const cell = (): number[] => views(grid)[views(grid).length - 1].cell;
    grid.update(id, [10, 3, 3, 12, 5, 5]);
    expect(cell()).toEqual([0, 0, 0, 8, 8, 8]);
    grid.update(id, [10.5, 3, 3, 12.5, 5, 5]);
    expect(cell()).toEqual([8, 0, 0, 16, 8, 8]);
    // Larger than two cells, then smaller again: it stays with the larger until it fits a quarter of it.
    grid.update(id, [0, 0, 0, 32, 1, 1]);
    expect(cell()).toEqual([0, 0, 0, 32, 32, 32]);
    grid.update(id, [16, 0, 0, 24.1, 1, 1]);
    expect(cell()).toEqual([0, 0, 0, 32, 32, 32]);
    grid.update(id, [16, 0, 0, 24, 1, 1]);
    expect(cell()).toEqual([16, 0, 0, 24, 8, 8]);
    expect(validate(grid)).toEqual([]);
  });

  it('keeps what has no end, and what is too large or too far away, out of the cells', () => {
    const far = Number.POSITIVE_INFINITY;
    for (const cellSize of [1e-2, 1, 2 ** 300]) {
      const grid = new Grid({ cellSize });
      const ids = grid.addAll(
        [
          [far, far, far, far, far, far],
          [-far, 0, 0, far, 0, 0],
          [1e200, 0, 0, 1e200, 0, 0],
          [0, -1e200, 0, 0, 1, 0],
          [0, 0, 0, 1, 1, 1],
        ].flat(),
      );
      for (let round = 0; round < 3; round++) {
        const [root] = views(grid);
        expect(root).toMatchObject({ depth: 0, items: 4, leaf: false });
        expect(stats(grid).leaves).toBe(1);
        expect(validate(grid)).toEqual([]);
        if (round === 0) grid.rebuild();
        for (const id of ids.subarray(0, 4)) grid.update(id, grid.getBox(id));
      }
      // It lies within the box of its row, and all the same goes to a cell.
      grid.update(ids[1], [0, 0, 0, 1, 0.5, 1]);
      expect(views(grid)[0].items).toBe(3);
      expect(validate(grid)).toEqual([]);
    }
  });

  it('is the same as new once everything is gone', () => {
    const grid = new Grid();
    const { bytes } = stats(grid);
    const ids = world(COUNT, 100, 1).map((box) => grid.add(box));
    for (const id of ids) grid.remove(id);
    expect(stats(grid)).toMatchObject({ items: 0, nodes: 0, rows: 0 });
    expect(stats(grid).bytes).toBeLessThanOrEqual(2 * bytes);
    expect(cellsIn(grid)).toBe(0);
  });
});
