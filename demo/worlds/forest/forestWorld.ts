import { Box3, Vector3 } from 'three';
import type { ForestValues } from '../../state/controls/forestControls.js';
import type { World } from '../contract/World.js';
import { describeObject } from '../model/modelWorld.js';
import { Forest } from './Forest.js';
import { HALF, heightAt, SEA } from './land.js';
import { FOREST_ROUTE, NEAR } from './route.js';

/** The eye stays so far above the ground. */
const CLEARANCE = 2;

/** Thousands of trees with shadows, in one view of an accelerated scene. */
export function forestWorld(values: ForestValues): World {
  const customView = new Forest(values);
  return {
    root: customView.scene,
    staticObjects: customView.resting,
    route: FOREST_ROUTE,
    overview: { eye: new Vector3(0, 520, 400), target: new Vector3() },
    follow: true,
    bounds: new Box3(new Vector3(-HALF, SEA, -HALF), new Vector3(HALF, 60, HALF)),
    speed: 25,
    near: NEAR,
    ground: SEA,
    above: customView.above,
    credit: '',
    customView,
    report: () => customView.report,
    onControlChanged: (control) => customView.valueChanged(control),
    confine(position) {
      position.y = Math.max(position.y, Math.max(SEA, heightAt(position.x, position.z)) + CLEARANCE);
    },
    openIndex: (settings) => customView.open(settings),
    playerDrawing: () => customView.above,
    describe: (object) => describeObject(object, customView.scene, 1),
    remove: (object) => customView.remove(object),
    dispose: () => customView.dispose(),
  };
}
