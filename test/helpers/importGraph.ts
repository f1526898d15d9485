import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync, Visitor } from 'vite';

/** The sources below a top-level folder, and what they import. */
export interface ImportGraph {
  /** Paths within the folder. */
  files: string[];
  /**
   * Targets by file, type-only ones included: `a/B.ts` within the folder, `../src/B.ts` beside it, `npm:name/path` of a
   * package.
   */
  imports: Map<string, string[]>;
}

export function readImports(folder: string, isSource: (file: string) => boolean): ImportGraph {
  const root = new URL(`../../${folder}/`, import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && isSource(file));
  const imports = new Map(files.map((file) => [file, importsOf(file, readFileSync(new URL(file, root), 'utf8'))]));
  return { files, imports };
}

/**
 * `core/shapes/Ray.ts` → `core/shapes`, `index.ts` → `index.ts`, `../src/index.ts` → `src/index.ts`,
 * `npm:three/addons/x.js` → `npm:three`.
 */
export function roomOf(path: string): string {
  if (path.startsWith('npm:'))
    return path
      .split('/')
      .slice(0, path.startsWith('npm:@') ? 2 : 1)
      .join('/');
  if (path.startsWith('../node_modules/')) return `npm:${path.split('/')[2]}`;
  if (path.startsWith('../')) return path.slice('../'.length);
  const room = posix.dirname(path);
  return room === '.' ? path : room;
}

/** One cycle for each import that closes one, as `a.ts → b.ts → a.ts`. */
export function importCycles({ files, imports }: ImportGraph): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string) => {
    const start = path.indexOf(file);
    if (start >= 0) found.push([...path.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    path.push(file);
    for (const target of imports.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of files) visit(file);
  return found;
}

/** The folders of the first level as if each were one file, and the arrows between them. */
export const betweenFolders = (graph: ImportGraph): ImportGraph => between(graph, (path) => path.split('/')[0]);

/** The rooms as if each were one file, and the arrows between them. */
export const betweenRooms = (graph: ImportGraph): ImportGraph => between(graph, roomOf);

function between({ files, imports }: ImportGraph, groupOf: (path: string) => string): ImportGraph {
  const arrows = new Map(files.map((file) => [groupOf(file), new Set<string>()]));
  for (const file of files) {
    const from = groupOf(file);
    const groups = imports
      .get(file)!
      .filter((target) => !target.startsWith('npm:'))
      .map(groupOf);
    for (const to of groups) if (to !== from) arrows.get(from)!.add(to);
  }
  return { files: [...arrows.keys()], imports: new Map([...arrows].map(([from, to]) => [from, [...to]])) };
}

function importsOf(file: string, text: string): string[] {
  const targets: string[] = [];
  const note = (node: { source: unknown }) => {
    const name = (node.source as { value?: unknown } | null)?.value;
    if (typeof name !== 'string') return;
    const [path] = name.split('?');
    targets.push(path.startsWith('.') ? posix.join(posix.dirname(file), path).replace(/\.js$/, '.ts') : `npm:${path}`);
  };
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0].message}`);
  new Visitor({
    ImportDeclaration: note,
    ExportNamedDeclaration: note,
    ExportAllDeclaration: note,
    ImportExpression: note,
    TSImportType: note,
  }).visit(program);
  return targets;
}

/** The names by which a source reads or declares properties, written out or in quotes, and those that it imports. */
export function namesIn(file: string, text: string): string[] {
  const names: string[] = [];
  const note = (node: object | null) => {
    const { name, value } = node as { name?: unknown; value?: unknown };
    for (const one of [name, value]) if (typeof one === 'string') names.push(one);
  };
  new Visitor({
    ImportSpecifier: ({ imported }) => note(imported),
    Literal: note,
    MemberExpression: ({ property }) => note(property),
    Property: ({ key }) => note(key),
    PropertyDefinition: ({ key }) => note(key),
    MethodDefinition: ({ key }) => note(key),
    TSPropertySignature: ({ key }) => note(key),
    TSMethodSignature: ({ key }) => note(key),
    TemplateElement: ({ value }) => note({ value: value.raw }),
  }).visit(parseSync(file, text).program);
  return names;
}

/** Whether arrows lead from a room to another one; those out of the first to `ban` do not count. */
function isReached(arrows: ImportGraph['imports'], from: string, to: string, ban?: string): boolean {
  return arrows.get(from)!.some((next) => next !== ban && (next === to || isReached(arrows, next, to)));
}

/** A call that no import shows: the room that calls, the room whose functions it was given, and their names. */
export type UpwardCall = readonly [from: string, to: string, ...names: string[]];

/** The faults in a list of such calls: the room imports the other one, or declares no such function. */
export function wrongCalls(
  graph: ImportGraph,
  calls: readonly UpwardCall[],
  textOf: (file: string) => string,
): string[] {
  const { imports } = betweenRooms(graph);
  const declares = (room: string, name: string): boolean =>
    graph.files.some((file) => roomOf(file) === room && new RegExp(`\\b${name}\\??(<|\\(|: \\()`).test(textOf(file)));
  return calls.flatMap(([from, to, ...names]) => [
    ...(isReached(imports, from, to) ? [`${from} imports ${to}`] : []),
    ...names.filter((name) => !declares(from, name)).map((name) => `${from} calls no ${name}`),
  ]);
}

/**
 * The rooms as a Mermaid flowchart. An arrow that others imply (a → b → c makes a → c superfluous) is left out.
 */
export function drawRooms(graph: ImportGraph, calls: readonly UpwardCall[]): string {
  const { files, imports: arrows } = betweenRooms(graph);
  const nameOf = (room: string) => room.replace(/\W/g, '_');
  const rooms = files.sort();
  const shapes = rooms.filter((room) => nameOf(room) !== room);
  const lines = shapes.map((room) => `  ${nameOf(room)}${room.endsWith('.ts') ? `([${room}])` : `[${room}]`}`);
  for (const room of rooms) {
    const targets = arrows
      .get(room)!
      .sort()
      .filter((other) => !isReached(arrows, room, other, other));
    if (targets.length > 0) lines.push(`  ${nameOf(room)} --> ${targets.map(nameOf).join(' & ')}`);
  }
  for (const [from, to, ...names] of calls) lines.push(`  ${nameOf(from)} -.->|${names.join(', ')}| ${nameOf(to)}`);
  return ['```mermaid', 'flowchart TD', ...lines, '```'].join('\n');
}
