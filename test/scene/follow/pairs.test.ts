import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { accelerate, SceneIndex } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { castByThree } from '../../helpers/castByThree.js';
import { pairsOf } from '../../helpers/pairs.js';
import { mainPass } from '../../helpers/passes.js';
import { allOf, boxMesh } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';
import type { Any } from '../../model/scene/Side.js';
import { entryOf, isDrawn, trueBounds } from '../../model/scene/trueBounds.js';
import { type Around, CHANGES, type Change, type ChangeName, KINDS } from './changes.js';

const CAMERA = eye(0, 0, 0, { lookAt: [0, 0, -1] });
const RAYS = [-0.2, 0.02].flatMap((y) =>
  [-0.3, 0, 0.12].map((x) => {
    const raycaster = new THREE.Raycaster();
    Object.assign(raycaster.params, { Points: { threshold: 0.2 }, Line: { threshold: 0.2 } });
    raycaster.setFromCamera(new THREE.Vector2(x, y), CAMERA);
    return raycaster;
  }),
);

const HOW: { [how: string]: (scene: THREE.Scene) => SceneIndex } = {
  SceneIndex: (scene) => new SceneIndex(scene),
  accelerate: (scene) => accelerate(scene),
};

const PARENTS: { [parent: string]: () => THREE.Object3D } = {
  'a group': () => new THREE.Group(),
  'what updates itself': () =>
    Object.assign(new THREE.Group(), {
      updateMatrixWorld(this: THREE.Group, force?: boolean) {
        THREE.Object3D.prototype.updateMatrixWorld.call(this, force);
      },
    }),
};

/** What may happen between two changes, none of which is to take from the next update what that has to find. */
const BETWEEN: { [what: string]: (world: World) => unknown } = {
  nothing: () => {},
  'a question': ({ index }) => index.queryPoint(new THREE.Vector3()),
  'a cast': ({ index, scene }) => [index.raycast(RAYS[4]), RAYS[4].intersectObjects(scene.children)],
  'matrices by three': ({ scene }) => THREE.Object3D.prototype.updateMatrixWorld.call(scene),
  'a newcomer': ({ index, other }) => {
    other.add(boxMesh(0, -4, -14));
    index.raycast(RAYS[4]);
  },
  'bounds by three': ({ scene }) => new THREE.Box3().setFromObject(scene),
  'another index': ({ second }) => second?.update(),
  'a picture': ({ scene, isAccelerated }) => isAccelerated && mainPass(scene, CAMERA),
};
/** In these everything is updated, and what is at rest by then is not looked at any more. */
const UPDATES = ['another index', 'a picture'];
const AT_REST = /rest|flag|touch|otherInBatch/i;

/** Pairs of which nobody takes notice: a child that goes by hand and one that comes by hand are as many as before. */
const UNNOTICED = /^(noChildByHand,childByHand|childByHand,noChildByHand)$/;
/** Edits of a shape of which three computes bounds in between, which count as declared. */
const EDITS = /geometry|vertices|positions|target|relative/i;
const COMPUTES = ['a cast', 'a newcomer', 'bounds by three', 'a picture'];

/** How a change is made. */
interface Way {
  readonly kind: string;
  readonly parent: string;
  readonly how: string;
  readonly between: string;
}

/** An object among others in a scene that is followed. */
class World implements Around {
  readonly scene = new THREE.Scene();
  readonly other = new THREE.Group().translateX(1);
  readonly lod = new THREE.LOD().addLevel(boxMesh()).translateX(-2).translateZ(-20);
  readonly mark = new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial()).translateZ(-14);
  readonly object: Any;
  readonly index: SceneIndex;
  readonly isAccelerated: boolean;
  readonly #fill: THREE.Mesh[] = [];
  /** A second index of the scene; null for none. */
  readonly second: SceneIndex | null;

  constructor({ kind, parent, how, between }: Way) {
    this.object = KINDS[kind]().translateZ(-15) as Any;
    this.scene.add(PARENTS[parent]().add(this.object), this.other, this.lod, this.mark);
    // Casts at few objects are left to three.
    for (let i = 0; i < (between === 'a cast' ? 50 : 5); i++) this.#fill.push(boxMesh(i % 3, 3 * i, -20));
    this.scene.add(...this.#fill);
    this.isAccelerated = how === 'accelerate';
    this.index = HOW[how](this.scene);
    this.second = between === 'another index' ? new SceneIndex(this.scene) : null;
    this.update();
  }

  readonly tell = (word: (index: SceneIndex) => unknown): void => {
    for (const index of this.indices) word(index);
  };

  get indices(): SceneIndex[] {
    return this.second === null ? [this.index] : [this.index, this.second];
  }

  update(): void {
    if (this.isAccelerated) this.scene.updateMatrixWorld();
    else this.index.update();
    this.second?.update();
  }

  /** All that is wrong with the indices, in words. */
  *problems(): Iterable<string> {
    for (const index of this.indices) {
      for (const raycaster of RAYS) {
        const wanted = told(castByThree(this.scene, raycaster));
        yield* differences('raycast', wanted, told(index.raycast(raycaster)));
        if (this.isAccelerated) yield* differences('three', wanted, told(raycaster.intersectObject(this.scene)));
      }
      for (const object of allOf(this.scene))
        yield* differences('box', wantedBox(object, this.scene), foundBox(object, index));
      yield* validateScene(index);
    }
  }

  /** The same once an index that is made afresh is there to compare with. */
  *lastProblems(): Iterable<string> {
    const seen = this.indices.map((index) => names(index.cull(CAMERA)));
    this.dispose();
    const fresh = new SceneIndex(this.scene);
    for (const found of seen) yield* differences('cull', names(fresh.cull(CAMERA)), found);
    fresh.dispose();
  }

  dispose(): void {
    for (const index of this.indices) index.dispose();
  }
}

