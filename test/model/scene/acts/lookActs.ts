import { Layers, type Light, Vector3 } from 'three';
import { one, upTo } from '../numbers.js';
import type { Any } from '../Side.js';
import { actsOf } from './Act.js';

const ordered = (next: () => number): number[] => [upTo(next, 4) - 1];

/** Hits from anywhere; one in three times with a word that nobody is to look below. */
function ownRaycast(object: Any, answer: number): Any['raycast'] {
  return (_raycaster, hits) => {
    if (answer > 0) hits.push({ distance: 5 + answer, point: new Vector3(), object });
    return answer === 2 ? false : undefined;
  };
}

/** What is seen of what there is. */
export const lookActs = actsOf({
  visible: {
    weight: 3,
    values: one(3),
    apply: (side, { a, v: [on = 0] }) => {
      const object = side.object(a);
      if (object) object.visible = on > 0;
    },
  },
  sceneVisible: {
    weight: 0.2,
    values: one(3),
    apply: (side, { a, v: [on = 0] }) => {
      side.scenes[a % side.scenes.length].visible = on > 0;
    },
  },
  layers: {
    weight: 2,
    values: one(4),
    apply: (side, { a, v: [mask = 1] }) => {
      side.node(a).layers.mask = mask;
    },
  },
  newLayers: {
    weight: 0.5,
    values: one(4),
    apply: (side, { a, v: [mask = 1] }) => {
      const layers = new Layers();
      layers.mask = mask;
      side.node(a).layers = layers;
    },
  },
  /** Objects may tell by themselves whether they are in view, and what a ray hits. */
  ownTest: {
    weight: 0.3,
    values: one(3),
    apply: (side, { a, v: [answer = 0] }) => {
      const object = side.of(a, (o) => o.isMesh);
      if (!object) return;
      if (answer === 2) Reflect.deleteProperty(object, 'intersectsFrustum');
      else object.intersectsFrustum = () => answer === 1;
      for (const index of side.indices) index?.touch(object);
    },
  },
  ownRaycast: {
    weight: 0.3,
    values: one(4),
    apply: (side, { a, v: [answer = 0] }) => {
      const object = side.of(a, (o) => o.isMesh);
      if (!object || side.isPartial) return;
      side.hasRaycasts = true;
      if (answer === 3) Reflect.deleteProperty(object, 'raycast');
      else object.raycast = ownRaycast(object, answer);
      side.edited(object);
    },
  },
  cameraLayers: {
    weight: 0.5,
    values: one(4),
    apply: (side, { v: [mask = 1] }) => {
      side.camera.layers.mask = mask;
    },
  },
  frustumCulled: {
    weight: 1.5,
    values: one(2),
    apply: (side, { a, v: [on = 0] }) => {
      const object = side.object(a);
      if (!object) return;
      object.frustumCulled = on === 1;
      side.edited(object);
    },
  },
  renderOrder: {
    weight: 2,
    values: ordered,
    apply: (side, { a, v: [order = 1] }) => {
      side.node(a).renderOrder = order;
    },
  },
  groupOrder: {
    weight: 1,
    values: ordered,
    apply: (side, { a, v: [order = 1] }) => {
      const group = side.of(a, ({ isGroup }) => isGroup);
      if (group) group.renderOrder = order;
    },
  },
  castShadow: {
    weight: 1.5,
    values: one(2),
    apply: (side, { a, v: [on = 1] }) => {
      const object = side.object(a);
      // An ambient light has no shadow to make.
      if (object && !(object.isLight && (object as unknown as Light & { shadow?: unknown }).shadow === undefined)) {
        object.castShadow = on === 1;
      }
    },
  },
  material: {
    weight: 1.5,
    apply: (side, { a, b }) => {
      const object = side.of(a, (o) => o.isMesh && !o.isBatchedMesh);
      // Helpers write into the material that they have.
      if (object && !/Helper/.test(object.constructor.name))
        object.material = b % 5 === 0 ? [0, 1, 2, 3, 1, 0].map((i) => side.material(i + b)) : side.material(b);
    },
  },
  materialVisible: {
    weight: 0.5,
    values: one(2),
    apply: (side, { a, v: [on = 0] }) => {
      side.material(a).visible = on === 1;
    },
  },
  transparent: {
    weight: 0.3,
    values: one(2),
    apply: (side, { a, v: [on = 0] }) => {
      side.material(a).transparent = on === 1;
    },
  },
});
