import { Packed } from 'three-scene-index/core';

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }: MessageEvent<Float64Array>) => {
  const index = new Packed();
  index.addAll(data);
  const found = index.queryBox([10.5, 0, 0, 20.5, 1, 1]);
  document.body.append(`${found.length} found`);
};