const names = (objects: THREE.Object3D[]): string =>
  objects
    .map(({ id }) => id)
    .sort()
    .join();
const told = (hits: THREE.Intersection[]): string =>
  hits.map(({ object, distance, instanceId, batchId }) => [object.id, distance, instanceId, batchId].join(' ')).join();

function* differences(what: string, wanted: string, found: string): Iterable<string> {
  if (wanted !== found) yield `${what}: must be ${wanted || 'nothing'}, is ${found || 'nothing'}`;
}

const ROUND = 1e6;

function told6(box: THREE.Box3): string {
  const round = (c: number): number => Math.round(c * ROUND) / ROUND + 0;
  return [box.min, box.max].flatMap(({ x, y, z }) => [x, y, z].map(round)).join(' ');
}

function wantedBox(object: THREE.Object3D, root: THREE.Object3D): string {
  if (!isDrawn(object as Any) || entryOf(object, root) !== object) return '';
  const { box } = trueBounds(object as Any, () => null);
  return box.isEmpty() ? '' : told6(box);
}

function foundBox(object: THREE.Object3D, index: SceneIndex): string {
  const box = index.getBox(object, new THREE.Box3());
  return box === null ? '' : told6(box);
}

/** What is wrong after two changes in one update, and some updates later; null for nothing. */
function problemOf(way: Way, [first, then]: Change[]): string | null {
  const world = new World(way);
  first(world.object, world);
  BETWEEN[way.between](world);
  // The first may have left nothing to do it to.
  if (first !== then) then(world.object, world);
  world.update();
  const problems = [...world.problems()];
  for (let i = 0; i < 9; i++) world.update();
  return [...problems, ...world.problems(), ...world.lastProblems()][0] ?? null;
}

/** The changes that can be done to an object of some kind. */
function changesOf(kind: string): ChangeName[] {
  return (Object.keys(CHANGES) as ChangeName[]).filter((name) => {
    const object = KINDS[kind]() as Any;
    new THREE.Scene().add(new THREE.Group().add(object));
    const around = { other: new THREE.Group(), lod: new THREE.LOD(), mark: boxMesh(), tell: () => {} };
    return (CHANGES[name] as Change)(object, around) !== false;
  });
}

/** As many ways as there are, in turn. */
function wayOf(kind: string, n: number, pair: string): Way {
  const [parents, hows, betweens] = [PARENTS, HOW, BETWEEN].map((of) => Object.keys(of));
  const without = [...(AT_REST.test(pair) ? UPDATES : []), ...(EDITS.test(pair) ? COMPUTES : [])];
  const those = betweens.filter((between) => !without.includes(between));
  const at = <T>(list: T[], i: number): T => list[i % list.length];
  return { kind, parent: at(parents, n), how: at(hows, n >> 1), between: at(those, n >> 2) };
}

describe('two changes in one update are followed, with an index that saw them and with one made afresh:', () => {
  it.each(Object.keys(KINDS))('%s', (kind) => {
    const pairs = pairsOf(changesOf(kind)).filter((pair) => !UNNOTICED.test(pair.join()));
    const problems = pairs.flatMap((pair, n) => {
      const way = wayOf(kind, n, pair.join());
      const problem = problemOf(
        way,
        pair.map((name) => CHANGES[name]),
      );
      return problem === null
        ? []
        : [`${pair.join(', ')} in ${way.parent}, ${way.how}, ${way.between} between: ${problem.slice(0, 200)}`];
    });
    expect(pairs.length).toBeGreaterThan(30);
    expect(problems).toEqual([]);
  });
});
