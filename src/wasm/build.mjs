// Compiles the kernels in assembly/ to modules of text, which bundlers treat like any other module. Hexadecimal text
// compresses a fifth better than base64, as repeated bytes stay visible. Run `npm run kernels` after a change.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The kernels by name, as hexadecimal text. */
export async function compile() {
  const { default: asc } = await import('assemblyscript/asc');
  const kernels = {};
  for (const file of readdirSync(`${here}assembly`).filter((name) => name.endsWith('.ts'))) {
    const outputs = {};
    const { error, stderr } = await asc.main(
      [
        `${here}assembly/${file}`,
        '--outFile=kernel.wasm',
        '--runtime=stub',
        '--enable=simd',
        '--noAssert',
        '-O3',
        '--converge',
        '--baseDir=/',
        '--use=abort=',
        // Works in memories of others.
        ...(file === 'occlusion.ts' ? ['--importMemory'] : []),
      ],
      {
        writeFile: (name, contents) => {
          outputs[name] = contents;
        },
      },
    );
    if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
    kernels[file.replace('.ts', '')] = Buffer.from(outputs['kernel.wasm']).toString('hex');
  }
  return kernels;
}

/** The addresses that callers of the kernel of packed rows share with it, as a module. */
export function packedLayout() {
  const source = readFileSync(`${here}assembly/packed/layout.ts`, 'utf8');
  const addresses = source.slice(source.indexOf('fixed addresses')).matchAll(/^export const (\w+): usize = (\d+);$/gm);
  const lines = Array.from(addresses, ([, name, value]) => `export const ${name} = ${value};\n`);
  return `/** Addresses in the kernel's memory, in bytes: assembly/packed/layout.ts, written by build.mjs. */\n${lines.join('')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, hex] of Object.entries(await compile())) {
    const text = `/** assembly/${name}.ts, compiled by build.mjs. */\nexport const ${name}Kernel: string =\n  '${hex}';\n`;
    writeFileSync(`${here}${name}Kernel.ts`, text);
    console.log(`${name}: ${hex.length / 2} bytes`);
  }
  writeFileSync(`${here}packedLayout.ts`, packedLayout());
}
