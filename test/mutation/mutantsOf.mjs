import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';

/** What an operator may become. */
const OPERATORS = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&': ['|'],
  '|': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '**': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '|=': ['&='],
  '&=': ['|='],
  '++': ['--'],
  '--': ['++'],
};

/** All small changes of a file: each with the whole source, the line it is in, and what became of what. */
export function mutantsOf(file) {
  const source = readFileSync(file, 'utf8');
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0].message}`);
  const mutants = [];
  const replace = (start, end, by) => {
    const from = source.slice(start, end);
    const lineStart = source.lastIndexOf('\n', start) + 1;
    const lineEnd = source.indexOf('\n', start);
    mutants.push({
      file,
      line: source.slice(0, start).split('\n').length,
      text: source.slice(lineStart, lineEnd).trim(),
      change: `${from.replace(/\s+/g, ' ').slice(0, 60)} -> ${by === '' ? 'nothing' : by}`,
      source: source.slice(0, start) + by + source.slice(end),
    });
  };
  const operator = (node, start, end) => {
    const at = source.indexOf(node.operator, start);
    if (at < 0 || at >= end) return;
    for (const other of OPERATORS[node.operator] ?? []) replace(at, at + node.operator.length, other);
  };
  // Words of errors are no one's business here; whether there is an error is.
  const quiet = [];

  // Most named numbers were found by measuring: with others it is slower, not wrong.
  for (const statement of program.body) {
    const { type, kind, declarations, start, end } = statement.declaration ?? statement;
    if (type === 'VariableDeclaration' && kind === 'const' && /^[A-Z_]+$/.test(declarations[0].id.name)) {
      quiet.push([start, end]);
    }
  }
  new Visitor({
    ThrowStatement: ({ start, end }) => quiet.push([start, end]),
    TSTypeAnnotation: ({ start, end }) => quiet.push([start, end]),
    TSTypeAliasDeclaration: ({ start, end }) => quiet.push([start, end]),
    TSInterfaceDeclaration: ({ start, end }) => quiet.push([start, end]),
    TSTypeParameterInstantiation: ({ start, end }) => quiet.push([start, end]),
  }).visit(program);
  const isQuiet = ({ start, end }) => quiet.some(([a, b]) => a <= start && end <= b && !(a === start && b === end));
  const unless = (visit) => (node) => {
    if (!isQuiet(node)) visit(node);
  };
  const binary = unless((node) => operator(node, node.left.end, node.right.start));
  const condition = unless(({ test }) => {
    if (test === null) return;
    replace(test.start, test.end, 'true');
    replace(test.start, test.end, 'false');
  });
  new Visitor({
    BinaryExpression: binary,
    LogicalExpression: binary,
    AssignmentExpression: binary,
    UpdateExpression: unless((node) => operator(node, node.start, node.end)),
    UnaryExpression: unless((node) => {
      if ('!-~'.includes(node.operator)) replace(node.start, node.start + 1, '');
    }),
    Literal: unless((node) => {
      if (node.value === true || node.value === false) replace(node.start, node.end, String(!node.value));
      if (typeof node.value !== 'number') return;
      for (const by of [1, -1]) replace(node.start, node.end, `(${node.raw} ${by < 0 ? '-' : '+'} 1)`);
    }),
    ExpressionStatement: unless(({ start, end, expression }) => {
      // Without its super call a constructor is no constructor.
      if (expression.type !== 'CallExpression' || expression.callee.type !== 'Super') replace(start, end, ';');
    }),
    ThrowStatement: ({ start, end }) => replace(start, end, ';'),
    ContinueStatement: unless(({ start, end }) => replace(start, end, ';')),
    BreakStatement: unless(({ start, end }) => replace(start, end, ';')),
    IfStatement: condition,
    ConditionalExpression: condition,
  }).visit(program);
  return mutants;
}
