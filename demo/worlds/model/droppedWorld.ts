import { Box3, Group, type Mesh, MeshStandardMaterial, type Object3D, Vector3 } from 'three';
import type { World } from '../contract/World.js';
import { ModelError } from './ModelError.js';
import { modelWorld } from './modelWorld.js';
import { readModel } from './readModel.js';
import { unnest } from './unnest.js';

/** Every model is brought to this size (corner to corner), so that speed, fog and controls fit it. */
const SIZE = 120;

/** The user's own model. */
export async function droppedWorld(files: readonly File[], signal: AbortSignal): Promise<World> {
  const { name, scene } = await readModel(files, signal);
  const root = new Group();
  root.name = name;
  root.add(unnest(scene));
  dullMetal(root);
  const bounds = new Box3().setFromObject(root);
  const diagonal = bounds.isEmpty() ? 0 : bounds.getSize(new Vector3()).length();
  if (!(diagonal > 0 && Number.isFinite(diagonal))) throw new ModelError(`There is nothing to draw in ${name}.`);

  const unit = SIZE / diagonal;
  root.scale.setScalar(unit);
  bounds.min.multiplyScalar(unit);
  bounds.max.multiplyScalar(unit);
  const centre = bounds.getCenter(new Vector3());
  const size = bounds.getSize(new Vector3());
  const around = (angle: number, distance: number, height: number) =>
    new Vector3(centre.x + distance * Math.sin(angle), centre.y + height, centre.z + distance * Math.cos(angle));
  return modelWorld(root, {
    staticObjects: [...root.children],
    route: {
      seconds: 60,
      eyes: Array.from({ length: 8 }, (_, i) =>
        around((i * Math.PI) / 4 + 0.6, 0.72 * SIZE, 0.2 * SIZE + 0.2 * size.y),
      ),
      lookAt: centre,
    },
    overview: { eye: around(0.6, 1.2 * SIZE, 0.95 * SIZE), target: centre },
    bounds,
    speed: 16,
    near: 0.1,
    ground: bounds.min.y,
    unit,
    treeSize: 6 / unit,
  });
}

/** Without an environment map, pure metal would be black. */
function dullMetal(root: Object3D): void {
  root.traverse((object) => {
    for (const material of [(object as Mesh).material].flat()) {
      if (material instanceof MeshStandardMaterial) material.metalness = Math.min(material.metalness, 0.3);
    }
  });
}
