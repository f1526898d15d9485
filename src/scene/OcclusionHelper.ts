import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  type Camera,
  DataTexture,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  PlaneGeometry,
  SRGBColorSpace,
  Vector3,
} from 'three';
import { BOX } from '../core/box.js';
import { inWords, type Ranges, readOptions } from '../core/options.js';
import { checkCamera } from './objects/checks.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';

/** Options of an {@link OcclusionHelper}. */
export interface OcclusionHelperOptions {
  /** Width and height of the picture, as a share of the view. From 0 to 1, default 0.3. */
  size?: number;
  /** The corner of the view in which the picture lies. Default 'bottomLeft'. */
  corner?: 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight';
  /** Opacity of the colour on hidden objects, 0 to 1. Default 0.4. */
  opacity?: number;
}

const DEFAULTS: Required<OcclusionHelperOptions> = { size: 0.3, corner: 'bottomLeft', opacity: 0.4 };
const SHARE = { min: 0, max: 1, whole: false };
const RANGES: Ranges = { size: SHARE, opacity: SHARE };
/** Which way each corner lies from the middle of the view. */
const CORNERS = { topLeft: [-1, 1], topRight: [1, 1], bottomLeft: [-1, -1], bottomRight: [1, -1] } as const;
/** Between the picture and the border of the view: a share of half its width. */
const MARGIN = 0.03;

/** Corners of a box, bit 1 for the upper end in x, 2 in y, 4 in z: its twelve edges, and its sides as triangles. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];
const SIDES = [
  0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6,
];

/**
 * Shows how occlusion culling saw the last picture of a camera.
 *
 * It has three parts, each of which may be hidden, put on other layers, or added to another scene: {@link picture} lies
 * over the view and shows the depth buffer, {@link occluders} outlines the meshes that were drawn into the buffer, and
 * {@link hidden} colours what was left out, to be seen by a second camera.
 *
 * Add it to the scene and call {@link update} once a frame. It is empty before the code has loaded, and while
 * `occlusion` pauses because it does not pay off. Indices do not follow helpers, so it neither hides others
 * nor is drawn in batches.
 *
 * @example
 * ```ts
 * import { accelerate, OcclusionHelper } from 'three-scene-index';
 *
 * const culled = accelerate(scene, { occlusion: true });
 * const helper = new OcclusionHelper(culled, camera);
 * scene.add(helper);
 * renderer.setAnimationLoop(() => {
 *   renderer.render(scene, camera);
 *   helper.update();
 * });
 * ```
 */
export class OcclusionHelper extends Object3D {
  /** Marks helpers, which no index follows. */
  readonly isSceneIndexHelper = true;
  /** The index whose occlusion is shown. */
  readonly index: SceneIndex;
  /** The camera whose pictures are shown. */
  readonly camera: Camera;
  /**
   * The depth buffer as colours, for any material of your own. Light is near, dark is far, and translucent black is
   * where nothing hides.
   */
  readonly texture: DataTexture;
  /** Shows {@link texture} in a corner of the camera's view. */
  readonly picture: Mesh<PlaneGeometry, MeshBasicMaterial>;
  /** Outlines what was drawn into the buffer. */
  readonly occluders: LineSegments<BufferGeometry, LineBasicMaterial>;
  /** Colours the bounds of what was hidden. */
  readonly hidden: Mesh<BufferGeometry, MeshBasicMaterial>;
  /** See {@link OcclusionHelperOptions.size}. */
  size: number;
  /** See {@link OcclusionHelperOptions.corner}. */
  corner: 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight';
  /** Meshes drawn into the buffer for the last picture. */
  occluderCount = 0;
  /** Objects that the last picture left out. */
  hiddenCount = 0;

