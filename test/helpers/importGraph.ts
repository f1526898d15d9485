import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync, Visitor } from 'vite';

/** What each room may import beside itself. The order is that of the arrows: nothing imports what stands below it. */
export type Rooms = Readonly<Record<string, readonly string[]>>;

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

/** Imports that the table does not allow, as `file → target`. */
export function forbiddenImports({ files, imports }: ImportGraph, rooms: Rooms): string[] {
  return files.flatMap((file) => {
    const room = roomOf(file);
    const may = [room, ...(rooms[room] ?? [])];
    return imports.get(file)!.flatMap((target) => (may.includes(roomOf(target)) ? [] : [`${file} → ${target}`]));
  });
}

/** Arrows of the table that no import needs, as `room → room`. */
export function idleArrows({ files, imports }: ImportGraph, rooms: Rooms): string[] {
  return Object.entries(rooms).flatMap(([room, others]) => {
    const targets = files.filter((file) => roomOf(file) === room).flatMap((file) => imports.get(file)!.map(roomOf));
    return others.filter((other) => !targets.includes(other)).map((other) => `${room} → ${other}`);
  });
}

/** Arrows of the table that point down or sideways, as `room → room`. */
export function downwardArrows(rooms: Rooms, outside: readonly string[]): string[] {
  const order = [...outside, ...Object.keys(rooms)];
  return Object.entries(rooms).flatMap(([room, others]) =>
    others.filter((other) => !(order.indexOf(other) < order.indexOf(room))).map((other) => `${room} → ${other}`),
  );
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
export function betweenFolders({ files, imports }: ImportGraph): ImportGraph {
  const folderOf = (path: string): string => path.split('/')[0];
  const arrows = new Map<string, string[]>();
  for (const file of files) {
    const from = folderOf(file);
    const targets = imports.get(file)!.map(folderOf);
    arrows.set(from, [...(arrows.get(from) ?? []), ...targets.filter((to) => to !== from)]);
  }
  return { files: [...arrows.keys()], imports: arrows };
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

/**
 * The rooms as a Mermaid flowchart. An arrow that others imply (a → b → c makes a → c superfluous) is left out.
 */
export function drawRooms({ files, imports }: ImportGraph): string {
  const arrows = new Map<string, Set<string>>();
  for (const file of files) {
    const room = roomOf(file);
    if (!arrows.has(room)) arrows.set(room, new Set());
    for (const target of imports.get(file)!) {
      const other = roomOf(target);
      if (other !== room && !other.startsWith('npm:')) arrows.get(room)!.add(other);
    }
  }
  const isReached = (from: string, to: string, ban?: string): boolean =>
    [...arrows.get(from)!].some((next) => next !== ban && (next === to || isReached(next, to)));
  const nameOf = (room: string) => room.replace(/\W/g, '_');
  const rooms = [...arrows.keys()].sort();
  const lines = rooms.map((room) => `  ${nameOf(room)}${room.endsWith('.ts') ? `([${room}])` : `[${room}]`}`);
  for (const room of rooms) {
    const targets = [...arrows.get(room)!].sort().filter((other) => !isReached(room, other, other));
    if (targets.length > 0) lines.push(`  ${nameOf(room)} --> ${targets.map(nameOf).join(' & ')}`);
  }
  return ['```mermaid', 'flowchart TD', ...lines, '```'].join('\n');
}
