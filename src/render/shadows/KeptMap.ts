import {
  type Camera,
  type DirectionalLight,
  Frustum,
  Matrix4,
  PerspectiveCamera,
  type PointLight,
  type RenderTarget,
  Vector3,
  VSMShadowMap,
  type WebGLRenderer,
} from 'three';
import { EMPTY_ARRAY } from '../../core/arrays.js';
import { type IdList, IdSet } from '../../core/ids.js';
import { PlanesVolume } from '../../core/shapes/PlanesVolume.js';
import { flattenPlanes } from '../../scene/ask/cameraViews.js';
import { LastValues } from '../../scene/facts/LastValues.js';
import { CASTS, RECEIVES } from './CasterFacts.js';
import { DepthLayer } from './DepthLayer.js';

/** A light with a shadow, as three draws it. */
export type CastingLight = DirectionalLight | (PointLight & { readonly isPointLight: true });

/** A shadow map that is drawn in one pass, or one of the six sides of a point light's map. */
export class Face {
  readonly #number: number;
  readonly volume: PlanesVolume = new PlanesVolume();
  readonly planes: Float64Array = new Float64Array(24);
  /** Entries that lie in the face, casters or not; null until they are known. */
  inside: IdSet | null = null;
  layer: DepthLayer | null = null;
  /** Casters that lie in the layer; null for none. */
  layered: IdSet | null = null;
  /** Number of casters in the layer when it was drawn. */
  inLayer = 0;
  isStale = false;

  /** @param number Number of the face, in three's order. */
  constructor(number: number) {
    this.#number = number;
  }

  /** Returns a layer that fits a map; null when there can be none. */
  takeLayer(renderer: WebGLRenderer, map: RenderTarget): DepthLayer | null {
    if (this.layer?.fits(map) === false) {
      this.layer.dispose();
      this.layer = null;
    }
    this.layer ??= DepthLayer.of(renderer, map);
    return this.layer;
  }

  /** Notes the casters that are drawn into the layer now. */
  fill(ids: IdList): void {
    this.layered = new IdSet();
    this.layered.addAll(ids);
    this.inLayer = ids.length;
  }

  /** Forgets the casters in the layer; false when there are none. */
  takeLayered(): boolean {
    const { layered } = this;
    this.layered = null;
    return layered !== null;
  }

  /** Reads the planes of the face, as three is about to draw it. */
  readPlanes(light: CastingLight): void {
    const frustum = 'isPointLight' in light ? cubeFrustum(light, this.#number) : light.shadow.getFrustum();
    flattenPlanes(frustum.planes, this.planes);
    this.volume.set(this.planes, 'accelerate.keepShadows');
  }

  /** Forgets the entries in the face; its layer stays, to be drawn anew. */
  forget(): void {
    this.inside = this.layered = null;
  }
}

/** The shadow map of a light, as a renderer has drawn it. */
export class KeptMap {
  /** Number of the caster changes that the map shows. */
  changes = 0;
  /** The map was drawn with batches, which round depths in their own way. */
  isBatched = false;
  /** Number of times that the map was drawn by the present key. */
  drawn = 0;
  /** Number of pictures in a row in which the map was not drawn. */
  kept = 0;
  /** The reason for the last draw, in words. */
  because: string = DRAWN_ANEW;
  /** Number of casters that came out of a layer in the last draw. */
  fromLayers = 0;
  faces: readonly Face[] = [];
  readonly #key = new LastValues();
  #map: RenderTarget | null = null;
  #depth: RenderTarget['depthTexture'] = null;

  readonly forget = (): void => {
    this.drawn = 0;
    this.because = DRAWN_ANEW;
    for (const face of this.faces) {
      face.forget();
      face.layer?.dispose();
      face.layer = null;
    }
  };

  /** The way the map was drawn in the last picture, in words. */
  get last(): string {
    if (this.kept > 0) return `kept for ${this.kept} ${this.kept === 1 ? 'picture' : 'pictures'}`;
    const bytes = this.faces.reduce((sum, { layer }) => sum + (layer?.bytes ?? 0), 0);
    const layers = `; ${this.fromLayers} casters came from a layer (${Math.ceil(bytes / 2 ** 20)} MB)`;
    return `drawn anew, as ${this.because}${this.fromLayers > 0 ? layers : ''}`;
  }

