import { BufferAttribute, BufferGeometry, Color, Points, ShaderMaterial, Vector3, type WebGLRenderer } from 'three';
import type { Palette } from '../../../views/stage/palette.js';
import type { Cities } from '../../cities/Cities.js';
import { EARTH_RADIUS, groundPoint } from '../orbits/frame.js';

/** The largest cities are enough to show the continents. */
const MOST = 60_000;
/** Above the facets of the globe. */
const RADIUS = 1.0015 * EARTH_RADIUS;

const point = new Vector3();

/** Cities as dots on a globe: lights by night, a tint of the land by day. */
export class CityLights {
  readonly object: Points<BufferGeometry, ShaderMaterial>;
  readonly #fromSpace: boolean;

  constructor(kind: 'space' | 'map', geometry: BufferGeometry, sun: Vector3) {
    this.#fromSpace = kind === 'space';
    this.object = new Points(
      geometry,
      new ShaderMaterial({
        vertexShader,
        fragmentShader,
        uniforms: {
          sun: { value: sun },
          lit: { value: new Color() },
          plain: { value: new Color() },
          strength: { value: kind === 'map' ? 2 : 1 },
          ratio: { value: 1 },
        },
        transparent: true,
        depthWrite: false,
      }),
    );
    this.object.onBeforeRender = (renderer) => {
      this.object.material.uniforms.ratio!.value = (renderer as WebGLRenderer).getPixelRatio();
    };
  }

  /** Dots for all globes. */
  static geometry(cities: Cities): BufferGeometry {
    const count = Math.min(MOST, cities.count);
    const places = new Float32Array(3 * count);
    const sizes = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      groundPoint(cities.latitude[i]!, cities.longitude[i]!, point)
        .multiplyScalar(RADIUS)
        .toArray(places, 3 * i);
      // From a thousand people to ten millions.
      sizes[i] = Math.min(1, Math.max(0, (Math.log10(cities.population[i]! + 1) - 3) / 4));
    }
    return new BufferGeometry()
      .setAttribute('position', new BufferAttribute(places, 3))
      .setAttribute('size', new BufferAttribute(sizes, 1));
  }

  paint(palette: Palette): void {
    const { lit, plain } = this.object.material.uniforms;
    if (this.#fromSpace) {
      lit!.value.set('#ffd591');
      plain!.value.set('#b9d9c4');
    } else {
      lit!.value.copy(palette.towerLow);
      plain!.value.copy(palette.towerLow);
    }
  }
}

const vertexShader = /* glsl */ `
  uniform vec3 sun;
  uniform vec3 lit;
  uniform vec3 plain;
  uniform float strength;
  uniform float ratio;
  attribute float size;
  varying vec4 tint;

  void main() {
    vec4 place = modelMatrix * vec4(position, 1.0);
    float light = smoothstep(-0.14, 0.1, dot(normalize(place.xyz), sun));
    tint = vec4(mix(lit, plain, light), strength * mix(0.25 + 0.75 * size, 0.16 + 0.2 * size, light));
    gl_PointSize = ratio * mix(1.1 + 2.0 * size * size, 1.2, light);
    gl_Position = projectionMatrix * viewMatrix * place;
  }
`;

const fragmentShader = /* glsl */ `
  varying vec4 tint;

  void main() {
    gl_FragColor = tint;
    #include <colorspace_fragment>
  }
`;
