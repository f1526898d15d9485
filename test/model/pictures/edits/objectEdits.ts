import { Layers, type LOD, type Mesh, type SkinnedMesh, type Sprite } from 'three';
import { upTo } from '../../scene/numbers.js';
import { anyPlace, oneOf } from '../chance.js';
import type { Edits } from './Edit.js';

/** Where objects are, and what is said of them. */
export const OBJECT_EDITS: Edits = {
  move(side, next) {
    for (let i = 0; i < 12; i++) side.any(next)?.position.add(anyPlace(next, 2));
  },
  turn(side, next) {
    for (let i = 0; i < 12; i++) side.any(next)?.rotateY(next());
  },
  scale(side, next) {
    for (let i = 0; i < 4; i++) {
      const scale = side.any(next)?.scale;
      const [x, y, z] = [0.4 + next(), 0.4 + next(), 0.4 + next()];
      oneOf(
        next,
        () => scale?.set(x, y, z),
        () => scale?.setScalar(x),
        () => scale?.setX(-scale.x),
        () => scale?.setY(0),
      );
    }
  },
  matrixByHand(side, next) {
    const object = side.any(next);
    const [turn, at, shear] = [next() * 6, anyPlace(next, 14), next() < 0.2 ? next() : 0];
    if (object === null) return;
    object.matrixAutoUpdate = !object.matrixAutoUpdate;
    object.matrix.makeRotationY(turn).setPosition(at);
    if (shear > 0) object.matrix.elements[4] = shear;
    object.matrixWorldNeedsUpdate = true;
  },
  sceneMoves(side, next) {
    side.scene.position.copy(anyPlace(next, 2));
    side.scene.rotation.y = next() * 0.3;
    side.scene.scale.z = next() < 0.3 ? -1 : 1;
  },
  visible(side, next) {
    for (let i = 0; i < 5; i++) {
      const object = side.any(next);
      if (object !== null) object.visible = !object.visible;
    }
  },
  layers(side, next) {
    for (let i = 0; i < 5; i++) {
      const object = side.any(next);
      oneOf(
        next,
        () => object?.layers.set(1),
        () => object?.layers.enable(1),
        () => object?.layers.set(0),
        () => object?.layers.disableAll(),
        () => object && Object.assign(object, { layers: new Layers() }),
      );
    }
  },
  flags(side, next) {
    for (let i = 0; i < 6; i++) {
      const object = side.any(next);
      const order = upTo(next, 3) - 1;
      oneOf(
        next,
        () => object && Object.assign(object, { castShadow: !object.castShadow }),
        () => object && Object.assign(object, { receiveShadow: !object.receiveShadow }),
        () => object && Object.assign(object, { frustumCulled: !object.frustumCulled }),
        () => object && Object.assign(object, { renderOrder: order }),
      );
    }
  },
  callbacks(side, next) {
    const mesh = side.any(next, (object) => 'isMesh' in object) as Mesh | null;
    if (mesh === null) return;
    if (Object.hasOwn(mesh, 'onBeforeRender')) Reflect.deleteProperty(mesh, 'onBeforeRender');
    else mesh.onBeforeRender = () => {};
  },
  bones(side, next) {
    const mesh = side.any(next, (object) => 'isSkinnedMesh' in object) as SkinnedMesh | null;
    const turn = next() - 0.5;
    for (const bone of mesh?.skeleton.bones ?? []) bone.rotation.z += turn;
    side.scene.updateMatrixWorld();
    mesh?.computeBoundingSphere();
  },
  morph(side, next) {
    const mesh = side.any(next, (object) => (object as Mesh).morphTargetInfluences !== undefined) as Mesh | null;
    const weight = next();
    if (mesh?.morphTargetInfluences) mesh.morphTargetInfluences[0] = weight;
  },
  sprites(side, next) {
    for (let i = 0; i < 4; i++) {
      const sprite = side.any(next, (object) => 'isSprite' in object) as Sprite | null;
      const [x, y] = [next() * 6 - 3, next() * 6 - 3];
      oneOf(
        next,
        () => sprite?.center.set(x, y),
        () => sprite && Object.assign(sprite.material, { rotation: x }),
        () => sprite && Object.assign(sprite.material, { sizeAttenuation: !sprite.material.sizeAttenuation }),
      );
    }
  },
  /** The page owns the matrices for a while, and writes some. */
  ownMatrices(side, next) {
    side.scene.matrixWorldAutoUpdate = next() < 0.4;
    for (let i = 0; i < 12; i++) {
      const object = side.any(next);
      const at = anyPlace(next, 14);
      object?.matrixWorld.setPosition(at);
    }
  },
  levels(side, next) {
    const lod = side.any(next, (object) => 'isLOD' in object) as LOD | null;
    const distance = next() * 20;
    if (lod !== null) lod.levels[upTo(next, lod.levels.length)].distance = distance;
  },
};
