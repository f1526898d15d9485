import { Box3, Group, type Object3D, Vector3 } from 'three';
import { coordinates, metres } from '../../ui/parts/format.js';
import { disposeTree } from '../../views/drawings/Drawing.js';
import { Drawings } from '../../views/drawings/Drawings.js';
import { ObjectBatch } from '../../views/drawings/ObjectBatch.js';
import { ObjectList } from '../../views/drawings/ObjectList.js';
import type { Description, World } from '../contract/World.js';
import { routeAround } from './closeRoute.js';
import { makeTree } from './markers.js';

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

/** A world of ordinary meshes, as a loader gives it or a program builds it. */
export function modelWorld(root: Object3D, { step, unit = 1, treeSize, ...given }: ModelOptions = {}): World {
  root.updateMatrixWorld(true);
  const bounds = given.bounds ?? new Box3().setFromObject(root);
  const size = bounds.getSize(at).length();
  const target = bounds.getCenter(new Vector3());
  const batch = new ObjectBatch(root);
  const player = new ObjectList();
  const above = new Drawings([batch]);
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
    above,
    playerDrawing: (classColours) => (classColours ? above : player),
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
      player.dispose();
      above.dispose();
      disposeTree(root);
    },
    ...given,
  };
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
