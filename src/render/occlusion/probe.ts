import {
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  RenderTarget,
  Scene,
  type WebGLRenderer,
} from 'three';
import { getOrMake } from '../../core/arrays.js';
import { describeError } from '../../scene/objects/checks.js';

/** Whether the rasteriser of a renderer takes the depth of each sample at the sample, as far as known. */
type SampleDepths = 'right' | 'wrong' | 'unknown';

/** Cells of the probe in each direction. */
const PROBE_CELLS = 8;
/** Pixels along a side of a cell: pixel rows of the probe then have 256 bytes, as WebGPU copies them. */
const CELL_PIXELS = 4;
const PROBE_HEIGHT = PROBE_CELLS * CELL_PIXELS;
const PROBE_WIDTH = 2 * PROBE_HEIGHT;
/** The width of a sliver in pixels. */
const SLIVER = 0.35;
/** The depth that a sliver gains per pixel. */
const SLOPE = 0.1;
/** How far behind the wall a sliver begins. */
const BEHIND = 1e-4;
/** Least pixels with slivers in a valid probe: with four samples slivers cover a good part of all pixels. */
const LEAST_SEEN = 64;

/** The last probe of a renderer: unknown while in progress, and after an error, whose text it keeps. */
interface Probe {
  depths: SampleDepths;
  failure: string | null;
  /** Resolves to whether depths are right; null while no probe is in progress. */
  underWay: Promise<boolean> | null;
}

const probes = new WeakMap<object, Probe>();

/**
 * Tells what is known of where a renderer's rasteriser takes depths. The first call starts a probe, between pictures.
 *
 * With several samples a pixel, the depth of a triangle is to be taken at each sample that it covers. Some rasterisers
 * take it elsewhere in the pixel, beyond the triangle: objects behind a steep wall show through at its edges
 * (SwiftShader mirrors the positions of samples). Being behind a wall does not hide objects there.
 */
export function sampleDepthsOf(renderer: object): Readonly<Probe> {
  return getOrMake(probes, renderer, () => {
    const probe: Probe = { depths: 'unknown', failure: null, underWay: null };
    probe.underWay = findDepths(renderer as WebGLRenderer, probe);
    return probe;
  });
}

/** Resolves to whether the probe of a renderer finds depths right; null if no probe is in progress. */
export function probeOf(renderer: object): Promise<boolean> | null {
  return probes.get(renderer)?.underWay ?? null;
}

async function findDepths(renderer: WebGLRenderer, probe: Probe): Promise<boolean> {
  // The picture in progress ends first.
  await null;
  try {
    probe.depths = judge(await readback(renderer));
  } catch (error) {
    // After a lost context, or without reading of pixels, depths stay unknown, and `explain` says so.
    probe.failure = describeError(error);
  }
  probe.underWay = null;
  renderer.domElement?.addEventListener?.('webglcontextrestored', () => probes.delete(renderer), { once: true });
  return probe.depths === 'right';
}

/** Judges pixels: slivers in the left half lie behind a black wall; the right half shows that slivers can be seen. */
function judge(pixels: ArrayLike<number>): SampleDepths {
  const seen = [0, 0];
  for (let i = 0; i < PROBE_WIDTH * PROBE_HEIGHT; i++)
    if (pixels[4 * i] !== 0) seen[i % PROBE_WIDTH < PROBE_HEIGHT ? 0 : 1]++;
  if (seen[1] < LEAST_SEEN) return 'unknown';
  return seen[0] === 0 ? 'right' : 'wrong';
}

/** Draws the probe into a target of its own, and leaves the renderer as it was. */
async function readback(renderer: WebGLRenderer): Promise<ArrayLike<number>> {
  const scene = probeScene();
  const camera = new OrthographicCamera(0, PROBE_WIDTH, PROBE_HEIGHT, 0, -1, 1);
  // `WebGLRenderTarget` differs by this flag alone, and is not in builds without `WebGLRenderer`.
  const target = Object.assign(new RenderTarget(PROBE_WIDTH, PROBE_HEIGHT, { samples: 4 }), {
    isWebGLRenderTarget: true,
  });
  const restore = putAside(renderer);
  try {
    renderer.setRenderTarget(target as never);
    renderer.render(scene, camera);
  } finally {
    restore();
  }
  try {
    return await pixelsOf(renderer, target);
  } finally {
    target.dispose();
    for (const { geometry, material } of scene.children as Mesh<BufferGeometry, MeshBasicMaterial>[]) {
      geometry.dispose();
      material.dispose();
    }
  }
}

