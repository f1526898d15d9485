import { describe, expect, it } from 'vitest';
import { Tree } from '../../../src/core/storage/Tree.js';
import { restoreImage, type TreeImage } from '../../../src/core/storage/TreeImage.js';

/** An image with rows of one unit box each, or as many as `sizes` says; their ids count up. */
function image(children: number[], sizes: number[], change: (image: TreeImage) => void = () => {}): TreeImage {
  const made = {
    children: Int32Array.from(children),
    sizes: Int32Array.from(sizes),
    ids: Int32Array.from({ length: 16 * sizes.length }, (_, slot) => slot >> 4),
    boxes: new Float64Array(96 * sizes.length),
  };
  change(made);
  return made;
}

function restore(given: TreeImage, multiple: boolean): Tree {
  const tree = new Tree(multiple);
  const live = (id: number): boolean => id < 5;
  restoreImage(tree, given, live, (parent) => tree.addNode(parent), 'here');
  return tree;
}

describe('the image of a tree', () => {
  it.each<[label: string, expected: RegExp, given: TreeImage]>([
    ['a node behind the last', /node 2 has no parent/, image([1, -1, -1], [1, 1])],
    ['a root that is a row', /node 0 cannot have -1 children/, image([-1], [1])],
    ['less than no children', /node 1 cannot have -2 children/, image([1, -2], [])],
    ['more children than nodes', /node 0 cannot have 9 children/, image([9, -1], [1])],
    ['an inner node without children', /node 1 cannot have 0 children/, image([2, 0, -1], [1])],
    ['a row too many', /more rows than 1/, image([2, -1, -1], [1])],
    ['a row too few', /fewer rows than 2/, image([1, -1], [1, 1])],
    ['a row behind inner nodes', /node 3 is a row and comes behind inner nodes/, image([2, 1, -1, -1], [1, 1])],
    ['no end', /node 0 misses children/, image([2, -1], [1])],
    ['no end further down', /misses children/, image([2, 2, -1], [1])],
    ['a tower', /lies too deep/, image([...new Array(200).fill(1), -1], [1])],
    ['an empty row', /row 0 has 0 entries/, image([1, -1], [0])],
    ['a row that is too full', /row 0 has 17 entries/, image([1, -1], [17])],
    ['a row of 257, a byte of which is 1', /row 0 has 257 entries/, image([1, -1], [257])],
    ['NaN', /entry 0 of row 0 has no legal box/, image([1, -1], [1], ({ boxes }) => boxes.fill(Number.NaN, 0, 1))],
    ['a box inside out', /entry 0 of row 0 has no legal box/, image([1, -1], [1], ({ boxes }) => boxes.fill(1, 8, 9))],
    ['an item that is dead', /item 7 has entries, but is not live/, image([1, -1], [1], ({ ids }) => ids.fill(7))],
    ['two primary entries', /entry 16 of item 0 is one too many/, image([2, -1, -1], [1, 1], ({ ids }) => ids.fill(0))],
    ['no primary entry', /entry 0 of item 0 is one too many/, image([1, -1], [1], ({ ids }) => ids.fill(~0))],
    [
      'an entry with another box',
      /entry 16 of item 0 is one too many/,
      image([2, -1, -1], [1, 1], ({ ids, boxes }) => {
        ids.fill(~0, 16);
        boxes[96 + 12] = 1;
      }),
    ],
  ])('with %s is refused', (_label, expected, given) => {
    expect(() => restore(given, true)).toThrow(expected);
    expect(() => restore(given, true)).toThrow(RangeError);
  });

  const shared = image([2, -1, -1], [1, 1], ({ ids }) => ids.fill(~0, 16));

  it('may file an item in several places where a tree does', () => {
    const { nodes, rows } = restore(shared, true);
    expect([nodes.entries[0], rows.firstSlot[0], rows.nextSlot[0], rows.nextSlot[16]]).toEqual([2, 0, 16, 0]);
    expect(() => restore(shared, false)).toThrow(/entry 16 of item 0 is one too many/);
  });

  it('of a bare root is a bare root', () => {
    expect(restore(image([0], []), false).nodes.first[0]).toBe(-1);
  });
});
