import { type Box3 as Box, Box3, Group, type Mesh, type Object3D, Texture, Vector3 } from 'three';
import { coordinates, metres } from '../../ui/parts/format.js';
import { Drawings } from '../../views/drawings/Drawings.js';
import { ObjectBatch } from '../../views/drawings/ObjectBatch.js';
import { ObjectList } from '../../views/drawings/ObjectList.js';
import type { Pose, World } from '../contract/World.js';
import { makeTree } from './markers.js';

export interface ModelOptions {
  staticObjects: Object3D[];
  /** Advances moving objects by so many seconds, and updates them in the batch. */
  step?: (seconds: number, batch: ObjectBatch) => void;
  route: World['route'];
  overview: Pose;
  bounds: Box;
  speed: number;
  near: number;
  ground: number;
  /** Units of the world for one of the file. */
  unit: number;
  treeSize: number;
}

const box = new Box3();
const at = new Vector3();

/** A world of ordinary meshes, as a loader gives it. */
export function modelWorld(root: Object3D, options: ModelOptions): World {
  root.updateMatrixWorld(true);
  const batch = new ObjectBatch(root);
  const player = new ObjectList();
  const above = new Drawings([batch]);
  const added = new Group();
  added.name = 'Added by you';
  root.add(added);

  return {
    ...options,
    root,
    follow: false,
    step: (seconds) => options.step?.(seconds, batch),
    above,
    credit: '',
    playerDrawing: (classColours) => (classColours ? above : player),
    describe(object) {
      box.setFromObject(object).getSize(at);
      return {
        title: nameOf(object),
        where: pathOf(object, root),
        facts: [
          ['Size', metres(...at.divideScalar(options.unit).toArray())],
          ['Centre', coordinates(...box.getCenter(at).divideScalar(options.unit).toArray())],
        ],
      };
    },
    add(point) {
      const tree = makeTree(options.treeSize);
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

/** Frees what the meshes of a tree hold. */
export function disposeTree(root: Object3D): void {
  root.traverse((object) => {
    const { geometry, material: materials } = object as Mesh;
    geometry?.dispose();
    for (const material of [materials ?? []].flat()) {
      for (const value of Object.values(material)) {
        if (!(value instanceof Texture)) continue;
        value.dispose();
        if (value.image instanceof ImageBitmap) value.image.close();
      }
      material.dispose();
    }
  });
}
