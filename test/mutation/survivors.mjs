import { readFileSync } from 'node:fs';

/**
 * Mutants that are known to live, by file: the line of source as it stands, the change, and the reason why no test tells the
 * difference, or why none should.
 */
const SURVIVORS = {
  // For instance `child >= 0`, `next[node] < 0`.
  'src/': [
    [
      /\b(child|node|c|n|a|b|top|first|next|head|united|previous|list)(\[[^\]]*\])* (>=|<) 0\b/,
      /^(0 -> \(0 \+ 1\)|>= -> >|< -> <=)$/,
      'node 0 is the root, which is no one’s child and no one’s sibling',
    ],
    [/= grow\(/, /^(0 -> \(0 \+ 1\)|\+ -> -|1 -> \(1 [+-] 1\))$/, 'an array that grows is doubled at least'],
  ],
  'src/trees/grid/Grid.ts': [
    [
      /^return tier \* 0x/,
      /^/,
      'another multiplier gives other keys; cells that share one share a node, which changes no answer',
    ],
    [
      'if (box[c] < middle - edge || box[c + 3] > middle + edge) return false;',
      /^(< -> <=|> -> >=)$/,
      'what lies in the border of a cell may stay or be placed anew',
    ],
  ],
  'src/trees/octree/CellLayout.ts': [
    [
      'for (let c = 0; c < BOX; c++) if (boxes[BOX * i + c] !== boxes[first + c]) return false;',
      '!== -> ===',
      'the first box equals itself, so that all are asked, which takes longer',
    ],
    ['return true;', 'true -> false', 'that one box may speak for all equal ones saves time alone'],
    [
      'for (const i of asked) if (rule.octants(cell, 0, boxes, BOX * i) !== octants) return;',
      'rule.octants(cell, 0, boxes, BOX * i) !== octants -> true',
      'a cell that is not made smaller at once is by the next division',
    ],
    ['const first = BOX * order[0];', '0 -> (0 + 1)', 'any of several boxes will do to see whether all are equal'],
    [
      'doubleCell(cell, 0, box[0] / 2 + box[3] / 2, box[1] / 2 + box[4] / 2, box[2] / 2 + box[5] / 2);',
      /^(2 -> |\/ -> )/,
      'any point on the side of the box will do, as the cell is doubled until it holds the box',
    ],
  ],
  'src/trees/MortonOrder.ts': [
    [
      'for (let i = 0; i < this.order.length; i++) this.order[i] = i;',
      '0 -> (0 - 1)',
      'a typed array takes nothing at -1',
    ],
  ],
  'src/contract/BoxIndex.ts': [['#version = 0;', /^/, 'versions are compared with one another alone']],
  'src/trees/octree/placement.ts': [
    [/^const c[xyz] = [xyz] >= cells/, '>= -> >', 'what lies in the middle of a cell may go to either side'],
  ],
  'src/packed/overlap.ts': [
    ['if (bits === 0) return;', 'bits === 0 -> false', 'a row of which nothing is found gives no ids'],
    [
      'if (!state.kernel?.overlap(volume, rough, out, inside)) {',
      /^/,
      'plain code comes to the same answers in the same order, by the same steps',
    ],
  ],
  'src/packed/RowsInKernel.ts': [['#count = -1;', '1 -> (1 + 1)', 'any number that is no count will do']],
  'src/packed/HilbertCurve.ts': [
    [/^const [xyz] = [uvw] > 0 \? /, /^0 -> \(0 [+-] 1\)$/, 'of the finest steps of a cell one is as good as another'],
  ],
  'src/wasm/KernelPool.ts': [
    [
      'if (this.#idle.length < MOST_IDLE && kernel.memory.buffer.byteLength <= MOST_IDLE_BYTES) this.#idle.push(kernel);',
      '<= -> <',
      'a limit that was set by hand, less one page',
    ],
    [
      'if (this.#idle.length < MOST_IDLE && kernel.memory.buffer.byteLength <= MOST_IDLE_BYTES) this.#idle.push(kernel);',
      '&& -> ||',
      'how much memory is kept idle, only the machine can tell',
    ],
    [
      'const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);',
      '- -> +',
      'a memory that is too large holds as much as is needed, too',
    ],
  ],
  'src/trees/TreeStructure.ts': [
    [
      'if (count > all >> 2) {',
      /^/,
      'from how many on all is built anew was found by measuring; both ways the same is found',
    ],
  ],
  'src/packed/Packed.ts': [
    [
      'if (ids.length > this.ids.size >> 2) this.arrange(ids, boxes);',
      /^/,
      'from how many on all is built anew was found by measuring; both ways the same is found',
    ],
  ],
  'src/trees/Rows.ts': [
    [
      'if (this.sizes.length < rows || this.sizes.length > 2 * rows) {',
      /^2 -> /,
      'how much spare memory is kept was set by hand; tests allow twice what is in use',
    ],
  ],
  'src/trees/Tree.ts': [
    ['this.rows.dirty[row] = 1;', '1 -> (1 + 1)', 'anything but 0 says the same'],
    ['if (growth[0] === 0) break;', 'break; -> ;', 'nothing grows by less than nothing; to look on takes time alone'],
  ],
  'src/core/shapes/Ray.ts': [
    [
      /^if \(\w+ [<>] (enter|leave)\) (enter|leave) = /,
      /^(> -> >=|< -> <=)$/,
      'the greater of two equal numbers is either of them',
    ],
  ],
  'src/trees/bvh/Bvh.ts': [
    ['readonly tree: Tree = new Tree(false);', /^/, 'what is done for items of several entries does for items of one'],
  ],
  'src/trees/rowTests.ts': [
    [
      'for (let seat = 0; seat < size; seat++) {',
      '< -> <=',
      'a slot that is not in use may be tested, and is dropped afterwards',
    ],
  ],
  'src/trees/octree/CellNodes.ts': [
    [
      'for (let n = node, h = height; n > ROOT && this.heights[n] < h; n = parent[n], h++) this.heights[n] = h;',
      '> -> >=',
      'the height of the root is not read',
    ],
  ],
  'src/core/arrays.ts': [
    [
      'return lengthen(array, Math.max(length, 2 * array.length));',
      /^2 -> \(2 \+ 1\)$/,
      'by how much arrays grow was set by hand',
    ],
  ],
  'src/trees/cells.ts': [
    [
      'const extent = Math.max(box[3] - box[0], box[5] - box[2], planar ? 0 : box[4] - box[1]);',
      '5 -> (5 - 1)',
      'a cell that is too small for its box is doubled until it is not',
    ],
  ],
  'src/core/shapes/Capsule.ts': [
    [
      'if (!(t > t0 && t < t1)) continue;',
      /^(> -> >=|< -> <=)$/,
      'a place on the way that was looked at may be looked at again',
    ],
  ],
  'src/trees/packRows.ts': [
    [
      'if (count < FEWEST_TO_GUESS) return values[(left + right) >> 1];',
      /^/,
      'from how many on a median is sought with more care was found by measuring',
    ],
  ],
};

const fits = (rule, text) => (rule instanceof RegExp ? rule.test(text) : rule === text);
const RULES = Object.entries(SURVIVORS).flatMap(([file, rules]) => rules.map((rule) => [file, ...rule]));

/** Entries whose line is no longer in their file. */
export function staleSurvivors() {
  const isStale = ([file, line]) =>
    file !== 'src/' &&
    !readFileSync(file, 'utf8')
      .split('\n')
      .some((text) => fits(line, text.trim()));
  return RULES.filter(isStale).map(([file, line]) => `survivors.mjs: ${file}: ${line}`);
}

/** Why a mutant is known to live, or undefined. */
export function reasonOf(mutant) {
  const isOf = ([file, line, change]) =>
    mutant.file.startsWith(file) && fits(line, mutant.text) && fits(change, mutant.change);
  return RULES.find(isOf)?.[3];
}
