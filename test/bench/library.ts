/** What the benchmark against peer libraries takes from this project: bundled, so that the sources are what is measured. */
export * from '../../src/index.js';
export { random } from '../helpers/random.js';
export * from './worlds.js';
