// Compiles assembly/scan.ts, as src/wasm/build.mjs does the kernels of the library.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Where the module lies that `compileScan` made. */
export const SCAN = path('../node_modules/.cache/scan.wasm');

export async function compileScan() {
  const { default: asc } = await import('assemblyscript/asc');
  const source = path('assembly/scan.ts');
  const flags = ['--runtime=stub', '--enable=simd', '--noAssert', '-O3', '--converge', '--baseDir=/', '--use=abort='];
  let module;
  const { error, stderr } = await asc.main([source, '--outFile=scan.wasm', ...flags], {
    writeFile: (_name, contents) => {
      module = contents;
    },
  });
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
  mkdirSync(path('../node_modules/.cache'), { recursive: true });
  writeFileSync(SCAN, module);
}
