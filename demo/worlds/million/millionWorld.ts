import { Box3, Group, Vector3 } from 'three';
import type { MillionValues } from '../../state/controls/millionControls.js';
import { coordinates, metres } from '../../ui/parts/format.js';
import type { World } from '../contract/World.js';
import { MILLION_ROUTE, PickedBox, RADIUS } from './Galaxy.js';
import { Million } from './Million.js';

const NO_OBJECT = 'An instance is no object of the scene: the mesh as a whole is static, drawn and removed.';

/** A million boxes in one mesh, in one view of an accelerated scene. */
export function millionWorld(values: MillionValues): World {
  const customView = new Million(values);
  const nothing = { object: new Group(), show() {}, paint() {}, dispose() {} };
  return {
    root: new Group(),
    staticObjects: [],
    route: MILLION_ROUTE,
    overview: { eye: new Vector3(0, 1.9 * RADIUS, 1.7 * RADIUS), target: new Vector3(0, 0, 0.1 * RADIUS) },
    follow: false,
    bounds: new Box3(new Vector3(-RADIUS, -RADIUS, -RADIUS), new Vector3(RADIUS, RADIUS, RADIUS)),
    speed: 60,
    near: 0.5,
    ground: -RADIUS,
    above: customView.above,
    get aboveCaption() {
      return customView.aboveCaption;
    },
    credit: '',
    customView,
    report: () => customView.report,
    onControlChanged: (control) => customView.valueChanged(control),
    confine() {},
    playerDrawing: () => nothing,
    swarm: { triangles: 12, how: 'All instances in view are drawn in a single draw call of the mesh.' },
    pick: (raycaster) => customView.pick(raycaster),
    has: (object) => customView.has(object),
    whyNot: (act) => (act === 'hide' ? customView.whyAllShown : NO_OBJECT),
    setShown(object, isShown) {
      if (object instanceof PickedBox) object.isShown = isShown;
    },
    describe: (object) => {
      const { x, y, z } = object.position;
      return {
        title: object.name,
        where: 'Instance of a mesh',
        facts: [
          ['Size', metres(...object.scale.toArray())],
          ['Centre', coordinates(x, y, z)],
        ],
      };
    },
    remove() {},
    dispose: () => customView.dispose(),
  };
}
