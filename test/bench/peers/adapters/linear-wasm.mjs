// No structure: plain loops in WebAssembly SIMD, see ../assembly/scan.ts.
import { readFileSync } from 'node:fs';
import { List } from '../answers.mjs';
import { SCAN } from '../compileScan.mjs';

const QUESTION = 64 / 8;
const BOXES = (512 + 2048) / 8;
const PAGE = 65536;

export function create() {
  const scan = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(SCAN))).exports;
  const first = new List();
  const out = { ids: undefined, length: 0 };
  let numbers;
  let count;

  const write = (id, boxes) => {
    for (let c = 0, to = BOXES + id; c < 6; c++, to += count) numbers[to] = boxes[6 * id + c];
  };
  const update = (ids, boxes) => {
    for (let i = 0; i < ids.length; i++) write(ids[i], boxes);
  };
  const all = (method, question) => {
    numbers.set(question, QUESTION);
    out.length = scan[method](count);
    return out;
  };
  const one = (method, question) => {
    numbers.set(question, QUESTION);
    const id = scan[method](count);
    first.clear();
    if (id >= 0) first.push(id);
    return first;
  };
  return {
    build(boxes) {
      const n = boxes.length / 6;
      count = n + (n % 2);
      const { memory } = scan;
      // An id is half as long as a double; the last may be written beyond the end.
      const missing = 8 * (BOXES + 6 * count) + 4 * (count + 1) - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
      numbers = new Float64Array(memory.buffer);
      out.ids = new Int32Array(memory.buffer, 8 * (BOXES + 6 * count));
      for (let id = 0; id < n; id++) write(id, boxes);
      if (n === count) return;
      for (let c = 0; c < 6; c++) numbers[BOXES + c * count + n] = c < 3 ? Infinity : -Infinity;
    },
    update,
    teleport: update,
    replace: update,
    cull: ({ planes }) => all('cull', planes),
    rayAll: ({ origin, inverse }) => all('rayAll', [...origin, ...inverse]),
    rayFirst: ({ origin, inverse }) => one('rayFirst', [...origin, ...inverse]),
    box: (query) => all('box', query),
    sphere: ({ center, radius }) => all('sphere', [...center, radius * radius]),
    nearest: (point) => one('nearest', point),
  };
}
