import { readFileSync } from 'node:fs';

/**
 * Mutants that are known to live: the line of source as it stands, the change (any, where none is named), and the reason why
 * no test tells the difference, or why none should.
 */
const SURVIVORS = [
  {
    // For instance `child >= 0`, `next[node] < 0`.
    change: /^(0 -> \(0 \+ 1\)|>= -> >|< -> <=)$/,
    line: /\b(child|node|c|n|a|b|top|first|next|head|united|previous|list)(\[[^\]]*\])* (>=|<) 0\b/,
    reason: 'node 0 is the root, which is no one’s child and no one’s sibling',
  },
  {
    line: /= grow\(/,
    change: /^(0 -> \(0 \+ 1\)|\+ -> -|1 -> \(1 [+-] 1\))$/,
    reason: 'an array that grows is doubled at least',
  },
  {
    file: 'src/trees/grid/Grid.ts',
    line: /^return level \* 0x/,
    reason: 'another multiplier gives other keys; cells that share one share a node, which changes no answer',
  },
  {
    file: 'src/trees/grid/Grid.ts',
    line: 'if (box[c] < middle - edge || box[c + 3] > middle + edge) return false;',
    change: /^(< -> <=|> -> >=)$/,
    reason: 'what lies in the border of a cell may stay or be placed anew',
  },
  {
    file: 'src/trees/octree/fillCells.ts',
    line: 'for (let c = 0; c < BOX; c++) if (boxes[BOX * i + c] !== boxes[first + c]) return false;',
    change: '!== -> ===',
    reason: 'the first box equals itself, so that all are asked, which takes longer',
  },
  {
    file: 'src/trees/MortonOrder.ts',
    line: 'for (let i = 0; i < this.order.length; i++) this.order[i] = i;',
    change: '0 -> (0 - 1)',
    reason: 'a typed array takes nothing at -1',
  },
  {
    file: 'src/contract/BoxIndex.ts',
    line: '#version = 0;',
    reason: 'versions are compared with one another alone',
  },
  {
    file: 'src/trees/octree/placement.ts',
    line: /^const c[xyz] = [xyz] >= cells/,
    change: '>= -> >',
    reason: 'what lies in the middle of a cell may go to either side',
  },
  {
    file: 'src/packed/overlap.ts',
    line: 'if (bits === 0) return;',
    change: 'bits === 0 -> false',
    reason: 'a row of which nothing is found gives no ids',
  },
  {
    file: 'src/packed/RowsInKernel.ts',
    line: '#count = -1;',
    change: '1 -> (1 + 1)',
    reason: 'any number that is no count will do',
  },
  {
    file: 'src/packed/HilbertCurve.ts',
    line: /^const [xyz] = [uvw] > 0 \? /,
    change: /^0 -> \(0 [+-] 1\)$/,
    reason: 'of the finest steps of a cell one is as good as another',
  },
  {
    file: 'src/trees/octree/fillCells.ts',
    line: 'return true;',
    change: 'true -> false',
    reason: 'that one box may speak for all equal ones saves time alone',
  },
  {
    file: 'src/trees/octree/fillCells.ts',
    line: 'for (const i of asked) if (rule.octants(cell, 0, boxes, BOX * i) !== octants) return;',
    change: 'rule.octants(cell, 0, boxes, BOX * i) !== octants -> true',
    reason: 'a cell that is not made smaller at once is by the next division',
  },
  {
    file: 'src/packed/HilbertCurve.ts',
    line: /^const [xyz] = [uvw] > 0 \? /,
    change: /^0 -> \(0 [+-] 1\)$/,
    reason: 'of the finest steps of a cell one is as good as another',
  },
  {
    file: 'src/trees/octree/fillCells.ts',
    line: 'return true;',
    change: 'true -> false',
    reason: 'that one box may speak for all equal ones saves time alone',
  },
  {
    file: 'src/trees/octree/fillCells.ts',
    line: 'for (const i of asked) if (rule.octants(cell, 0, boxes, BOX * i) !== octants) return;',
    change: 'rule.octants(cell, 0, boxes, BOX * i) !== octants -> true',
    reason: 'a cell that is not made smaller at once is by the next division',
  },
  {
    file: 'src/packed/overlap.ts',
    line: 'if (!state.kernel?.overlap(state.rows, volume, rough, state, out, inside)) {',
    reason: 'plain code comes to the same answers in the same order, by the same steps',
  },
  {
    file: 'src/wasm/KernelPool.ts',
    line: 'if (this.#idle.length < MOST_IDLE && kernel.memory.buffer.byteLength <= MOST_IDLE_BYTES) this.#idle.push(kernel);',
    change: '<= -> <',
    reason: 'a limit that was set by hand, less one page',
  },
  {
    file: 'src/trees/TreeStructure.ts',
    line: 'if (count > all >> 2) {',
    reason: 'from how many on all is built anew was found by measuring; both ways the same is found',
  },
  {
    file: 'src/packed/Packed.ts',
    line: 'if (ids.length > this.ids.size >> 2) this.arrange(ids, boxes);',
    reason: 'from how many on all is built anew was found by measuring; both ways the same is found',
  },
  {
    file: 'src/trees/Rows.ts',
    line: 'if (this.sizes.length < rows || this.sizes.length > 2 * rows) {',
    change: /^2 -> /,
    reason: 'how much spare memory is kept was set by hand; tests allow twice what is in use',
  },
  {
    file: 'src/trees/octree/placement.ts',
    line: 'doubleCell(cell, 0, box[0] / 2 + box[3] / 2, box[1] / 2 + box[4] / 2, box[2] / 2 + box[5] / 2);',
    change: /^(2 -> |\/ -> )/,
    reason: 'any point on the side of the box will do, as the cell is doubled until it holds the box',
  },
  {
    file: 'src/trees/Tree.ts',
    line: 'this.rows.dirty[row] = 1;',
    change: '1 -> (1 + 1)',
    reason: 'anything but 0 says the same',
  },
  {
    file: 'src/trees/Tree.ts',
    line: 'if (growth[0] === 0) break;',
    change: 'break; -> ;',
    reason: 'nothing grows by less than nothing; to look on takes time alone',
  },
  {
    file: 'src/core/shapes/Ray.ts',
    line: /^if \(\w+ [<>] (enter|leave)\) (enter|leave) = /,
    change: /^(> -> >=|< -> <=)$/,
    reason: 'the greater of two equal numbers is either of them',
  },
  {
    file: 'src/trees/bvh/Bvh.ts',
    line: 'readonly tree: Tree = new Tree(false);',
    reason: 'what is done for items of several entries does for items of one',
  },
  {
    file: 'src/trees/rowTests.ts',
    line: 'for (let slot = 0; slot < size; slot++) {',
    change: '< -> <=',
    reason: 'a slot that is not in use may be tested, and is dropped afterwards',
  },
  {
    file: 'src/trees/octree/CellNodes.ts',
    line: 'for (let n = node, h = height; n > ROOT && this.heights[n] < h; n = parent[n], h++) this.heights[n] = h;',
    change: '> -> >=',
    reason: 'the height of the root is not read',
  },
  {
    file: 'src/trees/octree/fillCells.ts',
    line: 'const first = BOX * order[0];',
    change: '0 -> (0 + 1)',
    reason: 'any of several boxes will do to see whether all are equal',
  },
  {
    file: 'src/wasm/KernelPool.ts',
    line: 'if (this.#idle.length < MOST_IDLE && kernel.memory.buffer.byteLength <= MOST_IDLE_BYTES) this.#idle.push(kernel);',
    change: '&& -> ||',
    reason: 'how much memory is kept idle, only the machine can tell',
  },
  {
    file: 'src/core/arrays.ts',
    line: 'return lengthen(array, Math.max(length, 2 * array.length));',
    change: /^2 -> \(2 \+ 1\)$/,
    reason: 'by how much arrays grow was set by hand',
  },
  {
    file: 'src/trees/cells.ts',
    line: 'const extent = Math.max(box[3] - box[0], box[5] - box[2], planar ? 0 : box[4] - box[1]);',
    change: '5 -> (5 - 1)',
    reason: 'a cell that is too small for its box is doubled until it is not',
  },
  {
    file: 'src/wasm/KernelPool.ts',
    line: 'const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);',
    change: '- -> +',
    reason: 'a memory that is too large holds as much as is needed, too',
  },
  {
    file: 'src/core/shapes/Capsule.ts',
    line: 'if (!(t > t0 && t < t1)) continue;',
    change: /^(> -> >=|< -> <=)$/,
    reason: 'a place on the way that was looked at may be looked at again',
  },
  {
    file: 'src/trees/packRows.ts',
    line: 'if (count < FEWEST_TO_GUESS) return values[(left + right) >> 1];',
    reason: 'from how many on a median is sought with more care was found by measuring',
  },
];

const fits = (rule, text) => rule === undefined || (rule instanceof RegExp ? rule.test(text) : rule === text);

/** Entries whose line is no longer in their file. */
export function staleSurvivors() {
  const isStale = ({ file, line }) =>
    file &&
    !readFileSync(file, 'utf8')
      .split('\n')
      .some((text) => fits(line, text.trim()));
  return SURVIVORS.filter(isStale).map(({ file, line }) => `survivors.mjs: ${file}: ${line}`);
}

/** Why a mutant is known to live, or undefined. */
export function reasonOf({ file, text, change }) {
  return SURVIVORS.find((e) => fits(e.file, file) && fits(e.line, text) && fits(e.change, change))?.reason;
}
