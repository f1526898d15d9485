import * as THREE from 'three';
import { beforeAll, expect, it } from 'vitest';
import { Card } from '../helpers/Card.js';
import { drawnTriangles, plainTriangles } from '../helpers/drawnTriangles.js';
import { accelerated } from '../helpers/indexed.js';
import { cameraAt, loadAllBatching } from './Stage.js';

const camera = cameraAt(20);

/** A renderer with a graphics card of its own. */
const open = () => ({ isWebGLRenderer: true, sortObjects: true, card: new Card() });

/** A scene with two geometries, of which each has meshes enough for a batch; and others that have the first one, too. */
class World {
  readonly scene = new THREE.Scene();
  readonly geometries = [new THREE.PlaneGeometry(), new THREE.PlaneGeometry(2, 2)];
  readonly meshes: THREE.Mesh[] = [];
  readonly index;
  /** A scene without an index. */
  readonly other = new THREE.Scene();

  constructor() {
    const paint = new THREE.MeshBasicMaterial();
    for (let i = 0; i < 12; i++) this.meshes.push(new THREE.Mesh(this.geometries[i % 2], paint).translateX(3 * i - 16));
    this.scene.add(...this.meshes);
    this.other.add(new THREE.Mesh(this.geometries[0], paint));
    this.index = accelerated(this.scene, { batch: { atLeast: 4 } });
  }

  /** Moves one vertex of the first geometry, and names the range to upload. */
  edit(vertex: number): void {
    const position = this.geometries[0].attributes.position as THREE.BufferAttribute;
    position.setY(vertex, position.getY(vertex) + 1).needsUpdate = true;
    position.addUpdateRange(3 * vertex, 3);
  }

  /** Makes a picture of a scene, in which the card has to have what plain three draws. Tells the draw calls. */
  draw(by: object, scene = this.scene): number {
    scene.updateMatrixWorld();
    const { main, shadow } = plainTriangles(scene, camera, camera);
    const drawn = drawnTriangles(scene, camera, camera, undefined, by);
    expect(drawn).toMatchObject({ main, shadow });
    return drawn.calls;
  }
}

beforeAll(loadAllBatching);

it.each([
  ['the same renderer first each time', [0, 1, 0, 1, 0, 1]],
  ['the other one first each time', [1, 0, 1, 0, 1, 0]],
  ['in turns', [0, 1, 1, 0, 0, 1]],
])('each of two renderers uploads each edit of what it may draw alone later: %s', (_label, order) => {
  const world = new World();
  const renderers = [open(), open()];
  const all = () => renderers.map((by) => world.draw(by));
  for (const by of renderers) world.draw(by, world.other);
  for (let frame = 0; frame < 4; frame++) all();
  expect(all()).toEqual([1, 1]);
  for (const [i, which] of order.entries()) {
    if (i % 2 === 0) world.edit(i / 2);
    world.draw(renderers[which]);
    // All are drawn alone by then.
    if (i === 3) world.index.batch(world.scene, false);
  }
  for (let frame = 0; frame < 4; frame++) all();
});

it('batches have all of an edit whose range another scene has had uploaded', () => {
  const world = new World();
  const renderer = open();
  for (let frame = 0; frame < 4; frame++) world.draw(renderer);
  expect(world.draw(renderer)).toBe(1);
  world.edit(0);
  world.draw(renderer, world.other);
  world.edit(1);
  for (let frame = 0; frame < 4; frame++) world.draw(renderer);
});
