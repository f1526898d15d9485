/**
 * Mutants that no test can kill, or none should: each with its line of source, the change, and the reason why no one
 * could tell the difference.
 */
const EQUIVALENTS = [
  {
    file: 'src/query/raycast.ts',
    line: 'while (child >= 0 && next[child] < 0) {',
    change: '0 -> (0 + 1)',
    reason: 'node 0 is the root, which is no one’s sibling',
  },
  {
    file: 'src/structures/CellTree.ts',
    line: 'for (let child = nodes.first[below[i]]; child >= 0; child = nodes.next[child]) below.push(child);',
    change: '0 -> (0 + 1)',
    reason: 'node 0 is the root, which is no one’s child',
  },
  {
    file: 'src/core/Rows.ts',
    line: 'const FEW = 16;',
    change: '16 -> (16 - 1)',
    reason: 'arrays may begin at any length',
  },
  {
    file: 'src/core/Nodes.ts',
    line: 'this.box = grow(this.box, 0);',
    change: '0 -> (0 + 1)',
    reason: 'an array that grows is doubled at least',
  },
  {
    file: 'src/core/Tree.ts',
    line: 'const MOST_MOVES = 2 ** 30 - 1;',
    change: '30 -> (30 + 1)',
    reason: 'where the count of moves begins anew matters to no one, as long as it is after a multiple of 64',
  },
  {
    file: 'src/structures/Grid.ts',
    line: '#crowd = 0;',
    change: '0 -> (0 - 1)',
    reason: 'it is read only beside a number of items of 0, which by itself makes the grid choose anew',
  },
  {
    file: 'src/structures/fillCells.ts',
    line: 'return true;',
    change: 'true -> false',
    reason: 'that one box may speak for all equal ones saves time alone',
  },
  {
    file: 'src/query/pairs.ts',
    line: 'if (!touch(box, BOX * c, theirs.box, BOX * b)) continue;',
    change: '!touch(box, BOX * c, theirs.box, BOX * b) -> false',
    reason: 'what is not dropped here is dropped by the next test; it saves visits alone',
  },
  {
    file: 'src/structures/CellHash.ts',
    line: 'h = Math.imul(h ^ (h >>> 15) ^ fold(z), 0xc2b2ae35);',
    change: '0xc2b2ae35 -> (0xc2b2ae35 + 1)',
    reason: 'another multiplier spreads the cells in another way',
  },
];

/** Why no test tells a mutant from what it was made of, or undefined. */
export function reasonOf({ file, text, change }) {
  return EQUIVALENTS.find((e) => e.file === file && e.line === text && e.change === change)?.reason;
}
