import {
  BufferAttribute,
  BufferGeometry,
  Color,
  type DataTexture,
  DynamicDrawUsage,
  type Object3D,
  Points,
  ShaderMaterial,
  Vector2,
} from 'three';
import type { FrameResult } from '../../measure/FrameResult.js';
import { type Palette, paintKinds } from '../stage/palette.js';
import { OwnDrawing } from './Drawing.js';
import { COLUMNS, INSIDE, INTERSECTING, type Marks, NONE, NumberedMesh } from './NumberedMesh.js';

/** The kind of a place that was removed. */
const DROPPED = 255;

/** The map seen from above: a dot for every place, dim unless that is seen or marked. */
export class PlaceDots extends OwnDrawing {
  override readonly object: Points<BufferGeometry, ShaderMaterial>;
  /** Kinds of those that are marked, seen or not. */
  marks: Marks = null;
  readonly #kinds: BufferAttribute;
  readonly #dropped = new Set<number>();

  /** @param sizes In pixels, of dim and bright dots. */
  constructor(places: DataTexture, count: number, sizes: [dim: number, bright: number] = [1.25, 2]) {
    super();
    this.#kinds = new BufferAttribute(new Uint8Array(count), 1).setUsage(DynamicDrawUsage);
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      uniforms: {
        places: { value: places },
        kinds: { value: Array.from({ length: 6 }, () => new Color()) },
        sizes: { value: new Vector2(...sizes) },
      },
    });
    this.object = new Points(new BufferGeometry().setAttribute('kind', this.#kinds), material);
    this.object.frustumCulled = false;
    this.count = count;
  }

  /** Draws only this many dots. */
  set count(count: number) {
    // Three counts vertices by positions, of which there are none here.
    this.object.geometry.setDrawRange(0, count);
  }

  /** Removes the dot of a place. */
  drop(place: number): void {
    this.#dropped.add(place);
  }

  override show({ inside, intersecting }: FrameResult): void {
    const { array } = this.#kinds;
    const { marks } = this;
    const give = (objects: readonly Object3D[], kind: number): void => {
      for (const object of objects) if (object instanceof NumberedMesh) array[object.number] = kind;
    };
    array.fill(NONE);
    give(inside, INSIDE);
    give(intersecting, INTERSECTING);
    for (let place = 0; marks && place < marks.length; place++) array[place] = marks[place] || array[place]!;
    for (const place of this.#dropped) array[place] = DROPPED;
    this.#kinds.needsUpdate = true;
  }

  override paint(palette: Palette): void {
    paintKinds(this.object.material.uniforms.kinds!, palette);
  }
}

const vertexShader = /* glsl */ `
  uniform highp sampler2D places;
  uniform vec3 kinds[6];
  uniform vec2 sizes;
  attribute float kind;
  varying vec3 tint;

  void main() {
    vec4 tower = texelFetch(places, ivec2(gl_VertexID % ${COLUMNS}, gl_VertexID / ${COLUMNS}), 0);
    int of = int(kind + 0.5);
    tint = kinds[of % 6];
    gl_PointSize = of == ${NONE} ? sizes.x : sizes.y;
    gl_Position = projectionMatrix * viewMatrix * vec4(tower.x, 0.0, tower.y, 1.0);
    if (of == ${DROPPED}) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }
`;

const fragmentShader = /* glsl */ `
  varying vec3 tint;

  void main() {
    gl_FragColor = vec4(tint, 1.0);
    #include <colorspace_fragment>
  }
`;
