import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { transformWithOxc } from 'vite';

/** A copy of sources and tests as plain JavaScript, below node_modules, in which one file can be another. */
export class Sandbox {
  static #count = 0;
  #root = resolve(`node_modules/.cache/mutation-${process.pid}-${Sandbox.#count++}`);
  /** The files, as paths from the project's root. */
  sources = [];

  /** A copy of files, and of all those in and below folders, whose paths end with a slash; AssemblyScript is left out. */
  static async create(paths) {
    const sandbox = new Sandbox();
    for (const path of paths) {
      const files = path.endsWith('/') ? readdirSync(path, { recursive: true }).map((name) => path + name) : [path];
      for (const file of files) {
        if (file.endsWith('.json')) sandbox.#copy(file);
        if (!file.endsWith('.ts') || file.includes('/assembly/') || sandbox.sources.includes(file)) continue;
        sandbox.sources.push(file);
        await sandbox.restore(file);
      }
    }
    return sandbox;
  }

  placeOf(file) {
    return `${this.#root}/${file.replace(/\.ts$/, '.js')}`;
  }

  async put(file, source) {
    const { code } = await transformWithOxc(source, file, { sourcemap: false });
    const place = this.placeOf(file);
    mkdirSync(dirname(place), { recursive: true });
    // The stand-in is not part of the copy, or each file would have its own list of tests.
    writeFileSync(place, code.replace(/from ["']vitest["']/g, `from "${resolve('test/mutation/vitest.mjs')}"`));
  }

  async restore(file) {
    await this.put(file, readFileSync(file, 'utf8'));
  }

  #copy(file) {
    mkdirSync(dirname(this.placeOf(file)), { recursive: true });
    copyFileSync(file, this.placeOf(file));
  }

  remove() {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
