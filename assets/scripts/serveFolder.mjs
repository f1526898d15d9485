// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A plugin of Vite that serves a folder under its own names: files that name each other, as those of a tile set do.
 *
 * @param {string} folder
 * @returns {import('vite').Plugin}
 */
export function serveFolder(folder) {
  return {
    name: 'serve-folder',
    configureServer({ middlewares }) {
      middlewares.use(`/${folder}`, (request, response, next) => {
        const name = (request.url ?? '').replace(/^\/|\?.*$/g, '');
        if (/^[\w.-]+$/.test(name) && existsSync(join(folder, name))) response.end(readFileSync(join(folder, name)));
        else next();
      });
    },
    generateBundle() {
      for (const name of readdirSync(folder)) {
        this.emitFile({ type: 'asset', fileName: `${folder}/${name}`, source: readFileSync(join(folder, name)) });
      }
    },
  };
}
