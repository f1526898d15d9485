import { BoxGeometry, Color, Group, Mesh, MeshBasicMaterial, type Object3D, PerspectiveCamera, Scene } from 'three';
import type { SceneIndex } from '../../src/index.js';

/** A scene whose picture shows the order in which its objects are drawn, when they are not sorted. */
export interface Pile {
  scene: Scene;
  boxes: Mesh[];
  camera: PerspectiveCamera;
}

const COUNT = 240;

/** Boxes of which each hides those drawn before, most of them out of view; in groups, and below each other. */
export function pile(next: () => number, scene: Scene = new Scene()): Pile {
  const inner = new Group();
  const outer = new Group();
  inner.renderOrder = 3;
  scene.add(outer.add(inner));
  const parents: Object3D[] = [scene, inner, outer];
  const geometry = new BoxGeometry(6, 6, 6);
  const boxes = Array.from({ length: COUNT }, (_, i) => {
    const material = new MeshBasicMaterial({ color: new Color().setHSL(next(), 0.9, 0.5), depthTest: false });
    material.transparent = next() < 0.5;
    material.opacity = 0.7;
    const box = new Mesh(geometry, material);
    box.name = `box ${i}`;
    box.position.set(next() * 24 - 12, next() * 24 - 12, next() < 0.85 ? 100 : next() * 10);
    return box;
  });
  // Not in the order they were made in.
  for (let i = 0; i < COUNT; i++) {
    const box = boxes[(i * 37) % COUNT];
    parents[Math.floor(next() * parents.length)].attach(box);
    if (next() < 0.03) parents.push(box);
  }
  const camera = new PerspectiveCamera(50, 1, 1, 100);
  camera.position.z = 40;
  return { scene, boxes, camera };
}

/** What may befall a pile, each after those before. */
export const CHANGES: [label: string, change: (pile: Pile, index: SceneIndex | null) => void][] = [
  ['nothing', () => {}],
  ['a box goes to the end', ({ scene, boxes }) => scene.attach(inView(boxes, 3))],
  ['boxes go elsewhere', ({ boxes }) => boxes[70].attach(inView(boxes, 5)).attach(inView(boxes, 8))],
  ['the last comes first', ({ scene: { children } }) => children.unshift(children.pop() as Object3D)],
  ['all are sorted by hand', ({ scene }) => scene.children.sort((a, b) => a.position.x - b.position.x)],
  ['nothing at all', () => {}],
  ['a box goes', ({ boxes }) => inView(boxes, 7).removeFromParent()],
  ['one gets a child', ({ boxes }) => inView(boxes, 9).add(new Mesh(boxes[0].geometry, boxes[0].material))],
  ['one is taken out of the index', ({ boxes }, index) => index?.remove(inView(boxes, 6))],
];

/** One of the boxes in view that have nothing below. */
function inView(boxes: Mesh[], i: number): Mesh {
  return boxes.filter(({ children, matrixWorld }) => children.length === 0 && matrixWorld.elements[14] < 50)[i];
}
