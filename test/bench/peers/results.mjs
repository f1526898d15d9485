// What was measured and kept, a JSON file for each part and number of boxes, and who of it is compared with whom. Trials
// have a folder of their own.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const isElsewhere = process.env.RESULTS !== undefined;
export const FOLDER = isElsewhere
  ? resolve(process.env.RESULTS)
  : fileURLToPath(new URL('../results', import.meta.url));

const fileOf = (part, n) => `${FOLDER}/${part}-${n}.json`;
const parse = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Null where nothing was kept. */
export const read = (part, n) => (existsSync(fileOf(part, n)) ? parse(fileOf(part, n)) : null);

export const readAll = () =>
  (existsSync(FOLDER) ? readdirSync(FOLDER) : [])
    .filter((name) => name.endsWith('.json'))
    .map((name) => parse(`${FOLDER}/${name}`));

/** Returns the name of the file. */
export function write(part, n, kept) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(part, n), JSON.stringify(kept, null, 2));
  return fileOf(part, n);
}

/** False for one that lost or made up results, and for one that gave none. */
export const isRight = ({ fault }) => fault !== 'wrong' && fault !== 'died';

/** The fastest of those that a condition holds for and that are right; of none, one that is not. */
export function fastest(result, holds) {
  const some = Object.values(result).filter(holds);
  const right = some.filter(isRight).sort((a, b) => a.median - b.median);
  return right[0] ?? some[0];
}

/** Our fastest and the fastest peer; undefined where none is right. */
export const rivals = (result) => ({
  us: fastest(result, (one) => one.isOurs && isRight(one)),
  peer: fastest(result, (one) => one.isPeer && isRight(one)),
});
