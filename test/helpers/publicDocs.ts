import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

/** The sources of the entries; the core first, so that what the main entry passes on counts as its own. */
export const ENTRIES = ['standalone', 'index', 'interest', 'inspector', 'react'] as const;

/** A docstring that users read. */
export interface PublicDoc {
  /** The export, or the member of one, as `SceneIndex.cull`. */
  name: string;
  /** Its text without comment signs; empty where there is none. */
  text: string;
}

/** Something that an entry exports. */
export interface Export extends PublicDoc {
  entry: string;
  members: PublicDoc[];
  /** It is an interface or a type. */
  isType: boolean;
}

/** All exports of all entries, each once, with the docstrings of their public members. */
export function allExports(): Export[] {
  const found = new Map<string, Export>();
  for (const entry of ENTRIES) {
    for (const { name, file } of exportsOf(join(SRC, `${entry}.ts`))) {
      const key = `${file} ${name}`;
      if (!found.has(key)) found.set(key, describeExport(entry, name, file));
    }
  }
  return [...found.values()];
}

/** Which names a file declares or passes on, and the files in which these are declared. */
function exportsOf(path: string): { name: string; file: string }[] {
  const source = readFileSync(path, 'utf8');
  const own = [...source.matchAll(/^export (?:class|function|interface|const|type) (\w+)/gm)];
  const clauses = source.matchAll(/^export (?:type )?\{([^}]*)\} from '(.*)\.js';$/gm);
  const passedOn = [...clauses].flatMap(([, list, module]) => {
    const base = join(dirname(path), module);
    const file = existsSync(`${base}.tsx`) ? `${base}.tsx` : `${base}.ts`;
    const names = list.split(',').map((item) => item.trim().replace(/^type /, ''));
    const isEntry = ENTRIES.some((entry) => base === join(SRC, entry));
    const inner = isEntry ? exportsOf(file) : [];
    return names.filter((name) => name !== '').map((name) => inner.find((one) => one.name === name) ?? { name, file });
  });
  return [...own.map(([, name]) => ({ name, file: path })), ...passedOn];
}

const COMMENT = String.raw`(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?`;

function describeExport(entry: string, name: string, file: string): Export {
  const source = readFileSync(file, 'utf8');
  const start = String.raw`^${COMMENT}export (?:abstract |async )?(?:class|function|interface|const|type) ${name}\b`;
  const found = new RegExp(start, 'm').exec(source);
  if (found === null) throw new Error(`${file} does not declare ${name}`);
  const rest = source.slice(found.index + found[0].length);
  const isFlat = / (?:function|const|type) \w+$/.test(found[0]);
  const body = isFlat ? '' : rest.slice(0, rest.search(/^}/m));
  const isType = / (?:interface|type) \w+$/.test(found[0]);
  return { entry, name, text: textOf(found[1]), members: membersIn(name, body), isType };
}

/** Members with docstrings, but for private and internal ones. */
function membersIn(owner: string, body: string): PublicDoc[] {
  const docs = body.matchAll(
    /^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(?:(?:static|readonly|get|set|override) )*([#\w]+)/gm,
  );
  return [...docs]
    .map(([, comment, name]) => ({ name: `${owner}.${name}`, text: textOf(comment) }))
    .filter(({ name, text }) => !name.includes('#') && !text.startsWith('@internal'));
}

function textOf(comment = ''): string {
  return comment.replace(/^[ \t]*\* ?/gm, '').trim();
}
