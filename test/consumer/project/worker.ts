import { Packed } from 'three-scene-index/core';

const index = new Packed();
for (let i = 0; i < 1000; i++) index.add([i, 0, 0, i + 1, 1, 1]);
const ids = index.queryBox([0, 0, 0, 30, 1, 1]);
const boxes = new Float64Array(6 * ids.length);
for (let i = 0; i < ids.length; i++) boxes.set(index.getBox(ids.at(i)), 6 * i);
self.postMessage(boxes, { transfer: [boxes.buffer] });
