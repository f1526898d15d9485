// Sources as bundles for Node, and processes that run them.
import { execFileSync, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles a module, given by its path from the root, so that the sources are what is measured; returns the file. */
export async function bundle(entry, folder, name) {
  const outDir = `${ROOT}${folder}`;
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: ROOT + entry,
      outDir,
      minify: false,
      target: 'node20',
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: `${name}.js`, codeSplitting: false } },
    },
  });
  return `${outDir}/${name}.js`;
}

/** Runs a bundle in a Node of its own; returns what it prints. */
export const run = (file) =>
  execFileSync(process.execPath, [file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** Where bundles lie beside the peers, so that all have one three. */
export const BESIDE_PEERS = 'test/bench/node_modules/.cache';

/** Installs the peers if need be, and bundles what is measured of this project. */
export async function prepare() {
  const folder = `${ROOT}test/bench`;
  if (!existsSync(`${folder}/node_modules/three`)) {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefix', folder], { stdio: 'inherit' });
  }
  return bundle('test/bench/library.ts', BESIDE_PEERS, 'library');
}

/**
 * Starts a module in a process of its own.
 * @param died Called when it ends instead of answering; what it returns is the answer.
 * @returns the process, and what sends it a message and waits for the answer.
 */
export function start(file, died, options) {
  const child = fork(file, options);
  const ask = (message) =>
    new Promise((resolve, reject) => {
      const fail = (code) => new Promise((done) => done(died(code))).then(resolve, reject);
      child.once('exit', fail);
      child.once('message', (answer) => {
        child.off('exit', fail);
        resolve(answer);
      });
      child.send(message);
    });
  return { child, ask };
}
