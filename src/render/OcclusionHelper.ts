import {
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
  type Scene,
  SRGBColorSpace,
  WebGLCoordinateSystem,
} from 'three';
import { inWords, type Ranges, readOptions } from '../core/options.js';
import { type OcclusionSnapshot, occlusionReports } from '../passes/Pass.js';
import { updateCamera } from '../scene/ask/cameraViews.js';
import { geometryBounds } from '../scene/bounds/geometryBounds.js';
import { drawBoxes } from '../scene/drawBoxes.js';
import { checkCamera } from '../scene/objects/checks.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';

/** Options of an {@link OcclusionHelper}. */
export interface OcclusionHelperOptions {
  /** Width and height of the image, as a share of the view. From 0 to 1, default 0.3. */
  size?: number;
  /** The corner of the view in which the image lies. Default 'bottomLeft'. */
  corner?: 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight';
}

const DEPTH_DEFAULTS: Required<OcclusionHelperOptions> = { size: 0.3, corner: 'bottomLeft' };
const SIZE_RANGES: Ranges = { size: { min: 0, max: 1, whole: false } };
/** Direction of each corner from the middle of the view. */
const VIEW_CORNERS = { topLeft: [-1, 1], topRight: [1, 1], bottomLeft: [-1, -1], bottomRight: [1, -1] } as const;
/** Distance of the image from the border of the view: a share of half its width. */
const BORDER = 0.03;
/** Depth of the image, from near to far plane: near enough to be a speck in other views. */
const PLANE_DEPTH = 1 / 1024;

/**
 * Shows how occlusion culling saw the last picture of a camera.
 *
 * Each of its two parts may be hidden, put on other layers, or added to another scene. The {@link depths} lies over
 * the view and shows the depth buffer. The {@link occluders} outline the meshes in the buffer, for a second camera.
 *
 * Add the helper to the scene and call {@link update} once a frame. It is empty before the code has loaded, and while
 * `occlusion` pauses because it does not pay off. Indices do not follow helpers: it neither hides other objects nor is
 * drawn in batches.
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
  /** The depth buffer as colours, for your materials. Light is near, dark far; translucent black has no occluder. */
  readonly texture: DataTexture;
  /** Shows {@link texture} in a corner of the camera's view. */
  readonly depths: Mesh<PlaneGeometry, MeshBasicMaterial>;
  /** Outlines the meshes that were drawn into the buffer. */
  readonly occluders: LineSegments<BufferGeometry, LineBasicMaterial>;
  /** See {@link OcclusionHelperOptions.size}. */
  size: number;
  /** See {@link OcclusionHelperOptions.corner}. */
  corner: 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight';
  /** Number of meshes drawn into the buffer for the last picture. */
  occluderCount = 0;
  /** Objects that the last picture left out. */
  hidden: readonly Object3D[] = [];

  /**
   * @param index An index of an accelerated scene.
   * @throws TypeError or RangeError for an invalid index, camera or options, Error for an index that was disposed.
   */
  constructor(index: SceneIndex, camera: Camera, options: OcclusionHelperOptions = {}) {
    partsOf(index, 'OcclusionHelper');
    checkCamera(camera, 'OcclusionHelper.camera');
    const { size, corner } = readOptions(options, DEPTH_DEFAULTS, 'OcclusionHelper', SIZE_RANGES);
    if (!Object.hasOwn(VIEW_CORNERS, corner)) {
      const corners = Object.keys(VIEW_CORNERS).join(', ');
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
    // The materials test no depth, to lie over the view, and write none: untested depths would end occlusion culling.
    const over = { transparent: true, depthTest: false, depthWrite: false, fog: false, toneMapped: false };
    this.depths = new Mesh(new PlaneGeometry(), new MeshBasicMaterial({ ...over, map: this.texture }));
    this.occluders = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ ...over, color: 0x4fd1bd }));
    for (const part of [this.occluders, this.depths]) {
      part.frustumCulled = false;
      part.matrixAutoUpdate = false;
      part.matrixWorldAutoUpdate = false;
      part.raycast = () => {};
      // The parts are drawn last, in this order.
      part.renderOrder = 1e6 + this.children.length;
      Object.assign(part, { isSceneIndexHelper: true });
      this.add(part);
    }
    // The image turns with the camera, so each update of matrices makes its matrix anew.
    this.depths.updateMatrixWorld = () => this.#layOut();
    this.update();
  }

  /** Does nothing: raycasters do not hit helpers. */
  override raycast(): void {}

  /**
   * Shows the camera's last picture.
   * @throws Error if the index was disposed.
   */
  update(): void {
    const { root } = partsOf(this.index, 'OcclusionHelper.update').follower.hierarchy;
    const found = occlusionReports.get(root as Scene)?.bufferOf(this.camera) ?? null;
    this.occluderCount = found?.occluders.length ?? 0;
    this.hidden = found?.hidden ?? [];
    this.depths.geometry.setDrawRange(0, found === null ? 0 : Number.POSITIVE_INFINITY);
    if (found !== null) this.#paint(found);
    if (this.occluders.visible) this.#outline(found?.occluders ?? []);
    this.#layOut();
  }

  /** Frees all buffers and materials, and removes the helper and its parts from their parents. */
  override dispose(): void {
    this.removeFromParent();
    for (const part of [this.depths, this.occluders]) {
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
    // Nearness falls off with distance: by its fourth root a surface ten times as far is about half as light.
    for (let i = 0; i < near.length; i++)
      pixels[i] = SHADES[Math.ceil(255 * Math.sqrt(Math.sqrt(near[i] / most))) || 0];
    texture.needsUpdate = true;
  }

  #outline(occluders: OcclusionSnapshot['occluders']): void {
    const boxes = occluders.map(({ object, world }) => {
      const { min, max } = geometryBounds((object as Mesh).geometry);
      return { box: [...min, ...max], matrix: new Matrix4().fromArray(world), color: null };
    });
    drawBoxes(this.occluders, boxes);
  }

  #layOut(): void {
    const { camera, depths, size, corner } = this;
    updateCamera(camera);
    const { coordinateSystem, reversedDepth } = camera;
    const { matrix, matrixWorld } = depths;
    const { elements: e } = matrixWorld.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const aspect = Math.hypot(e[1], e[5], e[9]) / Math.hypot(e[0], e[4], e[8]);
    const [right, up] = VIEW_CORNERS[corner];
    const [near, far] = reversedDepth ? [1, 0] : [coordinateSystem === WebGLCoordinateSystem ? -1 : 0, 1];
    matrix.makeScale(2 * size, 2 * size, 0);
    matrix.setPosition(
      right * (1 - size - BORDER),
      up * (1 - size - BORDER * aspect),
      near + (far - near) * PLANE_DEPTH,
    );
    matrixWorld.invert().multiply(matrix);
    matrixWorld.multiplyScalar(1 / e[15]);
  }
}

/** Colours by lightness, as they lie in memory; the first marks pixels without an occluder. */
const SHADES = /* @__PURE__ */ makeShades();

function makeShades(): Uint32Array {
  const bytes = new Uint8Array(4 * 256);
  for (let i = 0; i < 256; i++) bytes.set([i ** 2 / 255, i ** 1.35 / 255 ** 0.35, 40 + (215 * i) / 255, 255], 4 * i);
  bytes.set([0, 0, 0, 140], 0);
  return new Uint32Array(bytes.buffer);
}
