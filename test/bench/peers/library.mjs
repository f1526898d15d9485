// The bundle of ../library.ts, made by main.mjs.
export * from '../../../node_modules/.cache/bench/library.js';
