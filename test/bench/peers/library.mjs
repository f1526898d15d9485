// The bundle of ../library.ts, made by `prepare`. It lies beside the peers, so that all have one three.
export * from '../node_modules/.cache/library.js';
