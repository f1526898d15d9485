import { Box3, type BufferAttribute, Color, Raycaster, Scene, Sphere, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import {
  createIndex,
  forEachNode,
  LooseOctree,
  type NodeSource,
  type NodeView,
  SceneIndex,
  SceneIndexHelper,
  stats,
} from '../../src/index.js';
import { updated } from '../helpers/indexed.js';
import { random } from '../helpers/random.js';
import { boxMesh } from '../helpers/scene.js';
import { validateScene } from '../helpers/validateScene.js';

function town(count: number, seed = 1): { scene: Scene; index: SceneIndex } {
  const next = random(seed);
  const scene = new Scene();
  for (let i = 0; i < count; i++) scene.add(boxMesh(next() * 200, next() * 20, next() * 200, 0.5 + next()));
  return { scene, index: new SceneIndex(scene, { structure: new LooseOctree({ capacity: 4 }) }) };
}

function nodesOf(index: NodeSource) {
  const nodes: { box: number[]; cell: number[]; depth: number }[] = [];
  const visit = ({ box, cell, depth }: NodeView): unknown => nodes.push({ box: [...box], cell: [...cell], depth });
  if (index instanceof SceneIndex) forEachNode(index, visit);
  else forEachNode(index, visit);
  return nodes;
}

/** The boxes that are drawn, from the vertices that the draw range reaches. */
function drawn(helper: SceneIndexHelper): number[][] {
  const { index, drawRange, attributes } = helper.geometry;
  expect(drawRange.start).toBe(0);
  expect(drawRange.count).toBe(24 * helper.boxCount);
  expect(drawRange.count).toBeLessThanOrEqual((index as BufferAttribute).count);
  const boxes: number[][] = [];
  for (let i = 0; i < helper.boxCount; i++) {
    const box = new Box3();
    for (let k = 24 * i; k < 24 * i + 24; k += 2) {
      const [from, to] = [0, 1].map((end) =>
        new Vector3().fromBufferAttribute(attributes.position, (index as BufferAttribute).getX(k + end)),
      );
      // An edge runs along one axis.
      expect([...from].filter((c, axis) => c !== to.getComponent(axis)).length).toBeLessThanOrEqual(1);
      box.expandByPoint(from).expandByPoint(to);
    }
    boxes.push([...box.min, ...box.max]);
  }
  return boxes;
}

const sync = (index: SceneIndex, helper: SceneIndexHelper): void => {
  index.update();
  helper.update();
};
const rounded = (box: number[]): number[] => [...new Float32Array(box)];
const sorted = (boxes: number[][]): string[] => boxes.map((box) => box.join()).sort();

describe('the helper', () => {
  it('draws an index of the core as well, and follows it', () => {
    const index = createIndex('octree', { capacity: 2 });
    index.addAll([0, 0, 0, 1, 1, 1, 20, 0, 0, 21, 1, 1, 40, 0, 40, 41, 1, 41]);
    const helper = new SceneIndexHelper(index, { inset: 0 });
    expect(sorted(drawn(helper))).toEqual(sorted(nodesOf(index).map(({ box }) => rounded(box))));
    index.add([60, 60, 60, 70, 70, 70]);
    helper.update();
    expect(sorted(drawn(helper))).toEqual(sorted(nodesOf(index).map(({ box }) => rounded(box))));
  });

  it('draws each node as a box, the tight one or the cell, in one object', () => {
    const { scene, index } = town(200);
    const helper = new SceneIndexHelper(index, { inset: 0 });
    scene.add(helper);
    const nodes = nodesOf(index);
    expect(nodes.length).toBeGreaterThan(20);
    expect(helper.boxCount).toBe(nodes.length);
    expect(helper.children).toEqual([]);
    expect(Array.isArray(helper.material)).toBe(false);
    expect(helper.geometry.groups).toEqual([]);
    expect(sorted(drawn(helper))).toEqual(sorted(nodes.map(({ box }) => rounded(box))));
    Object.assign(helper, { bounds: 'cell' }).update();
    expect(sorted(drawn(helper))).toEqual(sorted(nodes.map(({ cell }) => rounded(cell))));
  });

  it('draws boxes smaller by the inset for each level', () => {
    const { index } = town(100);
    const helper = new SceneIndexHelper(index, { inset: 0.1 });
    const boxes = drawn(helper);
    nodesOf(index).forEach(({ box, depth }, i) => {
      expect(boxes[i][3] - boxes[i][0]).toBeCloseTo((box[3] - box[0]) * (1 - 0.1 * depth), 3);
    });
  });

  it('draws the levels asked for', () => {
    const { index } = town(200);
    const depths = nodesOf(index).map(({ depth }) => depth);
    const deepest = Math.max(...depths);
    expect(deepest).toBeGreaterThan(2);
    const helper = new SceneIndexHelper(index, { minDepth: 1, maxDepth: 2 });
    expect(helper.boxCount).toBe(depths.filter((d) => d === 1 || d === 2).length);
    Object.assign(helper, { maxDepth: 1 }).update();
    expect(helper.boxCount).toBe(depths.filter((d) => d === 1).length);
    Object.assign(helper, { minDepth: deepest + 1, maxDepth: Number.POSITIVE_INFINITY }).update();
    expect([helper.boxCount, helper.geometry.drawRange.count]).toEqual([0, 0]);
  });

  it('colours the levels apart', () => {
    const { index } = town(200);
    const helper = new SceneIndexHelper(index);
    const colors = helper.geometry.attributes.color as BufferAttribute;
    const byDepth = new Map<number, string>();
    nodesOf(index).forEach(({ depth }, i) => {
      const color = new Color().fromBufferAttribute(colors, 8 * i).getHexString();
      expect(byDepth.get(depth) ?? color).toBe(color);
      byDepth.set(depth, color);
    });
    expect(new Set(byDepth.values()).size).toBe(byDepth.size);
  });

  it('does nothing while nothing changed', () => {
    const { scene, index } = town(100);
    const helper = new SceneIndexHelper(index);
    scene.add(helper);
    const { geometry } = helper;
    const position = geometry.attributes.position as BufferAttribute;
    const { version } = position;
    for (let i = 0; i < 5; i++) {
      sync(index, helper);
    }
    expect(helper.geometry).toBe(geometry);
    expect(position.version).toBe(version);
    scene.children[0].position.x += 5;
    sync(index, helper);
    expect(position.version).toBe(version + 1);
    Object.assign(helper, { inset: 0.01 }).update();
    expect(position.version).toBe(version + 2);
  });

  it('keeps its buffers for fewer nodes, and grows for more', () => {
    const { scene, index } = town(400);
    const helper = new SceneIndexHelper(index);
    const { geometry } = helper;
    const many = helper.boxCount;
    scene.remove(...scene.children.slice(50));
    sync(index, helper);
    expect(helper.boxCount).toBeLessThan(many);
    expect(helper.boxCount).toBe(nodesOf(index).length);
    expect(helper.geometry).toBe(geometry);
    const next = random(5);
    for (let i = 0; i < 2000; i++) scene.add(boxMesh(next() * 200, next() * 20, next() * 200));
    let freed = 0;
    geometry.addEventListener('dispose', () => freed++);
    sync(index, helper);
    expect(helper.boxCount).toBe(nodesOf(index).length);
    expect(helper.geometry).not.toBe(geometry);
    expect(freed).toBe(1);
    drawn(helper);
  });

  it('follows a change of structure', () => {
    const { index } = town(100);
    const helper = new SceneIndexHelper(index);
    for (const structure of ['bruteForce', 'octree', 'looseOctree'] as const) {
      index.setStructure(createIndex(structure, { capacity: 4 }));
      helper.update();
      expect(helper.boxCount).toBe(nodesOf(index).length);
    }
  });

  it('is neither in its own index nor in another, nor a target for rays', () => {
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

  it('skips boxes with infinite sides, and draws an empty index as nothing', () => {
    const { scene, index } = town(60);
    const sky = boxMesh();
    sky.geometry = sky.geometry.clone();
    sky.geometry.boundingSphere = new Sphere(new Vector3(), Number.POSITIVE_INFINITY);
    scene.add(sky);
    index.update();
    const helper = new SceneIndexHelper(index);
    const finite = nodesOf(index).filter(({ box }) => box.every(Number.isFinite)).length;
    expect(finite).toBeLessThan(nodesOf(index).length);
    expect(helper.boxCount).toBe(finite);
    expect(drawn(helper).flat().every(Number.isFinite)).toBe(true);
    scene.clear();
    sync(index, helper);
    expect(helper.boxCount).toBe(0);
    expect(new SceneIndexHelper(new SceneIndex(new Scene())).boxCount).toBe(0);
  });

  it('gives everything back when disposed', () => {
    const { scene, index } = town(10);
    const helper = new SceneIndexHelper(index);
    scene.add(helper);
    let freed = 0;
    helper.geometry.addEventListener('dispose', () => freed++);
    helper.material.addEventListener('dispose', () => freed++);
    helper.dispose();
    expect(freed).toBe(2);
    expect(helper.parent).toBeNull();
  });
});

it('draws floors only when it is flat', () => {
  const scene = new Scene().add(boxMesh(0, 5, 0), boxMesh(9, 5, 0));
  const helper = new SceneIndexHelper(new SceneIndex(scene), { flat: true, inset: 0 });
  const { position } = helper.geometry.attributes;
  for (let i = 0; i < 8; i++) expect(position.getY(i)).toBe(4.5);
});
