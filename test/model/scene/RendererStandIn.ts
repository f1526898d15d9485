import * as THREE from 'three';
import { intoShadowMap } from '../../helpers/passes.js';
import type { Any } from './Side.js';

/** What a renderer has put on its list. */
export interface Item {
  object: THREE.Object3D;
  material: THREE.Material;
  group: object | null;
  groupOrder: number;
  renderOrder: number;
  z: number;
}

export interface Picture {
  opaque: Item[];
  transmissive: Item[];
  transparent: Item[];
  lights: THREE.Object3D[];
  shadows: THREE.Object3D[];
}

/** What is drawn into a shadow map: an object, and the part of its geometry. */
export interface Caster {
  object: THREE.Object3D;
  group: object | null;
}

/** Pixels in a row, and rows, of its pictures. */
export const PIXELS = 192;

/**
 * Walks as a `WebGLRenderer` of r187 does, and notes what it would draw: `projectObject` and its list, sorted as it is, and
 * `renderObject` of `WebGLShadowMap`, line by line. Nothing here knows of an index.
 */
export class RendererStandIn {
  readonly isWebGLRenderer = true;
  readonly shadowMap = { autoUpdate: true, needsUpdate: false, type: 1 };
  readonly clippingPlanes: readonly THREE.Plane[] = [];
  sortObjects = true;
  /** Told of every object that a walk comes to. */
  onMeet: ((object: THREE.Object3D) => void) | null = null;
  readonly #projection = new THREE.Matrix4();
  readonly #position = new THREE.Vector4();

  getRenderTarget(): null {
    return null;
  }

  getCurrentViewport(out: THREE.Vector4): THREE.Vector4 {
    return out.set(0, 0, PIXELS, PIXELS);
  }

  /** The view of a camera; the scene's matrices are up to date. */
  view(scene: THREE.Object3D, camera: THREE.Camera): Picture {
    if (camera.parent === null && camera.matrixWorldAutoUpdate) camera.updateMatrixWorld();
    const given = [this as unknown as THREE.WebGLRenderer, scene, camera, null] as unknown;
    if ((scene as Any).isScene) (scene.onBeforeRender as (...all: unknown[]) => void).apply(scene, given as unknown[]);
    this.#projection.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const picture: Picture = { opaque: [], transmissive: [], transparent: [], lights: [], shadows: [] };
    this.#project(scene as Any, camera, frustumOf(camera), 0, picture);
    if (this.sortObjects) {
      picture.opaque.sort(byMaterial);
      picture.transmissive.sort(byDistance);
      picture.transparent.sort(byDistance);
    }
    return picture;
  }

  /** Ends the picture that a view began; the passes for shadows come in between. */
  finish(scene: THREE.Object3D, camera: THREE.Camera): void {
    const given = [this as unknown as THREE.WebGLRenderer, scene, camera] as unknown;
    if ((scene as Any).isScene) (scene.onAfterRender as (...all: unknown[]) => void).apply(scene, given as unknown[]);
  }

