import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The library's sources in place of the package, which a project of its own would have installed.
const source = (entry: string): string => fileURLToPath(new URL(`../../src/${entry}.ts`, import.meta.url));
const alias = [
  { find: /^three-scene-index\/core$/, replacement: source('standalone') },
  { find: /^three-scene-index\/(.+)$/, replacement: source('$1') },
];

export default defineConfig(({ mode }) =>
  mode === 'server'
    ? {
        resolve: { alias },
        build: {
          ssr: true,
          target: 'node22',
          outDir: 'dist/server',
          rolldownOptions: {
            input: {
              main: 'src/main.ts',
              bots: 'src/bots.ts',
              load: 'src/load.ts',
            },
          },
        },
      }
    : {
        root: 'page',
        base: './',
        resolve: { alias },
        build: { target: 'es2022', outDir: '../dist/page', emptyOutDir: true },
        test: {
          root: '.',
          silent: 'passed-only',
          include: ['test/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
);
