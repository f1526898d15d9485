import { Box3, Group, Vector3 } from 'three';
import type { CollisionValues } from '../../state/controls/collisionControls.js';
import type { World } from '../contract/World.js';
import { Collisions } from './Collisions.js';

/** Moving bodies, and the methods that find overlapping ones. No scene is indexed. */
export async function collisionsWorld(values: CollisionValues): Promise<World> {
  const customView = new Collisions(values);
  const nothing = { object: new Group(), show() {}, paint() {}, dispose() {} };
  return {
    root: new Group(),
    staticObjects: [],
    route: { eyes: [new Vector3(0, 1, 1), new Vector3(1, 1, -1), new Vector3(-1, 1, -1)], seconds: 1 },
    overview: { eye: new Vector3(0, 1, 1), target: new Vector3() },
    follow: false,
    bounds: new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)),
    speed: 1,
    near: 0.1,
    ground: 0,
    above: nothing,
    customView,
    step: (seconds) => customView.step(seconds),
    onControlChanged: (control) => customView.valueChanged(control),
    playerDrawing: () => nothing,
    describe: () => ({ title: '', where: '', facts: [] }),
    remove() {},
    dispose: () => customView.dispose(),
  };
}
