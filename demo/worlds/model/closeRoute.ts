import { type Box3, type Object3D, PerspectiveCamera, Vector3 } from 'three';
import { SceneIndex } from '../../../src/index.js';
import { Autopilot } from '../../control/Autopilot.js';
import type { Route } from '../contract/World.js';

/** The lens with which a model is shown and measured. */
export const LENS = { fov: 60, aspect: 16 / 9, near: 0.1, far: 150 };

const SECONDS = 60;
/** The share of the objects that is best in view: enough to see, and enough out of view for culling to show. */
const BEST = 0.4;
/** Places at which a route is judged. */
const PLACES = 8;

/** From far to near: half the model's width that the route is away from its middle, and where one looks. */
const CANDIDATES: readonly (readonly [radius: number, ahead: boolean])[] = [
  [1.5, false],
  [1.1, false],
  [0.8, false],
  [0.8, true],
  [0.55, true],
  [0.3, true],
];

/** A route around or through a model on which some of its objects are in view, and others are not. */
export function closeRoute(root: Object3D, bounds: Box3): Route {
  const index = new SceneIndex(root);
  const routes = CANDIDATES.map(([radius, ahead]) => routeAround(bounds, radius, ahead));
  const misses = routes.map((route) => Math.abs(shareSeen(index, route) - BEST));
  index.dispose();
  // The widest of several that are as good.
  return routes[misses.indexOf(Math.min(...misses))]!;
}

/**
 * A round trip, so many times half the width of the bounds away from their middle.
 * @param ahead Looks along the way; without it, at the middle.
 */
export function routeAround(bounds: Box3, radius: number, ahead = false): Route {
  const centre = bounds.getCenter(new Vector3());
  const size = bounds.getSize(new Vector3());
  const widest = Math.max(size.x, size.y, size.z);
  // Even around a thin model there is a way.
  const [a, b] = [size.x, size.z].map((side) => radius * Math.max(side / 2, 0.2 * widest));
  const eyes = Array.from({ length: 8 }, (_, i) => {
    const angle = (i * Math.PI) / 4 + 0.6;
    return new Vector3(a! * Math.sin(angle), radius * 0.25 * widest, b! * Math.cos(angle)).add(centre);
  });
  // Inside one stays low.
  if (radius < 1) for (const eye of eyes) eye.y = Math.min(eye.y, bounds.max.y + 0.05 * widest);
  return { seconds: SECONDS, eyes, ...(ahead ? { ahead: 0.1, dip: 0.1 * size.y } : { lookAt: centre }) };
}

function shareSeen(index: SceneIndex, route: Route): number {
  const { fov, aspect, near, far } = LENS;
  const camera = new PerspectiveCamera(fov, aspect, near, far);
  const pilot = new Autopilot(route);
  let seen = 0;
  for (let i = 0; i < PLACES; i++) {
    pilot.jump(camera, (i / PLACES) * route.seconds);
    camera.updateMatrixWorld();
    seen += index.cull(camera).length / PLACES;
  }
  return seen / Math.max(1, index.size);
}