  /**
   * @param index An index of a scene, accelerated or culled with `occlusion`.
   * @throws TypeError or RangeError for an invalid index, camera or options, Error for an index that was disposed.
   */
  constructor(index: SceneIndex, camera: Camera, options: OcclusionHelperOptions = {}) {
    partsOf(index, 'OcclusionHelper');
    checkCamera(camera, 'OcclusionHelper.camera');
    const { size, corner, opacity } = readOptions(options, DEFAULTS, 'OcclusionHelper', RANGES);
    if (!Object.hasOwn(CORNERS, corner)) {
      const corners = Object.keys(CORNERS).join(', ');
      throw new RangeError(`OcclusionHelper.corner: must be one of ${corners}, got ${inWords(corner)}`);
    }
    super();
    this.index = index;
    this.camera = camera;
    this.size = size;
    this.corner = corner;
    this.name = 'OcclusionHelper';
    this.texture = new DataTexture(new Uint8Array(4), 1, 1);
    this.texture.colorSpace = SRGBColorSpace;
    // It tests no depth, so that it lies over the view, and writes none: untested depths would end occlusion culling.
    const over = { transparent: true, depthTest: false, depthWrite: false, fog: false, toneMapped: false };
    this.picture = new Mesh(new PlaneGeometry(), new MeshBasicMaterial({ ...over, map: this.texture }));
    this.occluders = new LineSegments(boxes(EDGES), new LineBasicMaterial({ ...over, color: 0x4fd1bd }));
    this.hidden = new Mesh(
      boxes(SIDES),
      new MeshBasicMaterial({
        ...over,
        color: 0xff4f5e,
        opacity,
        depthTest: true,
        // Before the surface of what it colours.
        polygonOffset: true,
        polygonOffsetFactor: -1,
        polygonOffsetUnits: -1,
      }),
    );
    for (const part of [this.hidden, this.occluders, this.picture]) {
      part.frustumCulled = false;
      part.matrixAutoUpdate = false;
      part.matrixWorldAutoUpdate = false;
      part.raycast = () => {};
      // Last, in this order.
      part.renderOrder = 1e6 + this.children.length;
      Object.assign(part, { isSceneIndexHelper: true });
      this.add(part);
    }
    // A picture that turns with the camera is placed for each frame, wherever it lies in a scene.
    this.picture.updateMatrixWorld = () => this.#place();
    this.update();
  }

  /** Does nothing: raycasters do not hit helpers. */
  override raycast(): void {}

  /**
   * Shows the camera's last picture.
   * @throws Error if the index was disposed.
   */
  update(): void {
    const found = partsOf(this.index, 'OcclusionHelper.update').occlusion?.report.bufferOf(this.camera) ?? null;
    this.occluderCount = found?.occluders.length ?? 0;
    this.hiddenCount = found === null ? 0 : found.hidden.length / BOX;
    this.picture.geometry.setDrawRange(0, found === null ? 0 : Number.POSITIVE_INFINITY);
    if (found !== null) this.#paint(found);
    if (this.occluders.visible) this.#outline(found?.occluders ?? []);
    if (this.hidden.visible) this.#color(found?.hidden ?? NONE);
    this.#place();
  }

  /** Frees everything, and removes the helper and its parts from their parents. */
  override dispose(): void {
    this.removeFromParent();
    for (const part of [this.picture, this.occluders, this.hidden]) {
      part.removeFromParent();
      part.geometry.dispose();
      part.material.dispose();
    }
    this.texture.dispose();
    // Objects have a `dispose` since r186.
    super.dispose?.();
  }

