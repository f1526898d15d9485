// What was measured and kept: a JSON file for each part and number of boxes. Trials have a folder of their own.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const isElsewhere = process.env.RESULTS !== undefined;
export const FOLDER = isElsewhere
  ? resolve(process.env.RESULTS)
  : fileURLToPath(new URL('../results', import.meta.url));

/** The file of a part; scenes of pairs have sizes of their own. */
function fileOf(part, n) {
  return `${FOLDER}/${part}${n === undefined ? '' : `-${n}`}.json`;
}

/** Null where nothing was kept. */
export function read(part, n) {
  const file = fileOf(part, n);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

export function readAll() {
  const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.json')) : [];
  return files.map((name) => JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')));
}

/** Returns the name of the file. */
export function write(part, n, kept) {
  mkdirSync(FOLDER, { recursive: true });
  const file = fileOf(part, n);
  writeFileSync(file, JSON.stringify(kept, null, 2));
  return file;
}
