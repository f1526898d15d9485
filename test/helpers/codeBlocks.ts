import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A file of code that stands in Markdown. */
export interface CodeBlock {
  code: string;
  /** `ts` or `tsx`. */
  language: string;
}

/** The blocks of TypeScript in Markdown, in their order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks = markdown.matchAll(/^( *)```(tsx?)\b[^\n]*\n(.*?)^\1```$/gms);
  return [...blocks].map(([, , language, code]) => ({ code, language }));
}

/** Writes a block to a file that tools take for one of this repository. Returns where it is. */
export function writeBlock(folder: string, name: string, { code, language }: CodeBlock): string {
  const path = join(root, 'node_modules/.cache', folder);
  mkdirSync(path, { recursive: true });
  const file = join(path, `${name}.${language}`);
  writeFileSync(file, code);
  return file;
}

/** What the compiler says of files that import the package by its name, in one run; empty when all is well. */
export function compile(folder: string, files: readonly string[]): string {
  const config = join(root, 'node_modules/.cache', folder, 'tsconfig.json');
  const compilerOptions = { noEmit: true, noUnusedLocals: false };
  // Declarations of the sources which nothing imports.
  const include = [join(root, 'src/**/*.d.ts')];
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), files, include, compilerOptions }));
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'pipe' });
    return '';
  } catch (error) {
    // A sentence begins without a space; what is said of the sources is not about the blocks.
    const sentences = String((error as { stdout: unknown }).stdout).split(/\n(?! )/);
    return sentences.filter((sentence) => !sentence.startsWith('src/')).join('\n');
  }
}
