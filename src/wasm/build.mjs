// Compiles the kernels in assembly/ to modules of text, which bundlers treat like any other module. Hexadecimal text
// compresses a fifth better than base64, as repeated bytes stay visible. Run `npm run kernels` after a change.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The names of all kernels. */
export const KERNELS = readdirSync(`${here}assembly`)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace('.ts', ''));

/**
 * The kernels by name, as hexadecimal text: all, or `only` some. `sources` are texts that replace files, by path.
 */
export async function compile({ only = KERNELS, sources = {} } = {}) {
  const { default: asc } = await import('assemblyscript/asc');
  const given = new Map(Object.entries(sources).map(([path, text]) => [resolve(path), text]));
  const kernels = {};
  for (const name of only) {
    const outputs = {};
    const { error, stderr } = await asc.main(
      [
        `${here}assembly/${name}.ts`,
        '--outFile=kernel.wasm',
        '--runtime=stub',
        '--enable=simd',
        '--noAssert',
        '-O3',
        '--converge',
        '--baseDir=/',
        '--use=abort=',
        // The occlusion kernel works in the memories of other kernels.
        ...(name === 'occlusion' ? ['--importMemory'] : []),
      ],
      {
        readFile: (file, folder) => {
          const path = resolve(folder, file);
          return given.get(path) ?? (existsSync(path) ? readFileSync(path, 'utf8') : null);
        },
        writeFile: (file, contents) => {
          outputs[file] = contents;
        },
      },
    );
    if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
    kernels[name] = Buffer.from(outputs['kernel.wasm']).toString('hex');
  }
  return kernels;
}

/** The module of a kernel, as it lies in `<name>Kernel.ts`. */
export function moduleOf(name, hex) {
  return `/** assembly/${name}.ts, compiled by build.mjs. */\nexport const ${name}Kernel: string =\n  '${hex}';\n`;
}

/** The addresses that callers of the kernel of packed rows use, as a module. */
export function packedLayout() {
  const callers = ['RowsInKernel', 'SimdPacked']
    .map((name) => readFileSync(`${here}../packed/${name}.ts`, 'utf8'))
    .join();
  const source = readFileSync(`${here}assembly/packed/layout.ts`, 'utf8');
  const addresses = source.slice(source.indexOf('fixed addresses')).matchAll(/^export const (\w+): usize = (\d+);$/gm);
  const used = [...addresses].filter(([, name]) => new RegExp(`\\b${name}\\b`).test(callers));
  const lines = used.map(([, name, value]) => `export const ${name} = ${value};\n`);
  return `/** Addresses in the kernel's memory, in bytes: assembly/packed/layout.ts, written by build.mjs. */\n${lines.join('')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, hex] of Object.entries(await compile())) {
    writeFileSync(`${here}${name}Kernel.ts`, moduleOf(name, hex));
    console.log(`${name}: ${hex.length / 2} bytes`);
  }
  writeFileSync(`${here}packedLayout.ts`, packedLayout());
}
