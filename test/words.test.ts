import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';
import { describe, expect, test } from 'vitest';

const root = new URL('../', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const filesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));

const SOURCES = filesIn('src')
  .filter((file) => /\.tsx?$/.test(file) && !/Kernel\.ts$/.test(file.replace('RowsInKernel', '')))
  .map((file) => ({ file, text: textOf(`src/${file}`) }));
/** AssemblyScript has decorators and types that the parser does not know, and is a room of its own. */
const PARSED = SOURCES.filter(({ file }) => !file.includes('assembly/')).map(({ file, text }) => ({
  file,
  program: parseSync(file, text).program,
}));

/** The names that each file declares at its top, by what `kinds` says of a declaration. */
function declared(isWanted: (type: string, name: string) => boolean): string[] {
  return PARSED.flatMap(({ file, program }) =>
    program.body.flatMap((statement) => {
      const one = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      if (!one || !('type' in one)) return [];
      const named = one.type === 'VariableDeclaration' ? one.declarations : [one];
      return named.flatMap((part) => {
        const id = (part as { id?: { name?: string } | null }).id;
        return id?.name && isWanted(one.type, id.name) ? [`${id.name} ${file}`] : [];
      });
    }),
  );
}

/** Words that once had several meanings, and the rooms whose identifiers and comments may have them. */
const AT_HOME: readonly (readonly [word: RegExp, rooms: RegExp])[] = [
  [/slot/i, /^(batching|explain)\b/],
  [/seat/i, /^(packed|trees|core|structures|wasm)\b/],
  [/quad(?!ra|tree)/i, /^(packed|core|wasm)\b/],
  [/(?<![a-z])tier/i, /^(packed|trees\/grid|pairs|structures|wasm)\b/],
  [/level/i, /^(batching|explain|instances|passes|react|render|scene\/(bounds|follow))\b|^\w+\.ts$/],
  [/nesting/i, /^(batching|instances\/drawn|passes|render|three)\b/],
  [/\bspot/i, /^batching$/],
  [/walkInd/, /^scene\/(follow|objects)$/],
];

const twice = (found: readonly string[]): string[] => {
  const names = found.map((one) => one.split(' ')[0]);
  return found.filter((_, i) => names.indexOf(names[i]) !== i || names.lastIndexOf(names[i]) !== i).sort();
};

describe('in src a word has one meaning', () => {
  test('no two classes, interfaces or types have one name', () => {
    const found = declared((type) => /^(Class|TSInterface|TSTypeAlias|TSEnum)Declaration$/.test(type));
    expect(found.length).toBeGreaterThan(400);
    expect(twice(found)).toEqual([]);
  });

  test('no two constants in capitals have one name', () => {
    const found = declared((type, name) => type === 'VariableDeclaration' && /^[A-Z][A-Z_0-9]*$/.test(name));
    expect(found.length).toBeGreaterThan(300);
    expect(twice(found)).toEqual([]);
  });

  test.each(AT_HOME)('%s is a word of rooms %s', (word, rooms) => {
    const roomOf = (file: string) => file.replace(/\/[^/]+$/, '');
    const places = SOURCES.filter(({ text }) => word.test(text)).map(({ file }) => file);
    expect(places.length).toBeGreaterThan(0);
    expect(places.filter((file) => !rooms.test(roomOf(file)))).toEqual([]);
  });

  test('no two functions have one name, but those of the entries', () => {
    const found = declared((type) => type === 'FunctionDeclaration');
    const isPublic = (one: string) => /^(findPairs|findPairsBetween|forEachNode|maintain|stats|touch) /.test(one);
    expect(found.length).toBeGreaterThan(600);
    expect(twice(found.filter((one, i) => one !== found[i - 1])).filter((one) => !isPublic(one))).toEqual([]);
  });

  test('methods that begin something say what begins', () => {
    const methods: string[] = [];
    for (const { file, program } of PARSED) {
      const note = ({ key }: { key: unknown }): void => {
        methods.push(`${(key as { name?: string }).name} ${file}`);
      };
      new Visitor({ MethodDefinition: note, TSMethodSignature: note }).visit(program);
    }
    expect(methods.length).toBeGreaterThan(1000);
    expect(methods.filter((one) => /^begin /.test(one))).toEqual([]);
  });

  test('each word of the glossary is the name of a type, a field or a folder', () => {
    const [, table] = /## Words[\s\S]*?\| --- \| --- \| --- \|\n([\s\S]*?)\n\n/.exec(textOf('src/README.md'))!;
    const rows = table.split('\n').map((line) => line.split(' | '));
    expect(rows.length).toBeGreaterThan(30);
    const all = SOURCES.map(({ text }) => text).join('\n');
    const unknown = rows.flatMap(([word, , place]) => {
      const paths = [...place.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path);
      const names = [...place.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name.split('.'));
      const isNamed = paths.length + names.length > 0;
      const gone = paths.filter((path) => !existsSync(new URL(`src/${path}`, root)));
      return isNamed && gone.length === 0 && names.every((name) => all.includes(name)) ? [] : [word];
    });
    expect(unknown).toEqual([]);
  });
});

/** Comments as sentences, without marks of docstrings, examples and code. */
function sentencesOf(text: string): string[] {
  const comments = [...text.matchAll(/\/\*\*?([\s\S]*?)\*\/|((?:^[ \t]*\/\/.*\n?)+)|\/\/(.*)$/gm)];
  return comments.flatMap(([, block = '', lines = '', rest = '']) =>
    `${block}${lines}${rest}`
      .replace(/```[\s\S]*?```/g, '')
      .replace(/^\s*(\*|\/\/) ?/gm, '')
      .replace(/@(param \S+|returns|throws \S+)/g, '. ')
      .split(/(?<=[.:;])\s+|\n\s*\n|\n- /)
      .map((sentence) => sentence.trim())
      .filter((sentence) => /\w/.test(sentence)),
  );
}

describe('comments of src', () => {
  test('no sentence begins with What, Who, Of or Where that', () => {
    const all = SOURCES.flatMap(({ file, text }) => sentencesOf(text).map((one) => `${file}: ${one}`));
    expect(all.length).toBeGreaterThan(5000);
    expect(all.filter((one) => /^\S+: (what|who|whose|whatever|whoever|of|where that) /i.test(one))).toEqual([]);
    expect(sentencesOf('/** Adds one. Of those none. */\n// what is new\n')).toEqual([
      'Adds one.',
      'Of those none.',
      'what is new',
    ]);
  });
});

describe('READMEs', () => {
  test.each(['contract', 'scene', 'render'])('that of src/%s is read in five minutes', (room) => {
    const words = textOf(`src/${room}/README.md`)
      .replace(/\]\([^)]*\)/g, ']')
      .split(/\s+/).length;
    expect(words).toBeLessThan(1200);
  });

  test('that of test has a line for each helper', () => {
    const helpers = filesIn('test/helpers').filter((file) => /\.\w+$/.test(file));
    const lines = [...textOf('test/README.md').matchAll(/^\| `([^`]+)` \| .+ \|$/gm)].map(([, name]) => name);
    const [, table] = textOf('test/README.md').split('## Helpers');
    expect(lines.filter((name) => table.includes(`| \`${name}\` |`)).sort()).toEqual(
      helpers.map((file) => file.replace(/\.\w+$/, '')).sort(),
    );
  });
});
