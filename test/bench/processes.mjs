// Sources as bundles for Node, and processes that run them.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles a module, given by its path from the root or whole, so that the sources are what is measured; returns the file. */
export async function bundle(entry, folder, name, output = { codeSplitting: false }) {
  const outDir = `${ROOT}${folder}`;
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: entry.startsWith('/') ? entry : ROOT + entry,
      outDir,
      minify: false,
      target: 'node20',
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: `${name}.js`, ...output } },
    },
  });
  return `${outDir}/${name}.js`;
}

/**
 * Starts a module in a process of its own.
 * @param died Called when it ends instead of answering; what it returns is the answer.
 * @returns the process, and what sends it a message and waits for the answer.
 */
export function start(file, args, died, options = {}) {
  const child = fork(file, args, options);
  const ask = (message) =>
    new Promise((resolve, reject) => {
      const fail = (code) => {
        try {
          resolve(died(code));
        } catch (error) {
          reject(error);
        }
      };
      child.once('exit', fail);
      child.once('message', (answer) => {
        child.off('exit', fail);
        resolve(answer);
      });
      child.send(message);
    });
  return { child, ask };
}
