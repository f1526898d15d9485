import { Box3, Group, Vector3 } from 'three';
import type { ForestValues } from '../../state/controls/forestControls.js';
import type { World } from '../contract/World.js';
import { Forest } from './Forest.js';
import { HALF, heightAt, SEA } from './land.js';
import { NEAR } from './lens.js';
import { FOREST_ROUTE } from './route.js';

/** The eye stays so far above the ground. */
const CLEARANCE = 2;

/** Thousands of trees with shadows, in one view of an accelerated scene. */
export function forestWorld(values: ForestValues): World {
  const customView = new Forest(values);
  const nothing = { object: new Group(), show() {}, paint() {}, dispose() {} };
  return {
    root: new Group(),
    staticObjects: [],
    route: FOREST_ROUTE,
    overview: { eye: new Vector3(0, 300, 300), target: new Vector3() },
    follow: false,
    bounds: new Box3(new Vector3(-HALF, SEA, -HALF), new Vector3(HALF, 60, HALF)),
    speed: 25,
    near: NEAR,
    ground: SEA,
    above: nothing,
    credit: '',
    customView,
    report: () => customView.report,
    onControlChanged: (control) => customView.valueChanged(control),
    confine(position) {
      position.y = Math.max(position.y, Math.max(SEA, heightAt(position.x, position.z)) + CLEARANCE);
    },
    playerDrawing: () => nothing,
    describe: () => ({ title: '', where: '', facts: [] }),
    remove() {},
    dispose: () => customView.dispose(),
  };
}
