import { readdirSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

/** Names that promise an answer and nothing else. */
const QUESTION = /^#?(is|are|has|have|may|can|should|needs|fits|equals|matches)(?=[A-Z]|$)/;
/** Methods that change what they are called on. */
const ACT = /^#?(take|remember)(?=[A-Z]|$)|^(add|delete|set|clear)$/;

/** Questions that write where no answer, theirs or another's, depends on it. */
const ALLOWED: Readonly<Record<string, string>> = {
  'scene/follow/Traits.ts hasOwnTest': 'keeps the answer by prototype',
  'batching/KnownGeometry.ts isFlat': 'keeps the answer by revision',
  'occlusion/OcclusionBuffer.ts isHidden': 'hands the box to the kernel',
  'trees/octree/CellLayout.ts canStayEverywhere': 'a stack, which is empty between calls',
};

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A node and all below it, in the order of the text. */
function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesIn(one);
  if (typeof value !== 'object' || value === null || !('type' in value)) return;
  yield value as Node;
  for (const child of Object.values(value)) if (typeof child === 'object') yield* nodesIn(child);
}

const nameOf = (node: unknown): string => {
  const { type, name = '' } = (node ?? {}) as { type?: string; name?: string };
  return type === 'PrivateIdentifier' ? `#${name}` : name;
};

/** The functions, methods and getters of a file with their names, those kept in variables and fields included. */
function* functionsIn(program: unknown): Generator<[name: string, body: Node]> {
  for (const node of nodesIn(program)) {
    const { type, id, key, init, value, kind } = node;
    const held = (init ?? value) as Node | null | undefined;
    if (type === 'FunctionDeclaration') yield [nameOf(id), node];
    else if (kind !== 'set' && held && /Function/.test(held.type)) yield [nameOf(id ?? key), held];
  }
}

/** The name that stands first in `a.b[c].d`, or `this`. */
function rootOf(node: Node): Node {
  const inner = (node.object ?? node.expression) as Node | undefined;
  return inner === undefined ? node : rootOf(inner);
}

/** Names of what a function makes: new objects, and literals. */
function madeIn(body: Node): Set<string> {
  const made = new Set<string>();
  for (const { type, id, init } of nodesIn(body)) {
    const isMade = /^(New|Array|Object)Expression$/.test((init as Node | null)?.type ?? '');
    if (type === 'VariableDeclarator' && isMade) made.add(nameOf(id));
  }
  return made;
}

/** The field that a node changes, or on which it calls what changes it; null for none. */
function changedBy({ type, left, argument, callee }: Node): Node | null {
  const target = (
    type === 'AssignmentExpression' ? left : type === 'UpdateExpression' ? argument : null
  ) as Node | null;
  if (target?.type === 'MemberExpression') return target;
  const called = type === 'CallExpression' ? (callee as Node) : null;
  return called?.type === 'MemberExpression' && ACT.test(nameOf(called.property)) ? called : null;
}

/** The functions named as questions that act, each as `file name`. */
function actingIn(file: string, text: string): string[] {
  const acting: string[] = [];
  for (const [name, body] of functionsIn(parseSync(file, text).program)) {
    if (!QUESTION.test(name)) continue;
    const made = madeIn(body);
    const changed = [...nodesIn(body)].map(changedBy).filter((field) => field !== null);
    if (changed.some((field) => !made.has(nameOf(rootOf(field))))) acting.push(`${file} ${name}`);
  }
  return acting;
}

test('a question changes nothing: what remembers is called take… or remember…', () => {
  const src = new URL('../src/', import.meta.url);
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  const sources = files.filter((file) => file.endsWith('.ts') && !file.includes('assembly/'));
  expect(sources.length).toBeGreaterThan(100);
  const acting = sources.flatMap((file) => actingIn(file, readFileSync(new URL(file, src), 'utf8')));
  expect(acting.filter((each) => ALLOWED[each] === undefined)).toEqual([]);
});

test.each([
  ['class A { isNew() { this.x = 1; } }', true],
  ['class A { get #isNew() { return this.#x++ > 0; } }', true],
  ['class A { readonly mayGo = () => this.seen?.add(1) }', true],
  ['class A { hasOne(list) { return this.list.takeOne(); } }', true],
  ['function isOld(x) { const { y } = x; y[0] += 1; }', true],
  ['function isOld(x) { const y = new Set(); y.add(x); let n = 0; n++; return y.has(x); }', false],
  ['class A { set isNew(x) { this.x = x; } takeOne() { this.x = 1; } }', false],
])('%s', (text, isActing) => {
  expect(actingIn('a.ts', text).length > 0).toBe(isActing);
});