function pixelsOf(renderer: WebGLRenderer, target: RenderTarget): Promise<ArrayLike<number>> {
  const area = [target as never, 0, 0, PROBE_WIDTH, PROBE_HEIGHT] as const;
  if ((renderer as { isWebGLRenderer?: boolean }).isWebGLRenderer === true)
    return renderer.readRenderTargetPixelsAsync(...area, new Uint8Array(4 * PROBE_WIDTH * PROBE_HEIGHT));
  // WebGPURenderer takes the number of a texture there, and returns an array of its own.
  return (renderer as unknown as NodeRenderer).readRenderTargetPixelsAsync(...area);
}

/** Sets the renderer's state for the probe; returns a function that restores it. */
function putAside(renderer: WebGLRenderer): () => void {
  const target = renderer.getRenderTarget();
  const face = renderer.getActiveCubeFace();
  const mipmap = renderer.getActiveMipmapLevel();
  const { autoClear, clippingPlanes } = renderer;
  const drawn = { ...renderer.info.render };
  const isXrEnabled = renderer.xr?.enabled;
  const ofNodes = renderer as unknown as Partial<NodeRenderer>;
  const mrt = ofNodes.getMRT?.() ?? null;
  const draw = ofNodes.getRenderObjectFunction?.() ?? null;
  renderer.autoClear = true;
  if (clippingPlanes !== undefined) renderer.clippingPlanes = [];
  if (renderer.xr) renderer.xr.enabled = false;
  ofNodes.setMRT?.(null);
  ofNodes.setRenderObjectFunction?.(null);
  return () => {
    renderer.autoClear = autoClear;
    if (clippingPlanes !== undefined) renderer.clippingPlanes = clippingPlanes;
    if (renderer.xr) renderer.xr.enabled = isXrEnabled;
    ofNodes.setMRT?.(mrt);
    ofNodes.setRenderObjectFunction?.(draw);
    renderer.setRenderTarget(target, face, mipmap);
    Object.assign(renderer.info.render, drawn);
  };
}

interface NodeRenderer {
  getMRT(): unknown;
  setMRT(mrt: unknown): void;
  getRenderObjectFunction(): unknown;
  setRenderObjectFunction(draw: unknown): void;
  readRenderTargetPixelsAsync(target: never, x: number, y: number, w: number, h: number): Promise<ArrayLike<number>>;
}

function probeScene(): Scene {
  const scene = new Scene();
  scene.background = new Color(0);
  const slivers: number[] = [];
  for (let cell = 0; cell < PROBE_CELLS * PROBE_CELLS; cell++)
    for (const half of [0, PROBE_HEIGHT]) addSliver(cell, half, slivers);
  scene.add(rectangles(0xffffff, slivers));
  const wall = PROBE_CORNERS.flatMap(([x, y]) => [x * PROBE_HEIGHT, y * PROBE_HEIGHT, 0]);
  return scene.add(rectangles(0, wall));
}

/** Adds a strip through a cell, upright or horizontal, that rises to one side and begins at some fraction of a pixel. */
function addSliver(cell: number, half: number, out: number[]): void {
  const kind = cell % 4;
  const from = 1 + Math.floor(cell / 4) / 16;
  const left = half + CELL_PIXELS * (cell % PROBE_CELLS);
  const bottom = CELL_PIXELS * Math.floor(cell / PROBE_CELLS);
  const depths = [-BEHIND, -BEHIND - SLOPE * SLIVER];
  if (kind % 2 === 1) depths.reverse();
  for (const [across, along] of PROBE_CORNERS) {
    const a = from + across * SLIVER;
    const b = along * CELL_PIXELS;
    const [x, y] = kind < 2 ? [a, b] : [b, a];
    out.push(left + x, bottom + y, depths[across]);
  }
}

const PROBE_CORNERS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
  [1, 1],
  [0, 1],
] as const;

function rectangles(color: number, corners: number[]): Mesh {
  const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(corners, 3));
  // Both sides are drawn, as horizontal strips have the other winding.
  const material = new MeshBasicMaterial({ color, side: 2, toneMapped: false, fog: false });
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  return mesh;
}
