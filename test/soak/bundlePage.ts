import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

/** The script of a page in this folder, in one piece, for production and at full width. */
export async function bundlePage(name: string): Promise<string> {
  // Whoever calls this runs from the folder of built code.
  const entry = fileURLToPath(new URL(`../../../test/soak/${name}Page.ts`, import.meta.url));
  const result = (await build({
    configFile: false,
    logLevel: 'warn',
    define: { 'process.env.FULL': '"1"', 'process.env.NODE_ENV': '"production"' },
    build: {
      lib: { entry, formats: ['iife'], name },
      write: false,
      minify: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput[];
  return result[0].output[0].code;
}
