import { BoxGeometry, Group, Mesh, PerspectiveCamera, Ray, Raycaster, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { Meter } from '../../demo/measure/Meter.js';
import { type IndexNode, NodeTree } from '../../demo/measure/NodeTree.js';
import { nodeVerdict } from '../../demo/measure/nodeVerdict.js';
import { createIndex, SceneIndex } from '../../src/index.js';
import { STRUCTURES } from '../../src/standalone.js';

const SIDE = 12;
const geometry = new BoxGeometry();

function field(): Group {
  const root = new Group();
  for (let x = 0; x < SIDE; x++) {
    for (let z = 0; z < SIDE; z++) {
      const mesh = new Mesh(geometry);
      mesh.position.set(10 * x, 0, 10 * z);
      root.add(mesh);
    }
  }
  return root;
}

function allOf(nodes: readonly IndexNode[]): IndexNode[] {
  return nodes.flatMap((node) => [node, ...allOf(node.children)]);
}

describe.each(STRUCTURES)('the nodes of %s', (structure) => {
  const root = field();
  const index = new SceneIndex(root, { structure: createIndex(structure) });
  const tree = new NodeTree(index);
  const nodes = allOf(tree.tops);

  it('hold every object, once unless cells may share it, and count what is below', () => {
    expect(new Set(nodes.flatMap(({ objects }) => objects))).toEqual(new Set(root.children));
    const listed = nodes.flatMap(({ objects }) => objects).length;
    if (structure === 'octree') expect(listed).toBeGreaterThan(root.children.length);
    else expect(listed).toBe(root.children.length);
    for (const node of nodes) {
      expect(node.below).toBe(allOf([node]).flatMap(({ objects }) => objects).length);
      for (const object of node.objects) expect(tree.holderOf(object)?.objects).toContain(object);
    }
  });

  it('lie one depth below their parents, and have neighbours that lead around and back', () => {
    for (const node of nodes) {
      expect(node.depth).toBe(node.parent ? node.parent.depth + 1 : 0);
      expect(tree.neighbour(tree.neighbour(node, 1), -1)).toBe(node);
      expect(tree.neighbour(node, 1).parent).toBe(node.parent);
    }
  });

  it('are found under a ray, the deepest first, within the levels', () => {
    const ray = new Ray(new Vector3(30, 100, 30), new Vector3(0, -1, 0));
    const deepest = Math.max(...nodes.filter(({ box }) => ray.intersectsBox(box)).map(({ depth }) => depth));
    expect(tree.under(ray, 0, Number.POSITIVE_INFINITY)?.depth).toBe(deepest);
    expect(tree.under(ray, 0, 0)?.depth).toBe(0);
    expect(tree.under(new Ray(new Vector3(0, 100, 0), new Vector3(0, 1, 0)), 0, 99)).toBeNull();
  });

  it.each([
    [new Ray(new Vector3(30, 100, 30), new Vector3(0, -1, 0)), 200],
    [new Ray(new Vector3(30, 100, 30), new Vector3(0, -1, 0)), 1],
    [new Ray(new Vector3(-5, 0.1, -7), new Vector3(1, 0, 1.1).normalize()), 60],
    [new Ray(new Vector3(55, 0, 55), new Vector3(0, 0, 1)), 500],
  ])('are tested by a ray where it enters all above them: %o, %d', (ray, far) => {
    const isEntered = ({ box }: IndexNode): boolean => {
      const at = box.containsPoint(ray.origin) ? ray.origin : ray.intersectBox(box, new Vector3());
      return at !== null && at.distanceTo(ray.origin) <= far;
    };
    const isTested = ({ parent }: IndexNode): boolean => !parent || (isEntered(parent) && isTested(parent));
    const { entered, missed } = tree.testedBy(ray, far);
    expect(tree.size).toBe(nodes.length);
    expect(entered.length + missed.length).toBe(new Set([...entered, ...missed]).size);
    expect(new Set(entered)).toEqual(new Set(nodes.filter((node) => isTested(node) && isEntered(node))));
    expect(new Set(missed)).toEqual(new Set(nodes.filter((node) => isTested(node) && !isEntered(node))));
    for (const object of index.raycast(new Raycaster(ray.origin, ray.direction, 0, far)).map((hit) => hit.object)) {
      expect(entered.flatMap(({ objects }) => objects)).toContain(object);
    }
  });
});

describe('what culling does with a node', () => {
  const camera = new PerspectiveCamera(90, 1, 1, 100);
  camera.updateMatrixWorld();
  const node = (x: number, y: number, z: number, size: number, parent: IndexNode | null = null): IndexNode => {
    const box = new Mesh(new BoxGeometry(size, size, size)).geometry;
    box.translate(x, y, z).computeBoundingBox();
    return { box: box.boundingBox!, depth: parent ? parent.depth + 1 : 0, parent, children: [], objects: [], below: 0 };
  };
  const doubtful = node(0, 0, 0, 400);

  it.each([
    [node(-90, 0, -10, 2), 'Tested: outside the left plane'],
    [node(0, 0, -200, 2), 'Tested: outside the far plane'],
    [node(0, 0, -50, 2), 'Tested: completely inside the view'],
    [node(100, 0, -100, 2), 'as it crosses the right and far planes.'],
    [node(0, 0, 0, 400), 'as it crosses the right, left, bottom, top, far and near planes.'],
    [node(0, 0, -50, 2, doubtful), 'Tested: completely inside the view'],
    [node(0, 0, -50, 2, node(0, 0, -50, 8, doubtful)), 'Not tested: its parent is completely inside the view.'],
    [node(-90, 0, -10, 2, node(-90, 0, -10, 4, doubtful)), 'Not tested: its parent is outside the left plane.'],
    [
      node(0, 0, -50, 1, node(0, 0, -50, 2, node(0, 0, -50, 8, doubtful))),
      'Not tested: the node above it at depth 1 is completely inside the view.',
    ],
  ])('case %#: %o', (of, said) => {
    expect(nodeVerdict(of, camera)).toContain(said);
  });
});

it('a meter forgets the times of one thing once another is timed', () => {
  const meter = new Meter();
  const add = (value: number, of: string) => {
    for (let i = 0; i < 20; i++) meter.add(value, of);
  };
  add(5, 'index');
  expect([meter.mean, meter.isReliable]).toEqual([5, true]);
  meter.add(1, 'three');
  expect([meter.mean, meter.isReliable]).toEqual([0, false]);
  add(1, 'three');
  expect(meter.mean).toBe(1);
});
