import { Box3, type BufferAttribute, Color, Raycaster, Scene, Sphere, Vector3 } from 'three';
import { expect, it } from 'vitest';
import {
  createIndex,
  forEachNode,
  LooseOctree,
  type NodeSource,
  SceneIndex,
  SceneIndexHelper,
  stats,
} from '../../src/index.js';
import { updated } from '../helpers/indexed.js';
import { random } from '../helpers/random.js';
import { boxMesh, rowOfBoxes } from '../helpers/scene.js';
import { validateScene } from '../helpers/validateScene.js';

const next = random(1);
const someBox = () => boxMesh(next() * 200, next() * 20, next() * 200, 0.5 + next());

function town(count: number): { scene: Scene; index: SceneIndex } {
  const scene = new Scene().add(...Array.from({ length: count }, someBox));
  return { scene, index: new SceneIndex(scene, { structure: new LooseOctree({ capacity: 4 }) }) };
}

interface Node {
  box: number[];
  cell: number[];
  depth: number;
}

function nodesOf(index: NodeSource): Node[] {
  const nodes: Node[] = [];
  // The signatures are for one kind of index each.
  forEachNode(index as SceneIndex, ({ box, cell, depth }) => {
    nodes.push({ box: [...box], cell: [...cell], depth });
  });
  return nodes;
}

/** The boxes that are drawn, from the vertices that the draw range reaches. */
function drawn(helper: SceneIndexHelper): number[][] {
  const { index, drawRange, attributes } = helper.geometry;
  const order = index as BufferAttribute;
  expect([drawRange.start, drawRange.count]).toEqual([0, 24 * helper.boxCount]);
  expect(drawRange.count).toBeLessThanOrEqual(order.count);
  return Array.from({ length: helper.boxCount }, (_, i) => {
    const box = new Box3();
    for (let k = 24 * i; k < 24 * i + 24; k += 2) {
      const [from, to] = [0, 1].map((end) =>
        new Vector3().fromBufferAttribute(attributes.position, order.getX(k + end)),
      );
      // An edge runs along one axis.
      expect([...from].filter((c, axis) => c !== to.getComponent(axis)).length).toBeLessThanOrEqual(1);
      box.expandByPoint(from).expandByPoint(to);
    }
    return [...box.min, ...box.max];
  });
}

/** Fails unless the helper, brought up to date, draws the nodes as they are, whose sides are rounded. */
function expectDrawn(helper: SceneIndexHelper, index: NodeSource, what: 'box' | 'cell' = 'box'): void {
  helper.update();
  const sorted = (boxes: Iterable<number>[]) => boxes.map((box) => [...box].join()).sort();
  expect(sorted(drawn(helper))).toEqual(sorted(nodesOf(index).map((node) => new Float32Array(node[what]))));
}

it('an index of the core is drawn as well, and followed', () => {
  const index = createIndex('octree', { capacity: 2 });
  index.addAll([0, 0, 0, 1, 1, 1, 20, 0, 0, 21, 1, 1, 40, 0, 40, 41, 1, 41]);
  const helper = new SceneIndexHelper(index, { inset: 0 });
  expectDrawn(helper, index);
  index.add([60, 60, 60, 70, 70, 70]);
  expectDrawn(helper, index);
});

it('each node is drawn as a box, the tight one or the cell, in one object, with any structure', () => {
  const { index } = town(200);
  const helper = new SceneIndexHelper(index, { inset: 0 });
  expectDrawn(helper, index);
  expect(helper.boxCount).toBeGreaterThan(20);
  expect([helper.children, helper.geometry.groups, Array.isArray(helper.material)]).toEqual([[], [], false]);
  expectDrawn(Object.assign(helper, { bounds: 'cell' as const }), index, 'cell');
  helper.bounds = 'content';
  for (const structure of ['bruteForce', 'octree', 'looseOctree'] as const) {
    index.setStructure(createIndex(structure, { capacity: 4 }));
    expectDrawn(helper, index);
  }
});

it('boxes are smaller by the inset for each level, and each level has a colour', () => {
  const { index } = town(200);
  const helper = new SceneIndexHelper(index, { inset: 0.1 });
  const boxes = drawn(helper);
  const colors = helper.geometry.attributes.color as BufferAttribute;
  const byDepth = new Map<number, string>();
  nodesOf(index).forEach(({ box, depth }, i) => {
    expect(boxes[i][3] - boxes[i][0]).toBeCloseTo((box[3] - box[0]) * (1 - 0.1 * depth), 3);
    const color = new Color().fromBufferAttribute(colors, 8 * i).getHexString();
    expect(byDepth.get(depth) ?? color).toBe(color);
    byDepth.set(depth, color);
  });
  expect(new Set(byDepth.values()).size).toBe(byDepth.size);
});

