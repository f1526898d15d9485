import { createEvents, type RootStore } from '@react-three/fiber';
import { Camera, Object3D, Raycaster, Vector2 } from 'three';

let answer: boolean | null = null;

/**
 * Whether this version of fiber casts as is counted upon: an event first reads the list of objects with handlers, filters
 * it where it is a move, and goes through it by index and `flatMap`. Tried once, on an object of our own.
 */
export function castsByList(): boolean {
  answer ??= ['onPointerMove', 'onPointerDown'].every(isCastByList);
  return answer;
}

function isCastByList(name: string): boolean {
  const told: string[] = [];
  const object = new Object3D();
  const camera = new Camera();
  const raycaster = Object.assign(new Raycaster(), {
    intersectObject: () => [{ object, distance: 1 }],
  });
  const list = (label: string): Object3D[] =>
    Object.assign([object], {
      filter: (isWanted: (object: Object3D) => boolean) =>
        list(isWanted(object) ? `${label} of those wanted` : 'nothing'),
      flatMap: (cast: (object: Object3D) => unknown[]) => {
        told.push(`cast at ${label}`);
        return cast(object);
      },
    });
  const internal = {
    interaction: list('all'),
    hovered: new Map(),
    capturedMap: new Map(),
    initialClick: [0, 0],
    initialHits: [],
    lastEvent: { current: null },
  };
  const state = {
    internal,
    raycaster,
    pointer: new Vector2(),
    camera,
    events: {
      enabled: true,
      priority: 1,
      compute: () => {
        raycaster.camera = camera;
        told.push('aim');
      },
    },
  };
  const store = { getState: () => state };
  const handlers = { [name]: () => told.push('call') };
  Object.assign(object, { __r3f: { root: store, eventCount: 1, handlers } });
  try {
    createEvents(store as unknown as RootStore).handlePointer(name)({ offsetX: 0, offsetY: 0 } as never);
  } catch {
    return false;
  }
  const wanted = name === 'onPointerMove' ? 'all of those wanted' : 'all';
  return told.join() === `aim,cast at ${wanted},call`;
}
