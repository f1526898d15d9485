import { Packed, toBytes } from 'three-scene-index/core';

const index = new Packed();
for (let i = 0; i < 1000; i++) index.add([i, 0, 0, i + 1, 1, 1]);
const bytes = toBytes(index);
self.postMessage(bytes, { transfer: [bytes.buffer as ArrayBuffer] });