  #paint({ width, height, near }: { width: number; height: number; near: Float32Array }): void {
    const { texture } = this;
    let data = texture.image.data as Uint8Array;
    if (texture.image.width !== width || texture.image.height !== height) {
      data = new Uint8Array(4 * width * height);
      // Graphics cards cannot change the size of a texture.
      texture.dispose();
      texture.image = { data, width, height };
    }
    const pixels = new Uint32Array(data.buffer);
    let most = 0;
    for (let i = 0; i < near.length; i++) if (near[i] > most) most = near[i];
    // Nearness falls off with distance: by its fourth root, what is ten times as far is about half as light.
    for (let i = 0; i < near.length; i++)
      pixels[i] = SHADES[Math.ceil(255 * Math.sqrt(Math.sqrt(near[i] / most))) || 0];
    texture.needsUpdate = true;
  }

  #outline(occluders: readonly { object: Object3D; world: ArrayLike<number> }[]): void {
    const geometry = roomFor(this.occluders, EDGES, occluders.length);
    occluders.forEach(({ object, world }, i) => {
      const { geometry: drawn } = object as Mesh;
      box.setFromBufferAttribute(drawn.attributes.position as BufferAttribute);
      putBox(geometry, i, [...box.min, ...box.max], 0, matrix.fromArray(world));
    });
    finish(geometry, EDGES, occluders.length);
  }

  #color(hidden: Float64Array): void {
    const count = hidden.length / BOX;
    const geometry = roomFor(this.hidden, SIDES, count);
    for (let i = 0; i < count; i++) putBox(geometry, i, hidden, BOX * i, null);
    finish(geometry, SIDES, count);
  }

  /** Puts the picture into its corner, as the camera stands now. */
  #place(): void {
    const { camera, picture, size, corner } = this;
    camera.updateWorldMatrix(true, false);
    const { elements: p } = camera.projectionMatrix;
    const { near = 0, far = 1 } = camera as { near?: number; far?: number };
    const isParallel = p[15] === 1;
    // Between the near and the far plane, near enough to be a speck in other views.
    const distance = isParallel ? near + (far - near) / 1024 : 2 * near;
    const w = isParallel ? 1 : distance;
    const [right, up] = CORNERS[corner];
    const x = right * (1 - size - MARGIN);
    const y = up * (1 - size - (MARGIN * p[5]) / p[0]);
    picture.matrix.makeScale((2 * size * w) / p[0], (2 * size * w) / p[5], 1);
    picture.matrix.setPosition(
      (x * w + p[8] * distance - p[12]) / p[0],
      (y * w + p[9] * distance - p[13]) / p[5],
      -distance,
    );
    picture.matrixWorld.multiplyMatrices(camera.matrixWorld, picture.matrix);
  }
}

const NONE = new Float64Array(0);
const VERTICES = 8;
const box = /* @__PURE__ */ new Box3();
const matrix = /* @__PURE__ */ new Matrix4();
const vertex = /* @__PURE__ */ new Vector3();

/** Colours by lightness, as they lie in memory; the first is that of nothing. */
const SHADES = /* @__PURE__ */ makeShades();

function makeShades(): Uint32Array {
  const bytes = new Uint8Array(4 * 256);
  for (let i = 0; i < 256; i++) bytes.set([i ** 2 / 255, i ** 1.35 / 255 ** 0.35, 40 + (215 * i) / 255, 255], 4 * i);
  bytes.set([0, 0, 0, 140], 0);
  return new Uint32Array(bytes.buffer);
}

/** A geometry of boxes, none of which is drawn yet. */
function boxes(pattern: readonly number[], capacity = 64): BufferGeometry {
  const index = new Uint32Array(pattern.length * capacity);
  for (let i = 0; i < index.length; i++) {
    index[i] = VERTICES * Math.floor(i / pattern.length) + pattern[i % pattern.length];
  }
  const geometry = new BufferGeometry().setIndex(new BufferAttribute(index, 1));
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * VERTICES * capacity), 3));
  geometry.setDrawRange(0, 0);
  return geometry;
}

/** The geometry of a part, with room for so many boxes: a larger one if need be, as attributes cannot grow. */
function roomFor(part: { geometry: BufferGeometry }, pattern: readonly number[], count: number): BufferGeometry {
  const capacity = part.geometry.attributes.position.count / VERTICES;
  if (count > capacity) {
    part.geometry.dispose();
    part.geometry = boxes(pattern, Math.max(count, 2 * capacity));
  }
  return part.geometry;
}

/** Writes the corners of a box as a matrix moves them; null moves nothing. */
function putBox(geometry: BufferGeometry, i: number, b: ArrayLike<number>, o: number, matrix: Matrix4 | null): void {
  const { array } = geometry.attributes.position;
  for (let corner = 0; corner < VERTICES; corner++) {
    vertex.set(b[o + (corner & 1 ? 3 : 0)], b[o + (corner & 2 ? 4 : 1)], b[o + (corner & 4 ? 5 : 2)]);
    if (matrix !== null) vertex.applyMatrix4(matrix);
    vertex.toArray(array, 3 * (VERTICES * i + corner));
  }
}

/** Has so many boxes drawn. */
function finish(geometry: BufferGeometry, pattern: readonly number[], count: number): void {
  const position = geometry.attributes.position as BufferAttribute;
  geometry.setDrawRange(0, pattern.length * count);
  position.clearUpdateRanges();
  position.addUpdateRange(0, 3 * VERTICES * count);
  position.needsUpdate = count > 0;
}
