import * as THREE from 'three';
import { cast, frustumOf, intoShadowMap, project } from '../../helpers/passes.js';
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
    const light = (one: THREE.Object3D): void => {
      picture.lights.push(one);
      if (one.castShadow) picture.shadows.push(one);
    };
    const draw = (object: THREE.Object3D, order: number): void => this.#list(object as Any, order, camera, picture);
    project(scene, camera, frustumOf(camera), draw, light, this.onMeet);
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

  #list(object: Any, order: number, camera: THREE.Camera, picture: Picture): void {
    if (!object.isSprite) this.#draw(object, order, camera, picture);
    else {
      if (this.sortObjects) this.#position.setFromMatrixPosition(object.matrixWorld).applyMatrix4(this.#projection);
      this.#push(object, object.material as THREE.Material, null, order, camera, picture);
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
    const draw = (object: Any): void => {
      const { geometry, material } = object;
      if (Array.isArray(material)) {
        for (const group of geometry?.groups ?? []) {
          if (material[group.materialIndex as number]?.visible) casters.push({ object, group });
        }
      } else if (material?.visible) casters.push({ object, group: null });
    };
    intoShadowMap(this, () => cast(scene, frustum, layers, draw, this.onMeet));
    return casters;
  }
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
