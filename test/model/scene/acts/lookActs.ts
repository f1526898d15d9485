import { Layers, Vector3 } from 'three';
import { one, upTo } from '../numbers.js';
import type { Any } from '../Side.js';
import { act, actOf, actsOf, edit, editOf } from './Act.js';

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
  visible: actOf(3, one(3), (side, [on = 0], { a }) => Object.assign(side.object(a) ?? {}, { visible: on > 0 })),
  sceneVisible: actOf(0.2, one(3), ({ scenes }, [on = 0], { a }) =>
    Object.assign(scenes[a % scenes.length], { visible: on > 0 }),
  ),
  layers: actOf(2, one(4), (side, [mask = 1], { a }) => Object.assign(side.node(a).layers, { mask })),
  newLayers: actOf(0.5, one(4), (side, [mask = 1], { a }) =>
    Object.assign(side.node(a), { layers: Object.assign(new Layers(), { mask }) }),
  ),
  /** Objects may tell by themselves whether they are in view, and what a ray hits. */
  ownTest: actOf(0.3, one(3), (side, [answer = 0], { a }) => {
    const object = side.of(a, (o) => o.isMesh);
    if (!object) return;
    if (answer === 2) Reflect.deleteProperty(object, 'intersectsFrustum');
    else object.intersectsFrustum = () => answer === 1;
    for (const index of side.indices) index?.touch(object);
  }),
  ownRaycast: editOf(
    (o) => o.isMesh,
    0.3,
    one(4),
    (object, [answer = 0], side) => {
      if (side.isPartial) return false;
      side.hasRaycasts = true;
      if (answer === 3) return Reflect.deleteProperty(object, 'raycast');
      return Object.assign(object, { raycast: ownRaycast(object, answer) });
    },
  ),
  cameraLayers: actOf(0.5, one(4), ({ camera }, [mask = 1]) => Object.assign(camera.layers, { mask })),
  frustumCulled: edit(1.5, one(2), (object, [on = 0]) => Object.assign(object, { frustumCulled: on === 1 })),
  renderOrder: actOf(2, ordered, (side, [renderOrder = 1], { a }) => Object.assign(side.node(a), { renderOrder })),
  groupOrder: actOf(1, ordered, (side, [renderOrder = 1], { a }) =>
    Object.assign(side.of(a, ({ isGroup }) => isGroup) ?? {}, { renderOrder }),
  ),
  castShadow: actOf(1.5, one(2), (side, [on = 1], { a }) => {
    const object = side.object(a);
    // An ambient light has no shadow to make.
    const isAmbient = object?.isLight && (object as unknown as { shadow?: unknown }).shadow === undefined;
    if (object && !isAmbient) object.castShadow = on === 1;
  }),
  /** Seen in pictures alone. */
  receiveShadow: actOf(0.2, one(2), (side, [on = 1], { a }) =>
    Object.assign(side.object(a) ?? {}, { receiveShadow: on === 1 }),
  ),
  material: act(1.5, (side, { a, b }) => {
    const object = side.of(a, (o) => o.isMesh && !o.isBatchedMesh);
    // Helpers write into the material that they have.
    if (object && !/Helper/.test(object.constructor.name))
      object.material = b % 5 === 0 ? [0, 1, 2, 3, 1, 0].map((i) => side.material(i + b)) : side.material(b);
  }),
  depthTest: actOf(0.2, one(2), (side, [on = 0], { a }) => Object.assign(side.material(a), { depthTest: on === 1 })),
  depthWrite: actOf(0.2, one(2), (side, [on = 0], { a }) => Object.assign(side.material(a), { depthWrite: on === 1 })),
  side: actOf(0.3, one(3), (side, [which = 2], { a }) =>
    Object.assign(side.material(a), { side: which, needsUpdate: true }),
  ),
  occlude: actOf(0.5, one(3), (side, [on = 0], { a }) => {
    side.occlude(side.node(a), on > 0);
  }),
  materialVisible: actOf(0.5, one(2), (side, [on = 0], { a }) =>
    Object.assign(side.material(a), { visible: on === 1 }),
  ),
  transparent: actOf(0.3, one(2), (side, [on = 0], { a }) =>
    Object.assign(side.material(a), { transparent: on === 1, needsUpdate: true }),
  ),
});
