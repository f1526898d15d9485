// Colyseus 0.18 needs Node 22. Where an older one runs, that of the package `node-<platform>-<arch>` takes over.

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const NEEDED = 22;

/** A Node that Colyseus runs on. */
export function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= NEEDED) return process.execPath;
  const { platform, arch } = process;
  const system = `${platform === 'win32' ? 'win' : platform}-${arch}`;
  const file = platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const require = createRequire(import.meta.url);
  for (const name of [`node-${system}`, `node-bin-${system}`]) {
    try {
      return require.resolve(`${name}/${file}`);
    } catch {}
  }
  throw new Error(
    `Node ${NEEDED} or newer is needed: this is ${process.version}, and there is no package for ${system}`,
  );
}

if (process.argv[1] === import.meta.filename) {
  const child = spawn(findNode(), process.argv.slice(2), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
}