  /** Compares all sources of the map except casters; true when they are as they were when the map was drawn. */
  takeSameKey(light: CastingLight, camera: Camera, renderer: WebGLRenderer): boolean {
    const { shadow } = light;
    const { map, mapSize } = shadow;
    const { type } = renderer.shadowMap;
    // Same rule as three's: the layers of the render's camera, unless the shadow's camera has layers beyond the first.
    const { mask } = (shadow.camera.layers.mask & ~1) !== 0 ? shadow.camera.layers : camera.layers;
    const key = this.#key.beginRow();
    key.compareAll([mask, type, mapSize.x, mapSize.y, map?.width as number, map?.height as number]);
    key.compare(map);
    key.compare(map?.depthTexture);
    key.compare(renderer.localClippingEnabled);
    key.compare(renderer.state.buffers.depth.getReversed());
    // A restored context has new properties.
    key.compare(renderer.properties);
    key.compareAll(type === VSMShadowMap ? [shadow.radius, shadow.blurSamples] : EMPTY_ARRAY);
    if ('isPointLight' in light) comparePoint(light, key);
    else compareViews(light, camera, key);
    if (key.takeSame()) return this.drawn > 0;
    this.#setFaces('isPointLight' in light ? 6 : 1);
    this.drawn = 0;
    this.because = 'the light or its map changed';
    return false;
  }

  #setFaces(count: number): void {
    if (this.faces.length !== count) {
      this.forget();
      this.faces = Array.from({ length: count }, (_, i) => new Face(i));
    }
    for (const face of this.faces) face.forget();
  }

  rememberDrawn(map: RenderTarget, isBatched: boolean): void {
    this.isBatched = isBatched;
    this.drawn++;
    this.kept = 0;
    this.fromLayers = 0;
    this.#watch(map);
  }

  /** Frees layers with the map, or with its depths. */
  #watch(map: RenderTarget): void {
    const depth = map.depthTexture;
    if (map === this.#map && depth === this.#depth) return;
    this.#map?.removeEventListener('dispose', this.forget);
    this.#depth?.removeEventListener('dispose', this.forget);
    this.#map = map;
    this.#depth = depth;
    map.addEventListener('dispose', this.forget);
    depth?.addEventListener('dispose', this.forget);
  }
}

/** Bits of the entries that are drawn into maps. */
export function castingBits({ shadowMap }: WebGLRenderer): number {
  return shadowMap.type === VSMShadowMap ? CASTS | RECEIVES : CASTS;
}

const DRAWN_ANEW = 'it was to be drawn anew';

/** Compares the shadow matrices of a light other than a point light, made as three is about to make them. */
function compareViews(light: DirectionalLight, camera: Camera, key: LastValues): void {
  const { shadow } = light;
  (shadow.updateMatrices as (light: DirectionalLight, camera: Camera) => void)(light, camera);
  const { matrixWorldInverse, projectionMatrix } = shadow.camera;
  key.compareAll(matrixWorldInverse.elements);
  key.compareAll(projectionMatrix.elements);
}

function comparePoint({ shadow, distance, matrixWorld: { elements: e } }: PointLight, key: LastValues): void {
  const camera = shadow.camera as PerspectiveCamera;
  const far = distance || camera.far;
  if (far !== camera.far) {
    camera.far = far;
    camera.updateProjectionMatrix();
  }
  key.compareAll([e[12], e[13], e[14], camera.near, camera.far]);
  key.compareAll(camera.projectionMatrix.elements);
}

/** Directions of the faces of a cube, and the up direction of each (three r187, WebGLShadowMap). */
const [X, Y, Z] = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
const [LEFT, DOWN, BACK] = [X, Y, Z].map((way) => way.clone().negate());
const LOOKS = [X, LEFT, Y, DOWN, Z, BACK];
const UPS = [DOWN, DOWN, Z, BACK, DOWN, DOWN];

const eye = /* @__PURE__ */ new PerspectiveCamera();
const both = /* @__PURE__ */ new Matrix4();
const target = /* @__PURE__ */ new Vector3();
const frustum = /* @__PURE__ */ new Frustum();

/** The frustum of a face, valid until the next call. */
function cubeFrustum({ shadow, matrixWorld }: PointLight, face: number): Frustum {
  const { projectionMatrix, coordinateSystem, reversedDepth } = shadow.camera;
  eye.position.setFromMatrixPosition(matrixWorld);
  eye.up.copy(UPS[face]);
  eye.lookAt(target.addVectors(eye.position, LOOKS[face]));
  eye.updateMatrixWorld();
  both.multiplyMatrices(projectionMatrix, eye.matrixWorldInverse);
  return frustum.setFromProjectionMatrix(both, coordinateSystem, reversedDepth);
}
