import { type Camera, Frustum, type Layers, Matrix4, type Object3D } from 'three';

/** An object that a pass draws, and the order of its group. */
export interface Drawn {
  object: Object3D;
  groupOrder: number;
}

interface Pass {
  layers: Layers;
  frustum: Frustum;
  drawn: Drawn[];
  lights: Object3D[];
}

/** What a camera's pass of three's renderers draws, in order: their walk, written down once more. */
export function mainPass(scene: Object3D, camera: Camera): Pass {
  if (scene.matrixWorldAutoUpdate) scene.updateMatrixWorld();
  camera.updateMatrixWorld();
  const pass = { layers: camera.layers, frustum: frustumOf(camera), drawn: [], lights: [] };
  project(scene, 0, pass);
  return pass;
}

/** The same for a shadow pass, which has no lights and no orders of groups, and leaves out sprites. */
export function shadowPass(scene: Object3D, shadowCamera: Camera, layers: Layers): Object3D[] {
  shadowCamera.updateMatrixWorld();
  const drawn: Object3D[] = [];
  cast(scene, frustumOf(shadowCamera), layers, drawn);
  return drawn;
}

type Kind = { [flag in 'isGroup' | 'isLOD' | 'isLight' | 'isSprite' | 'isMesh' | 'isLine' | 'isPoints']?: boolean };

function project(object: Object3D & Kind, groupOrder: number, pass: Pass): void {
  if (!object.visible) return;
  let order = groupOrder;
  if (object.layers.test(pass.layers)) {
    if (object.isGroup) order = object.renderOrder;
    else if (object.isLight) pass.lights.push(object);
    else if (object.isSprite || object.isMesh || object.isLine || object.isPoints) {
      if (!object.frustumCulled || object.intersectsFrustum(pass.frustum)) {
        pass.drawn.push({ object, groupOrder: order });
      }
    }
  }
  const { children } = object;
  for (let i = 0, l = children.length; i < l; i++) project(children[i], order, pass);
}

function cast(object: Object3D & Kind, frustum: Frustum, layers: Layers, drawn: Object3D[]): void {
  if (!object.visible) return;
  if (object.layers.test(layers) && (object.isMesh || object.isLine || object.isPoints)) {
    if (object.castShadow && (!object.frustumCulled || object.intersectsFrustum(frustum))) {
      if (Object.hasOwn(object, 'onBeforeShadow')) (object as unknown as { onBeforeShadow(): void }).onBeforeShadow();
      drawn.push(object);
    }
  }
  const { children } = object;
  for (let i = 0, l = children.length; i < l; i++) cast(children[i], frustum, layers, drawn);
}

export function frustumOf(camera: Camera): Frustum {
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  return new Frustum().setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
}
