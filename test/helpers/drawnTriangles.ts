import {
  type BatchedMesh,
  type BufferAttribute,
  type BufferGeometry,
  type Camera,
  Color,
  Layers,
  type Material,
  Matrix4,
  type Mesh,
  type Scene,
  Vector3,
} from 'three';
import type { Card } from './Card.js';
import { cameraPass, cast, type Drawn, frustumOf, intoShadowMap, withinRender } from './passes.js';

/** What a picture draws: each triangle as a line of text, sorted, and how many draw calls the main pass takes. */
export interface Triangles {
  readonly main: readonly string[];
  readonly shadow: readonly string[];
  readonly calls: number;
}

type Lists = BatchedMesh & {
  _multiDrawStarts: Int32Array;
  _multiDrawCounts: Int32Array;
  _multiDrawCount: number;
  _multiDrawBytesPerElement: number;
  _indirectTexture: { image: { data: Uint32Array } };
  _matricesTexture: { image: { data: Float32Array } };
  _colorsTexture: { image: { data: Float32Array } } | null;
};
type Painted = Material & { color?: Color; emissive?: Color };
type Renderable = Drawn & { object: Mesh };

const renderer = { isWebGLRenderer: true, sortObjects: true };

/**
 * A picture with a shadow by `WebGLRenderer`, without a graphics card: the passes list, then batches are asked for their
 * draws, as three's renderer asks them.
 * @param sun The camera of the light.
 * @param within Done once the picture is listed.
 * @param by What stands in for the renderer. With a `card` the picture is of what that has of positions and indices.
 */
export function drawnTriangles(
  scene: Scene,
  camera: Camera,
  sun: Camera,
  within: () => void = () => {},
  by: object = renderer,
): Triangles {
  return withinRender(by, scene, camera, () => passes(scene, camera, sun, within, by));
}

/** The same as plain three draws it, whatever is done to the scene's passes. */
export function plainTriangles(scene: Scene, camera: Camera, sun: Camera): Triangles {
  // Whoever tests the layers of the scene itself is taken for a pass of a renderer.
  const walked = Object.create(scene, { children: { value: [...scene.children] }, layers: { value: new Layers() } });
  return passes(walked as Scene, camera, sun, () => {}, renderer);
}

function passes(scene: Scene, camera: Camera, sun: Camera, within: () => void, by: object): Triangles {
  const { drawn } = cameraPass(scene, camera, frustumOf(camera));
  within();
  const shadow: string[] = [];
  intoShadowMap(by, () => casters(scene, camera, sun, shadow, by));
  const main: string[] = [];
  let calls = 0;
  for (const { object, groupOrder } of drawn as Renderable[]) {
    for (const group of groupsOf(object)) {
      const used = materialOf(object, group);
      if (!used?.visible) continue;
      calls++;
      object.onBeforeRender(by as never, scene, camera, object.geometry, used, group as never);
      const key = [groupOrder, object.renderOrder, object.receiveShadow, used.type, used.side].join(' ');
      for (const triangle of trianglesOf(object, used, group, cardOf(by))) main.push(`${key} ${triangle}`);
    }
  }
  return { main: main.sort(), shadow: shadow.sort(), calls };
}

function casters(scene: Scene, camera: Camera, sun: Camera, out: string[], by: object): void {
  cast(scene, frustumOf(sun), camera.layers, (object) => {
    const mesh = object as Mesh;
    for (const group of mesh.isMesh ? groupsOf(mesh) : []) {
      const used = materialOf(mesh, group);
      if (!used?.visible) continue;
      mesh.onBeforeShadow(by as never, mesh as never, camera, sun, mesh.geometry, used, group as never);
      for (const triangle of trianglesOf(mesh, null, group, cardOf(by))) out.push(triangle);
    }
  });
}

const cardOf = (by: object): Card | undefined => (by as { card?: Card }).card;

interface Group {
  readonly start: number;
  readonly count: number;
  readonly materialIndex?: number | undefined;
}

const ALL: readonly Group[] = [{ start: 0, count: Number.POSITIVE_INFINITY }];

function materialOf({ material }: Mesh, { materialIndex = 0 }: Group): Material | undefined {
  return Array.isArray(material) ? material[materialIndex] : material;
}

function groupsOf({ material, geometry }: Mesh): readonly Group[] {
  return Array.isArray(material) ? geometry.groups : ALL;
}

function trianglesOf(mesh: Mesh, material: Painted | null, { start, count }: Group, card?: Card): string[] {
  const { geometry } = mesh;
  const lists = mesh as Mesh as Lists;
  const isFlipped = mesh.matrixWorld.determinant() < 0;
  const lines: string[] = [];
  const draw = (first: number, length: number, matrix: Matrix4, tint: Color): void => {
    const paint = material === null ? '' : inWords(material, tint);
    for (let i = first; i + 2 < first + length; i += 3) {
      const corners = [i, i + 1, i + 2].map((at) => cornerOf(geometry, at, matrix, card));
      lines.push(`${paint} ${isFlipped} ${corners.join(' ')}`);
    }
  };
  if (!lists.isBatchedMesh) {
    const { drawRange } = geometry;
    const end = Math.min(start + count, drawRange.start + drawRange.count, numbersOf(geometry));
    const first = Math.max(start, drawRange.start);
    draw(first, end - first, mesh.matrixWorld, new Color(1, 1, 1));
    return lines;
  }
  for (let i = 0; i < lists._multiDrawCount; i++) {
    const slot = lists._indirectTexture.image.data[i];
    const local = new Matrix4().fromArray(lists._matricesTexture.image.data, 16 * slot);
    const tint = new Color(1, 1, 1);
    if (lists._colorsTexture !== null) tint.fromArray(lists._colorsTexture.image.data, 4 * slot);
    const first = lists._multiDrawStarts[i] / (geometry.index === null ? 1 : lists._multiDrawBytesPerElement);
    draw(first, lists._multiDrawCounts[i], local.premultiply(mesh.matrixWorld), tint);
  }
  return lines;
}

function numbersOf({ index, attributes }: BufferGeometry): number {
  return (index ?? attributes.position).count;
}

function cornerOf(
  { index, attributes: { position } }: BufferGeometry,
  at: number,
  matrix: Matrix4,
  card?: Card,
): string {
  const vertex = index === null ? at : (card?.read(index)[at] ?? index.getX(at));
  if (card === undefined) corner.fromBufferAttribute(position, vertex);
  else corner.fromArray(card.read(position as BufferAttribute) as number[], 3 * vertex);
  const { x, y, z } = corner.applyMatrix4(matrix);
  // Hundredths: whole numbers are written fast, and a zero has no sign.
  return `${Math.round(100 * x)},${Math.round(100 * y)},${Math.round(100 * z)}`;
}

function inWords({ color, emissive }: Painted, tint: Color): string {
  return [color?.clone().multiply(tint).getHexString(), emissive?.getHexString()].join();
}

const corner = new Vector3();
