import {
  Box3,
  type BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
  Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { coordinates, metres } from '../../ui/parts/format.js';
import { disposeTree } from '../../views/drawings/Drawing.js';
import { ObjectBatch } from '../../views/drawings/ObjectBatch.js';
import type { Description, World } from '../contract/World.js';
import { routeAround } from './closeRoute.js';

/** What a world of meshes says of itself. It may leave out all of it: the rest follows from its bounds. */
export interface ModelOptions extends Partial<Omit<World, 'step'>> {
  /** Advances moving objects by so many seconds, and updates them in the batch. */
  step?: (seconds: number, batch: ObjectBatch) => void;
  /** Units of the world for one of the file. */
  unit?: number;
  /** Height of what a click adds, in units of the file. */
  treeSize?: number;
}

const box = new Box3();
const at = new Vector3();
const treeMaterial = new MeshLambertMaterial({ color: '#e8735a', flatShading: true });
let treeShape: BufferGeometry | null = null;
let trees = 0;

/** A world of ordinary meshes, as a loader gives it or a program builds it. */
export function modelWorld(root: Object3D, { step, unit = 1, treeSize, ...given }: ModelOptions = {}): World {
  root.updateMatrixWorld(true);
  const bounds = given.bounds ?? new Box3().setFromObject(root);
  const size = bounds.getSize(at).length();
  const target = bounds.getCenter(new Vector3());
  const batch = new ObjectBatch(root);
  const added = new Group();
  added.name = 'Added by you';
  root.add(added);

  return {
    root,
    staticObjects: [],
    route: routeAround(bounds, 1.1),
    overview: { eye: new Vector3(0.68, 0.95, 0.99).multiplyScalar(size).add(target), target },
    follow: false,
    bounds,
    speed: size / 8,
    near: size / 1200,
    ground: bounds.min.y,
    step: (seconds) => step?.(seconds, batch),
    above: batch,
    // In colours of its own, the renderer is given the root itself.
    playerDrawing: () => batch,
    describe: (object) => describeObject(object, root, unit),
    add(point) {
      const tree = makeTree(treeSize ?? (0.05 * size) / unit);
      added.add(tree);
      added.worldToLocal(tree.position.copy(point));
      batch.add(tree);
      return tree;
    },
    remove(object) {
      object.removeFromParent();
      object.traverse((part) => batch.remove(part));
    },
    dispose() {
      batch.dispose();
      disposeTree(root);
    },
    ...given,
  };
}

/** A small tree, standing on its origin. `size`: its height. */
function makeTree(size: number): Mesh {
  treeShape ??= mergeGeometries([
    new CylinderGeometry(0.05, 0.07, 0.3, 6).translate(0, 0.15, 0),
    new ConeGeometry(0.32, 0.5, 7).translate(0, 0.5, 0),
    new ConeGeometry(0.24, 0.4, 7).translate(0, 0.8, 0),
  ]);
  const tree = new Mesh(treeShape, treeMaterial);
  tree.scale.setScalar(size);
  tree.name = `New tree ${++trees}`;
  return tree;
}

/** What can be said of any object below a root. `unit`: units of the world for one that is shown. */
export function describeObject(object: Object3D, root: Object3D, unit: number): Description {
  box.setFromObject(object).getSize(at);
  return {
    title: nameOf(object),
    where: pathOf(object, root),
    facts: [
      ['Size', metres(...at.divideScalar(unit).toArray())],
      ['Centre', coordinates(...box.getCenter(at).divideScalar(unit).toArray())],
    ],
  };
}

/** GLTFLoader turns blanks into underscores and keeps the name as written aside. */
function nameOf(object: Object3D): string {
  const { name } = object.userData;
  return (typeof name === 'string' && name) || object.name || `Unnamed ${object.type.toLowerCase()}`;
}

function pathOf(object: Object3D, root: Object3D): string {
  const path: string[] = [];
  for (let up = object.parent; up && up !== root; up = up.parent) if (up.name) path.push(nameOf(up));
  return path.join(' · ') || nameOf(root);
}