it('the levels asked for are drawn', () => {
  const { index } = town(200);
  const depths = nodesOf(index).map(({ depth }) => depth);
  const deepest = Math.max(...depths);
  expect(deepest).toBeGreaterThan(2);
  const helper = new SceneIndexHelper(index);
  for (const [minDepth, maxDepth] of [
    [1, 2],
    [1, 1],
    [deepest + 1, Number.POSITIVE_INFINITY],
  ]) {
    const count = depths.filter((d) => d >= minDepth && d <= maxDepth).length;
    expect(new SceneIndexHelper(index, { minDepth, maxDepth }).boxCount).toBe(count);
    Object.assign(helper, { minDepth, maxDepth }).update();
    expect([helper.boxCount, helper.geometry.drawRange.count]).toEqual([count, 24 * count]);
  }
});

it('nothing is done while nothing changed', () => {
  const { scene, index } = town(100);
  const helper = new SceneIndexHelper(index);
  scene.add(helper);
  const { geometry } = helper;
  const position = geometry.attributes.position as BufferAttribute;
  const { version } = position;
  const step = () => {
    index.update();
    helper.update();
    return position.version - version;
  };
  for (let i = 0; i < 5; i++) expect(step()).toBe(0);
  expect(helper.geometry).toBe(geometry);
  scene.children[0].position.x += 5;
  expect(step()).toBe(1);
  helper.inset = 0.01;
  expect(step()).toBe(2);
});

it('buffers are kept for fewer nodes, and grow for more', () => {
  const { scene, index } = town(400);
  const helper = new SceneIndexHelper(index, { inset: 0 });
  const { geometry, boxCount } = helper;
  scene.remove(...scene.children.slice(50));
  expectDrawn(helper, updated(index));
  expect(helper.boxCount).toBeLessThan(boxCount);
  expect(helper.geometry).toBe(geometry);
  scene.add(...Array.from({ length: 2000 }, someBox));
  let freed = 0;
  geometry.addEventListener('dispose', () => freed++);
  expectDrawn(helper, updated(index));
  expect(helper.geometry).not.toBe(geometry);
  expect(freed).toBe(1);
});

it('a helper is neither in its own index nor in another, nor a target for rays', () => {
  const { scene, index } = town(10);
  const told = (): number[] => [index.version, stats(index).tracked];
  const before = told();
  const helper = new SceneIndexHelper(index);
  scene.add(helper);
  expect(updated(index).has(helper)).toBe(false);
  expect(told()).toEqual(before);
  const other = new SceneIndex(scene);
  expect([other.has(helper), other.size]).toEqual([false, 10]);
  const ray = new Raycaster(new Vector3(0, 10, -50), new Vector3(0.3, 0, 1).normalize());
  expect(ray.intersectObject(helper)).toEqual([]);
  expect(validateScene(index)).toEqual([]);
});

it('boxes with infinite sides are skipped, and an empty index is drawn as nothing', () => {
  const { scene, index } = town(60);
  const sky = boxMesh();
  sky.geometry = sky.geometry.clone();
  sky.geometry.boundingSphere = new Sphere(new Vector3(), Number.POSITIVE_INFINITY);
  scene.add(sky);
  const helper = new SceneIndexHelper(updated(index));
  const finite = nodesOf(index).filter(({ box }) => box.every(Number.isFinite)).length;
  expect(finite).toBeLessThan(nodesOf(index).length);
  expect(helper.boxCount).toBe(finite);
  expect(drawn(helper).flat().every(Number.isFinite)).toBe(true);
  scene.clear();
  expectDrawn(helper, updated(index));
  expect(helper.boxCount).toBe(0);
  expect(new SceneIndexHelper(new SceneIndex(new Scene())).boxCount).toBe(0);
});

it('everything is given back when a helper is disposed', () => {
  const { scene, index } = town(10);
  const helper = new SceneIndexHelper(index);
  scene.add(helper);
  let freed = 0;
  for (const part of [helper.geometry, helper.material]) part.addEventListener('dispose' as never, () => freed++);
  helper.dispose();
  expect([freed, helper.parent]).toEqual([2, null]);
});

it('a helper of a disposed index throws at each update, and draws nothing', () => {
  const index = new SceneIndex(rowOfBoxes(2));
  const helper = new SceneIndexHelper(index);
  expect(helper.boxCount).toBeGreaterThan(0);
  index.root.position.x = 50;
  updated(index).dispose();
  for (let i = 0; i < 2; i++) {
    expect(() => helper.update()).toThrow('the index was disposed');
    expect([helper.boxCount, helper.geometry.drawRange.count]).toEqual([0, 0]);
  }
});

it('floors only are drawn when it is flat', () => {
  const scene = new Scene().add(boxMesh(0, 5, 0), boxMesh(9, 5, 0));
  const helper = new SceneIndexHelper(new SceneIndex(scene), { flat: true, inset: 0 });
  const { position } = helper.geometry.attributes;
  for (let i = 0; i < 8; i++) expect(position.getY(i)).toBe(4.5);
});
