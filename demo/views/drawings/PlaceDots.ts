import {
  BufferAttribute,
  BufferGeometry,
  Color,
  type DataTexture,
  DynamicDrawUsage,
  Group,
  Points,
  ShaderMaterial,
} from 'three';
import type { FrameResult } from '../../measure/FrameResult.js';
import { type Palette, paintKinds } from '../stage/palette.js';
import { OwnDrawing } from './Drawing.js';
import { COLUMNS } from './numberTexture.js';
import { INSIDE, INTERSECTING, type Marks, writeNumbers } from './writeNumbers.js';

/** The map seen from above: a dim dot for every place, and over it a bright one for each that is seen or marked. */
export class PlaceDots extends OwnDrawing {
  override readonly object = new Group();
  /** Kinds of those that are marked, seen or not. */
  marks: Marks = null;
  readonly #all: BufferAttribute;
  readonly #seen: BufferAttribute;
  readonly #base: Points<BufferGeometry, ShaderMaterial>;
  readonly #bright: Points<BufferGeometry, ShaderMaterial>;

  /** @param sizes In pixels, of dim and bright dots. */
  constructor(places: DataTexture, count: number, sizes: [dim: number, bright: number] = [1.25, 2]) {
    super();
    this.#all = new BufferAttribute(
      new Uint32Array(count).map((_, i) => i),
      1,
    );
    this.#seen = new BufferAttribute(new Uint32Array(2 * count), 1).setUsage(DynamicDrawUsage);
    this.#base = dots(places, this.#all, sizes[0]);
    this.#bright = dots(places, this.#seen, sizes[1]);
    // Three counts vertices by positions, of which there are none here.
    this.count = count;
    this.#bright.geometry.setDrawRange(0, 0);
    this.object.add(this.#base, this.#bright);
  }

  /** Draws only this many dots. */
  set count(count: number) {
    this.#base.geometry.setDrawRange(0, count);
  }

  /** Removes the dot of a place. */
  drop(place: number): void {
    this.#all.array[place] = this.#all.array[0]!;
    this.#all.needsUpdate = true;
  }

  override show({ inside, intersecting }: FrameResult): void {
    const ids = this.#seen.array as Uint32Array;
    const { marks } = this;
    let count = 0;
    count = writeNumbers(ids, count, inside, INSIDE);
    count = writeNumbers(ids, count, intersecting, INTERSECTING);
    // Marked ones come last, to lie on top. Visible ones are then listed twice; the buffer has room for that.
    for (let number = 0; marks && number < marks.length; number++) {
      if (marks[number]) ids[count++] = number | (marks[number]! << 24);
    }
    this.#bright.geometry.setDrawRange(0, count);
    this.#seen.clearUpdateRanges();
    if (count === 0) return;
    this.#seen.addUpdateRange(0, count);
    this.#seen.needsUpdate = true;
  }

  override paint(palette: Palette): void {
    for (const { material } of [this.#base, this.#bright]) {
      paintKinds(material.uniforms.kinds!, palette);
    }
  }
}

function dots(places: DataTexture, ids: BufferAttribute, size: number): Points<BufferGeometry, ShaderMaterial> {
  const geometry = new BufferGeometry().setAttribute('id', ids);
  const material = new ShaderMaterial({
    vertexShader,
    fragmentShader,
    uniforms: {
      places: { value: places },
      kinds: { value: Array.from({ length: 6 }, () => new Color()) },
      size: { value: size },
    },
  });
  const points = new Points(geometry, material);
  points.frustumCulled = false;
  return points;
}

const vertexShader = /* glsl */ `
  uniform highp sampler2D places;
  uniform vec3 kinds[6];
  uniform float size;
  attribute uint id;
  varying vec3 tint;

  void main() {
    int place = int(id & 0xffffffu);
    vec4 tower = texelFetch(places, ivec2(place % ${COLUMNS}, place / ${COLUMNS}), 0);
    tint = kinds[int(id >> 24)];
    gl_PointSize = size;
    gl_Position = projectionMatrix * viewMatrix * vec4(tower.x, 0.0, tower.y, 1.0);
  }
`;

const fragmentShader = /* glsl */ `
  varying vec3 tint;

  void main() {
    gl_FragColor = vec4(tint, 1.0);
    #include <colorspace_fragment>
  }
`;
