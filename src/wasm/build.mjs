// Compiles the kernels in assembly/ and writes them to modules of base64 text, which the library carries along: nothing
// is fetched, and nothing waits. `node src/wasm/build.mjs`, after a change of a kernel.
import { readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The kernels by name, as base64 text. */
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
      ],
      {
        writeFile: (name, contents) => {
          outputs[name] = contents;
        },
      },
    );
    if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
    kernels[file.replace('.ts', '')] = Buffer.from(outputs['kernel.wasm']).toString('base64');
  }
  return kernels;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, base64] of Object.entries(await compile())) {
    const text = `/** assembly/${name}.ts, compiled by build.mjs. */\nexport const ${name}Kernel: string =\n  '${base64}';\n`;
    writeFileSync(`${here}${name}Kernel.ts`, text);
    console.log(`${name}: ${Buffer.from(base64, 'base64').length} bytes`);
  }
}
