import { fromBytes } from 'three-scene-index/core';

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }: MessageEvent<Uint8Array>) => {
  const found = fromBytes(data).queryBox([10.5, 0, 0, 20.5, 1, 1]);
  document.body.append(`${found.length} found`);
};
