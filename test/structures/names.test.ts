import { expect, it } from 'vitest';
import { Interest } from '../../src/interest.js';
import * as core from '../../src/standalone.js';
import { any } from '../helpers/refusals.js';

const { STRUCTURES } = core;

it.each([
  ['Octree', 'octree'],
  ['octre', 'octree'],
  ['quad', 'quadtree'],
  ['QuadTree', 'quadtree'],
  ['loose-octree', 'looseOctree'],
  ['BVH', 'bvh'],
  ['bruteforce', 'bruteForce'],
  ['packd', 'packed'],
])('createIndex of %s asks whether %s was meant', (given, meant) => {
  expect(() => core.createIndex(any(given))).toThrow(
    `createIndex: unknown structure "${given}". Did you mean "${meant}"? Structures: ${STRUCTURES.join(', ')}`,
  );
});

it.each(['', 'x', 'kd', '__proto__', 'constructor'])(
  'a name like no other, %o, is told all names and no guess',
  (name) => {
    expect(() => core.createIndex(any(name))).toThrow(
      `createIndex: unknown structure "${name}". Structures: ${STRUCTURES.join(', ')}`,
    );
  },
);

it.each([
  [core.Octree, 'capasity', 'Octree: unknown option "capasity". Did you mean "capacity"? Options: capacity, maxDepth,'],
  [
    core.Quadtree,
    'maxdepth',
    'Quadtree: unknown option "maxdepth". Did you mean "maxDepth"? Options: capacity, maxDepth,',
  ],
  [core.Quadtree, 'planar', 'Quadtree: unknown option "planar". Options: capacity, maxDepth, minCellSize'],
  [core.Grid, 'cellsize', 'Grid: unknown option "cellsize". Did you mean "cellSize"? Options: cellSize, planar'],
  [core.Bvh, 'plannar', 'Bvh: unknown option "plannar". Did you mean "planar"? Options: planar'],
] as const)('%o tells the right name of %s', (Structure, option, message) => {
  expect(() => new Structure(any({ [option]: 8 }))).toThrow(message);
});

it.each([
  ['maintain', (given) => core.maintain(given, 1)],
  ['stats', core.stats],
  ['forEachNode', (given) => core.forEachNode(given, () => {})],
  ['findPairs', (given) => core.findPairs(given)],
  ['findPairsBetween.b', (given) => core.findPairsBetween(new core.Bvh(), given)],
  ['Interest.index', (given) => new Interest(given)],
] as [string, (given: core.SpatialIndex) => unknown][])('%s shows the line to write for a name', (where, call) => {
  for (const name of STRUCTURES) {
    const line = `new ${name[0].toUpperCase()}${name.slice(1)}(), or createIndex('${name}')`;
    expect(() => call(any(name))).toThrow(`${where}: must be an index, got ${name}: write ${line}`);
    // The line is right: there is such a class.
    expect(core).toHaveProperty(`${name[0].toUpperCase()}${name.slice(1)}`);
  }
  expect(() => call(any('hello'))).toThrow(/got hello$/);
});

it('a quadtree is an octree that does not divide in Y, by its own name and options', () => {
  const boxes = Array.from({ length: 600 }, (_, i) => [i % 20, (7 * i) % 90, i / 20]).flatMap(([x, y, z]) => [
    ...[x, y, z],
    ...[x + 0.5, y + 0.5, z + 0.5],
  ]);
  const quadtree = new core.Quadtree({ capacity: 8, maxDepth: 6 });
  const planar = new core.Octree({ capacity: 8, maxDepth: 6, planar: true });
  for (const index of [quadtree, planar]) index.addAll(boxes);
  expect([quadtree.structure, planar.structure]).toEqual(['quadtree', 'octree']);
  expect(core.stats(quadtree)).toEqual(core.stats(planar));
  const nodesOf = (index: core.SpatialIndex): unknown[] => {
    const nodes: unknown[] = [];
    core.forEachNode(index, ({ depth, cell, items }) => nodes.push([depth, [...cell], items]));
    return nodes;
  };
  expect(nodesOf(quadtree)).toEqual(nodesOf(planar));
  // Menus hand the options of all structures over.
  expect(core.createIndex('quadtree', { planar: false, cellSize: 3, capacity: 8 }).structure).toBe('quadtree');
});

it.each([
  [(index: Any) => index.add(0, 0, 0, 1, 1, 1), 'got 0'],
  [(index: Any) => index.add([0, 0, 0, 1, 1]), 'got 5 numbers'],
  [(index: Any) => index.queryBox(3), 'got 3'],
])('what is no box is told what a box is: %s', (call, got) => {
  expect(() => call(new core.Octree())).toThrow(`a box is [minX, minY, minZ, maxX, maxY, maxZ], ${got}`);
});

type Any = ReturnType<typeof any>;
