// The bundle of ../library.ts, made by run.mjs.
export * from '../../../node_modules/.cache/bench/library.js';
