import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preview } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    demoUrl: string;
  }
}

/** Builds the demo once for all end-to-end tests and serves it as a static host would. */
export default async function serve(project: TestProject): Promise<() => Promise<void>> {
  const outDir = mkdtempSync(join(tmpdir(), 'three-scene-index-demo-'));
  // A process of its own: here NODE_ENV is "test", and the page under test is the one that is published.
  execFileSync(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', '--mode', 'demo', '--outDir', outDir, '--logLevel', 'warn'],
    { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } },
  );
  const server = await preview({
    mode: 'demo',
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0, open: false },
    logLevel: 'warn',
  });
  project.provide('demoUrl', server.resolvedUrls!.local[0]);
  return async () => {
    await server.close();
    rmSync(outDir, { recursive: true, force: true });
  };
}