  #project(object: Any, camera: THREE.Camera, frustum: THREE.Frustum, groupOrder: number, picture: Picture): void {
    if (object.visible === false) return;
    this.onMeet?.(object);
    let order = groupOrder;
    if (object.layers.test(camera.layers)) {
      if (object.isGroup) order = object.renderOrder;
      else if (object.isLOD) {
        if ((object as unknown as THREE.LOD).autoUpdate) (object as unknown as THREE.LOD).update(camera);
      } else if (object.isLight) {
        picture.lights.push(object);
        if (object.castShadow) picture.shadows.push(object);
      } else if (object.isSprite) {
        if (!object.frustumCulled || object.intersectsFrustum(frustum)) {
          if (this.sortObjects) this.#position.setFromMatrixPosition(object.matrixWorld).applyMatrix4(this.#projection);
          this.#push(object, object.material as THREE.Material, null, order, camera, picture);
        }
      } else if (object.isMesh || object.isLine || object.isPoints) {
        if (!object.frustumCulled || object.intersectsFrustum(frustum)) this.#draw(object, order, camera, picture);
      }
    }
    const { children } = object;
    for (let i = 0, l = children.length; i < l; i++) {
      this.#project(children[i] as Any, camera, frustum, order, picture);
    }
  }

  #draw(object: Any, order: number, camera: THREE.Camera, picture: Picture): void {
    const { geometry, material } = object;
    if (!geometry || !material) return;
    if (this.sortObjects) {
      const holder = object.boundingSphere !== undefined ? (object as unknown as typeof geometry) : geometry;
      if (holder.boundingSphere === null) holder.computeBoundingSphere();
      const { x, y, z } = (holder.boundingSphere as NonNullable<typeof holder.boundingSphere>).center;
      this.#position.set(x, y, z, 1).applyMatrix4(object.matrixWorld).applyMatrix4(this.#projection);
    }
    if (!Array.isArray(material)) {
      this.#push(object, material, null, order, camera, picture);
      return;
    }
    for (const group of geometry.groups) {
      const part = material[group.materialIndex as number];
      if (part) this.#push(object, part, group, order, camera, picture);
    }
  }

  #push(
    object: THREE.Object3D,
    material: THREE.Material,
    group: object | null,
    groupOrder: number,
    camera: THREE.Camera,
    picture: Picture,
  ): void {
    if (!material.visible) return;
    const z = camera.reversedDepth ? -this.#position.z : this.#position.z;
    const item = { object, material, group, groupOrder, renderOrder: object.renderOrder, z };
    if ((material as { transmission?: number }).transmission) picture.transmissive.push(item);
    else if (material.transparent) picture.transparent.push(item);
    else picture.opaque.push(item);
  }

  /** What comes into a shadow map. */
  shadow(scene: THREE.Object3D, frustum: THREE.Frustum, layers: THREE.Layers): Caster[] {
    const casters: Caster[] = [];
    intoShadowMap(this, () => this.#cast(scene as Any, frustum, layers, casters));
    return casters;
  }

  #cast(object: Any, frustum: THREE.Frustum, layers: THREE.Layers, casters: Caster[]): void {
    if (object.visible === false) return;
    this.onMeet?.(object);
    if (object.layers.test(layers) && (object.isMesh || object.isLine || object.isPoints)) {
      if (object.castShadow && (!object.frustumCulled || object.intersectsFrustum(frustum))) {
        const { geometry, material } = object;
        if (Array.isArray(material)) {
          for (const group of geometry?.groups ?? []) {
            if (material[group.materialIndex as number]?.visible) casters.push({ object, group });
          }
        } else if (material?.visible) casters.push({ object, group: null });
      }
    }
    const { children } = object;
    for (let i = 0, l = children.length; i < l; i++) this.#cast(children[i] as Any, frustum, layers, casters);
  }
}

/** The frustum, or frusta, by which a renderer culls for a camera. */
export function frustumOf(camera: THREE.Camera): THREE.Frustum {
  if ((camera as THREE.ArrayCamera).isArrayCamera) {
    return new THREE.FrustumArray().setFromArrayCamera(camera as THREE.ArrayCamera) as unknown as THREE.Frustum;
  }
  const matrix = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  return new THREE.Frustum().setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
}

function byMaterial(a: Item, b: Item): number {
  return (
    a.groupOrder - b.groupOrder ||
    a.renderOrder - b.renderOrder ||
    a.material.id - b.material.id ||
    variantOf(a.object) - variantOf(b.object) ||
    a.z - b.z ||
    a.object.id - b.object.id
  );
}

function byDistance(a: Item, b: Item): number {
  return a.groupOrder - b.groupOrder || a.renderOrder - b.renderOrder || b.z - a.z || a.object.id - b.object.id;
}

function variantOf(object: Any): number {
  return (object.isInstancedMesh ? 2 : 0) + (object.isSkinnedMesh ? 1 : 0);
}
