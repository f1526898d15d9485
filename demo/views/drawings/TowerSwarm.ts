import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  Mesh,
  type Object3D,
  RedIntegerFormat,
  ShaderMaterial,
  Sphere,
  UnsignedIntType,
} from 'three';
import type { FrameResult } from '../../measure/FrameResult.js';
import { type Palette, paintKinds } from '../stage/palette.js';
import type { Drawing } from './Drawing.js';
import { COLUMNS, INSIDE, INTERSECTING, type Marks, NONE, NumberedMesh } from './NumberedMesh.js';

/** Corners of a tower: 0 to 3 round the foot, 4 to 7 above them. Corner 1 is the edge towards the eye. */
const PATTERN = [
  // The side from 0 to 1 and the side from 1 to 2; each triangle ends on the first lower corner of its side...
  1, 5, 0, 5, 4, 0, 2, 6, 1, 6, 5, 1,
  // ...and those of the roof on 4: so three corners tell three faces apart.
  5, 6, 4, 6, 7, 4,
];

const INDICES_PER_TOWER = PATTERN.length;

/**
 * Draws the visible towers in one call. Place, height and width of all towers lie in a texture; a frame writes no
 * more than the numbers of those in view. The vertex shader makes the corners: instancing would do the same, but
 * without a graphics card an instance of ten triangles costs as much as a thousand triangles.
 */
export class TowerSwarm implements Drawing {
  readonly object: Mesh<BufferGeometry, ShaderMaterial>;
  /** Colours by class, or by height. */
  byClass = false;
  /** Colours by mark, where a tower has one. */
  marks: Marks = null;
  readonly #ids: DataTexture & { image: { data: Uint32Array } };

  constructor(places: DataTexture, index: BufferAttribute) {
    const { width: columns, height: rows } = places.image;
    this.#ids = new DataTexture(
      new Uint32Array(columns * rows),
      columns,
      rows,
      RedIntegerFormat,
      UnsignedIntType,
    ) as never;
    this.#ids.internalFormat = 'R32UI';
    const geometry = new BufferGeometry().setIndex(index);
    geometry.boundingSphere = new Sphere();
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      uniforms: {
        places: { value: places },
        ids: { value: this.#ids },
        kinds: { value: Array.from({ length: 6 }, () => new Color()) },
        low: { value: new Color() },
        high: { value: new Color() },
        sky: { value: new Color() },
        fadeFrom: { value: 0 },
        fadeTo: { value: 1 },
        byClass: { value: false },
      },
    });
    this.object = new Mesh(geometry, material);
    this.object.frustumCulled = false;
  }

  /** The triangles of towers, for all swarms. Two sides and a roof are all that is ever visible; the shader places the corners. */
  static index(count: number): BufferAttribute {
    const index = new Uint32Array(INDICES_PER_TOWER * count);
    for (let i = 0; i < index.length; i++) {
      index[i] = 8 * Math.floor(i / INDICES_PER_TOWER) + PATTERN[i % INDICES_PER_TOWER]!;
    }
    return new BufferAttribute(index, 1);
  }

  show({ visible, inside, intersecting }: FrameResult): void {
    const ids = this.#ids.image.data;
    const { marks } = this;
    const count = this.byClass
      ? writeNumbers(ids, writeNumbers(ids, 0, inside, INSIDE, marks), intersecting, INTERSECTING, marks)
      : writeNumbers(ids, 0, visible, NONE, marks);
    const { geometry, material } = this.object;
    material.uniforms.byClass!.value = this.byClass;
    geometry.setDrawRange(0, INDICES_PER_TOWER * count);
    this.object.visible = count > 0;
    this.#ids.needsUpdate = true;
  }

  paint(palette: Palette, far: number): void {
    const { uniforms } = this.object.material;
    paintKinds(uniforms.kinds!, palette);
    uniforms.low!.value.copy(palette.towerLow);
    uniforms.high!.value.copy(palette.towerHigh);
    uniforms.sky!.value.copy(palette.sky);
    uniforms.fadeFrom!.value = Number.isFinite(far) ? 0.45 * far : 1e9;
    uniforms.fadeTo!.value = Number.isFinite(far) ? 0.97 * far : 2e9;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.#ids.dispose();
  }
}

/** Writes numbers with their kinds in the upper byte, from `ids[from]` on; returns where it stopped. */
function writeNumbers(
  ids: Uint32Array,
  from: number,
  objects: readonly Object3D[],
  kind: number,
  marks: Marks = null,
): number {
  let count = from;
  for (let i = 0; i < objects.length; i++) {
    const object = objects[i]!;
    if (object instanceof NumberedMesh) ids[count++] = object.number | ((marks?.[object.number] || kind) << 24);
  }
  return count;
}

const vertexShader = /* glsl */ `
  uniform highp sampler2D places;
  uniform highp usampler2D ids;
  uniform vec3 kinds[6];
  uniform vec3 low;
  uniform vec3 high;
  uniform bool byClass;
  // Flat shading with shared corners: the last corner of a triangle provides the value.
  flat varying float light;
  varying vec3 tint;
  varying float depth;

  void main() {
    int turn = gl_VertexID / 8;
    int corner = gl_VertexID % 8;
    uint id = texelFetch(ids, ivec2(turn % ${COLUMNS}, turn / ${COLUMNS}), 0).r;
    int place = int(id & 0xffffffu);
    vec4 tower = texelFetch(places, ivec2(place % ${COLUMNS}, place / ${COLUMNS}), 0);

    // Corner 1 faces the eye, 0 and 2 are beside it. A mirrored tower has the reverse order of corners.
    vec2 eye = vec2(cameraPosition.x < tower.x ? -1.0 : 1.0, cameraPosition.z < tower.y ? -1.0 : 1.0);
    int around = corner % 4;
    bool mirrored = eye.x * eye.y < 0.0;
    if (mirrored) around = (6 - around) % 4;
    vec2 side = eye * (around == 1 ? vec2(1.0) : around == 3 ? vec2(-1.0) : around == 0 ? vec2(-1.0, 1.0) : vec2(1.0, -1.0));
    float up = corner < 4 ? 0.0 : 1.0;
    vec4 seen = viewMatrix * vec4(tower.x + 0.5 * tower.w * side.x, tower.z * up, tower.y + 0.5 * tower.w * side.y, 1.0);

    float size = clamp(tower.z / 3.0, 0.0, 1.0);
    float warmth = clamp(up * (0.12 + 0.5 * size) + 1.1 * size - 0.03, 0.0, 1.0);
    int kind = int(id >> 24);
    tint = byClass || kind >= 3 ? kinds[kind] * (0.55 + 0.45 * up) : mix(low, high, warmth);
    bool facesX = (corner == 1) != mirrored;
    light = corner == 4 ? 1.0 : facesX ? 0.86 : 0.68;
    depth = -seen.z;
    gl_Position = projectionMatrix * seen;
  }
`;

const fragmentShader = /* glsl */ `
  uniform vec3 sky;
  uniform float fadeFrom;
  uniform float fadeTo;
  flat varying float light;
  varying vec3 tint;
  varying float depth;

  void main() {
    gl_FragColor = vec4(mix(tint * light, sky, smoothstep(fadeFrom, fadeTo, depth)), 1.0);
    #include <colorspace_fragment>
  }
`;
