import {
  type ArrayCamera,
  type Camera,
  type DirectionalLight,
  Frustum,
  FrustumArray,
  type Layers,
  type LOD,
  type Material,
  Matrix4,
  type Mesh,
  type Object3D,
  type Scene,
  type WebGLRenderer,
} from 'three';

/** An object that a pass draws, and the order of its group. */
export interface Drawn {
  object: Object3D;
  groupOrder: number;
}

interface Pass {
  drawn: Drawn[];
  lights: Object3D[];
}

const SORTING = { isWebGLRenderer: true, sortObjects: true };
const NOT_SORTING = { isWebGLRenderer: true, sortObjects: false };

/**
 * What a camera's pass of three's renderers draws, in order: their walk, written down once more, with the scene's callbacks
 * around it.
 * @param frustum The renderer's own, which it sets for each picture.
 */
export function mainPass(scene: Object3D, camera: Camera, isSorted = true, frustum = new Frustum()): Pass {
  if (scene.matrixWorldAutoUpdate) scene.updateMatrixWorld();
  camera.updateMatrixWorld();
  return withinRender(isSorted ? SORTING : NOT_SORTING, scene, camera, () => cameraPass(scene, camera, frustum));
}

/** The objects that a shadow pass draws, in order: without lights, orders of groups and sprites. */
export function shadowPass(scene: Object3D, shadowCamera: Camera, layers: Layers): Object3D[] {
  shadowCamera.updateMatrixWorld();
  return withinRender(SORTING, scene, shadowCamera, () => {
    const drawn: Object3D[] = [];
    cast(scene, frustumOf(shadowCamera), layers, (object) => {
      if (Object.hasOwn(object, 'onBeforeShadow')) (object as unknown as { onBeforeShadow(): void }).onBeforeShadow();
      drawn.push(object);
    });
    return drawn;
  });
}

/**
 * What a `WebGLRenderer` does for a picture, up to the drawing: the scene's callback, the camera's pass, and one for each
 * directional or spot light in it that casts. Tells what the camera draws, and what each of these into its shadow map.
 */
export function casterPasses(renderer: WebGLRenderer, scene: Scene, camera: Camera): Map<Object3D, Object3D[]> {
  if (scene.matrixWorldAutoUpdate) scene.updateMatrixWorld();
  camera.updateMatrixWorld();
  return withinRender(renderer, scene, camera, () => {
    const { lights, drawn: seen } = cameraPass(scene, camera, new Frustum());
    const casters = new Map<Object3D, Object3D[]>([[camera, seen.map(({ object }) => object)]]);
    for (const light of lights as DirectionalLight[]) {
      if (!light.castShadow) continue;
      const { shadow } = light;
      shadow.updateMatrices(light);
      const drawn: Object3D[] = [];
      intoShadowMap(renderer, () => cast(scene, shadow.getFrustum(), camera.layers, (object) => drawn.push(object)));
      casters.set(light, drawn);
    }
    return casters;
  });
}

/** Does something between the two callbacks of a scene, as a renderer does; after an exception the second does not come. */
export function withinRender<T>(renderer: object, scene: Object3D, camera: Camera, act: () => T): T {
  const isScene = (scene as Partial<Scene>).isScene === true;
  // Of a scene they have other arguments than their type says.
  const call = (name: 'onBeforeRender' | 'onAfterRender'): void =>
    (scene[name] as (...given: unknown[]) => void).call(scene, renderer, scene, camera, null);
  if (isScene) call('onBeforeRender');
  const result = act();
  if (isScene) call('onAfterRender');
  return result;
}

/** Texels of the map of a shadow from top to bottom. */
export const SHADOW_MAP = 512;

/** Does something while the render target is the map of a shadow, as `WebGLShadowMap` has made it. */
export function intoShadowMap(renderer: object, act: () => void): void {
  const target = { depthTexture: { name: 'sun.shadowMap' }, height: SHADOW_MAP };
  Object.assign(renderer, { getRenderTarget: () => target });
  try {
    act();
  } finally {
    Object.assign(renderer, { getRenderTarget: () => null });
  }
}

/** A camera's pass by itself, without the scene's callbacks around it. */
export function cameraPass(scene: Object3D, camera: Camera, frustum: Frustum): Pass {
  const pass: Pass = { drawn: [], lights: [] };
  const draw = (object: Object3D, groupOrder: number): void => {
    const { material } = object as unknown as Mesh;
    if ((material as Material).visible !== false) pass.drawn.push({ object, groupOrder });
  };
  project(scene, camera, frustumOf(camera, frustum), draw, (light) => pass.lights.push(light));
  return pass;
}

type Kind = { [flag in 'isGroup' | 'isLOD' | 'isLight' | 'isSprite' | 'isMesh' | 'isLine' | 'isPoints']?: boolean };
type Any = Object3D & Kind;
type Meet = ((object: Object3D) => void) | null;

/**
 * The walk of a camera's pass, as `projectObject` of `WebGLRenderer` has it.
 * @param draw Told of each object in view, and of the order of its group.
 * @param meet Told of all that the walk comes to.
 */
export function project(
  object: Any,
  camera: Camera,
  frustum: Frustum,
  draw: (object: Object3D, groupOrder: number) => void,
  light: (light: Object3D) => void,
  meet: Meet = null,
  groupOrder = 0,
): void {
  if (object.visible === false) return;
  meet?.(object);
  let order = groupOrder;
  if (object.layers.test(camera.layers)) {
    if (object.isGroup) order = object.renderOrder;
    else if (object.isLOD) {
      if ((object as unknown as LOD).autoUpdate) (object as unknown as LOD).update(camera);
    } else if (object.isLight) light(object);
    else if (object.isSprite || object.isMesh || object.isLine || object.isPoints) {
      if (!object.frustumCulled || object.intersectsFrustum(frustum)) draw(object, order);
    }
  }
  const { children } = object;
  for (let i = 0, l = children.length; i < l; i++) project(children[i], camera, frustum, draw, light, meet, order);
}

/** The walk of a shadow pass, as `renderObject` of `WebGLShadowMap` has it. */
export function cast(
  object: Any,
  frustum: Frustum,
  layers: Layers,
  draw: (object: Object3D) => void,
  meet: Meet = null,
): void {
  if (object.visible === false) return;
  meet?.(object);
  if (object.layers.test(layers) && (object.isMesh || object.isLine || object.isPoints)) {
    if (object.castShadow && (!object.frustumCulled || object.intersectsFrustum(frustum))) draw(object);
  }
  const { children } = object;
  for (let i = 0, l = children.length; i < l; i++) cast(children[i], frustum, layers, draw, meet);
}

/** The frustum, or frusta, by which a renderer culls for a camera. */
export function frustumOf(camera: Camera, frustum = new Frustum()): Frustum {
  if ((camera as ArrayCamera).isArrayCamera) {
    return new FrustumArray().setFromArrayCamera(camera as ArrayCamera) as unknown as Frustum;
  }
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  return frustum.setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
}
