import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  type Group,
  type Object3D,
  Points,
  ShaderMaterial,
  type WebGLRenderer,
} from 'three';
import type { FrameResult } from '../../../measure/FrameResult.js';
import { OwnDrawing } from '../../../views/drawings/Drawing.js';
import { NumberedMesh } from '../../../views/drawings/NumberedMesh.js';
import { INSIDE, INTERSECTING, NONE, writeNumbers } from '../../../views/drawings/writeNumbers.js';
import { type Palette, paintKinds } from '../../../views/stage/palette.js';
import { EARTH_RADIUS, type Sky } from '../orbits/frame.js';

/** Data that all drawings of the satellites share, updated before each frame. */
export interface Swarm {
  /** Satellites in orbit are its children. */
  crowd: Group;
  /** Places by number. */
  places: BufferAttribute;
  /** Kinds by number of those with a mark, see writeNumbers.ts. */
  marks: Uint8Array;
  sky: Sky;
}

/**
 * Satellites in one draw call. On the map all of them are dots in the colours of their classes; from space the visible
 * ones are drawn, from near with a body between two panels, and dim in the shadow of the Earth.
 */
export class SatelliteDots extends OwnDrawing {
  override readonly object: Points<BufferGeometry, ShaderMaterial>;
  /** Colours by class, from space as well. */
  byClass: boolean;
  readonly #onMap: boolean;
  readonly #swarm: Swarm;
  readonly #kinds: BufferAttribute;
  readonly #drawn: BufferAttribute;

  constructor(kind: 'space' | 'map', swarm: Swarm) {
    super();
    const { places, sky } = swarm;
    this.#onMap = kind === 'map';
    this.byClass = this.#onMap;
    this.#swarm = swarm;
    this.#kinds = new BufferAttribute(new Uint8Array(places.count), 1).setUsage(DynamicDrawUsage);
    this.#drawn = new BufferAttribute(new Uint32Array(places.count), 1).setUsage(DynamicDrawUsage);
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      uniforms: {
        sun: { value: sky.sun },
        radius: { value: EARTH_RADIUS },
        kinds: { value: Array.from({ length: 6 }, () => new Color()) },
        byClass: { value: false },
        onMap: { value: this.#onMap },
        ratio: { value: 1 },
      },
    });
    const geometry = new BufferGeometry().setAttribute('position', places).setAttribute('kind', this.#kinds);
    this.object = new Points(geometry.setIndex(this.#drawn), material);
    this.object.frustumCulled = false;
    this.object.onBeforeRender = (renderer) => {
      material.uniforms.ratio!.value = (renderer as WebGLRenderer).getPixelRatio();
    };
  }

  override show({ visible, inside, intersecting }: FrameResult): void {
    const kinds = this.#kinds.array as Uint8Array;
    const drawn = this.#drawn.array as Uint32Array;
    const { crowd, marks } = this.#swarm;
    const count = writeNumbers(drawn, 0, this.#onMap ? crowd.children : visible, NONE);
    this.object.geometry.setDrawRange(0, count);
    this.object.material.uniforms.byClass!.value = this.byClass;
    kinds.fill(NONE);
    if (this.byClass) {
      paintKind(kinds, inside, INSIDE);
      paintKind(kinds, intersecting, INTERSECTING);
    }
    for (let i = 0; i < kinds.length; i++) if (marks[i]) kinds[i] = marks[i]!;
    this.#kinds.needsUpdate = this.#drawn.needsUpdate = true;
  }

  override paint(palette: Palette): void {
    paintKinds(this.object.material.uniforms.kinds!, palette);
  }
}

function paintKind(kinds: Uint8Array, objects: readonly Object3D[], kind: number): void {
  for (const object of objects) if (object instanceof NumberedMesh) kinds[object.number] = kind;
}

const vertexShader = /* glsl */ `
  #define SHAPED 6.0
  uniform vec3 sun;
  uniform float radius;
  uniform vec3 kinds[6];
  uniform bool byClass;
  uniform bool onMap;
  uniform float ratio;
  attribute float kind;
  varying vec3 body;
  varying vec3 panel;
  // In pixels. Small ones have no visible shape.
  varying float size;

  void main() {
    vec4 seen = viewMatrix * vec4(position, 1.0);
    float towardsSun = dot(position, sun);
    bool shaded = towardsSun < 0.0 && length(position - towardsSun * sun) < radius;
    bool marked = kind > 2.5;
    if (byClass || marked) {
      body = panel = kinds[int(kind + 0.5)];
    } else {
      body = shaded ? vec3(0.16, 0.2, 0.28) : vec3(0.95, 0.93, 0.86);
      panel = shaded ? vec3(0.07, 0.1, 0.18) : vec3(0.3, 0.5, 0.82);
    }
    if (onMap) size = marked ? 5.0 : kind > 0.5 ? 3.0 : 1.6;
    else size = min(24.0 / -seen.z, 40.0);
    // Too small for a shape: a dot.
    if (!onMap && size < SHAPED) size = max(marked ? 4.0 : 1.6, 0.45 * size);
    size *= ratio;
    gl_PointSize = size;
    gl_Position = projectionMatrix * seen;
  }
`;

const fragmentShader = /* glsl */ `
  #define SHAPED 6.0
  uniform bool onMap;
  varying vec3 body;
  varying vec3 panel;
  varying float size;

  void main() {
    vec2 at = 2.0 * gl_PointCoord - 1.0;
    vec3 colour = body;
    if (onMap || size < SHAPED) {
      if (size > 2.5 && dot(at, at) > 1.0) discard;
    } else {
      // Tilted a little, so that it does not look like a cross.
      at = mat2(0.906, 0.423, -0.423, 0.906) * at;
      vec2 off = abs(at);
      bool isBody = off.x < 0.2 && off.y < 0.34;
      bool isPanel = off.x > 0.28 && off.x < 0.92 && off.y < 0.24;
      bool isArm = off.y < 0.07 && off.x < 0.3;
      if (!isBody && !isPanel && !isArm) discard;
      if (isPanel) colour = panel * (size > 14.0 && fract(3.0 * off.x) < 0.18 ? 0.6 : 1.0);
    }
    gl_FragColor = vec4(colour, 1.0);
    #include <colorspace_fragment>
  }
`;
