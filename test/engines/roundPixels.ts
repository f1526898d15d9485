// In batches vertices go through other matrices, so that other rasterizers than that of Chromium round edges otherwise now and
// then: see test/helpers/pictures.ts.
Object.assign(globalThis, { roundedPixels: 2 });

export {};
