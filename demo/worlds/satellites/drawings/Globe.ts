import { Color, Group, Mesh, ShaderMaterial, SphereGeometry } from 'three';
import { OwnDrawing } from '../../../views/drawings/Drawing.js';
import type { Palette } from '../../../views/stage/palette.js';
import { EARTH_RADIUS, type Sky } from '../orbits/frame.js';
import type { CityLights } from './CityLights.js';

/** The air that shows, in radii. */
const AIR = 1.025;

/**
 * The Earth by day and night, with a line every 15 degrees and the lights of its cities; seen from space, with its air.
 */
export class Globe extends OwnDrawing {
  override readonly object = new Group();
  readonly #sky: Sky;
  readonly #fromSpace: boolean;
  readonly #ground: Mesh<SphereGeometry, ShaderMaterial>;
  readonly #air: Mesh<SphereGeometry, ShaderMaterial>;
  readonly #lights: CityLights;

  constructor(kind: 'space' | 'map', sky: Sky, lights: CityLights) {
    super();
    this.#sky = sky;
    this.#fromSpace = kind === 'space';
    this.#lights = lights;
    const sphere = new SphereGeometry(EARTH_RADIUS, 96, 64);
    const sun = { value: sky.sun };
    this.#ground = new Mesh(
      sphere,
      new ShaderMaterial({
        vertexShader,
        fragmentShader: groundShader,
        uniforms: {
          sun,
          day: { value: new Color() },
          night: { value: new Color() },
          grid: { value: new Color() },
          lineStrength: { value: this.#fromSpace ? 0.2 : 0.8 },
          air: { value: new Color() },
        },
      }),
    );
    this.#air = new Mesh(
      sphere,
      new ShaderMaterial({
        vertexShader,
        fragmentShader: airShader,
        uniforms: { sun, air: { value: new Color() } },
        transparent: true,
        depthWrite: false,
      }),
    );
    this.#air.visible = this.#fromSpace;
    this.#air.scale.setScalar(AIR);
    this.object.add(this.#ground, this.#air, lights.object);
    for (const part of this.object.children) part.frustumCulled = false;
  }

  override show(): void {
    this.object.rotation.y = this.#sky.angle;
    this.object.updateMatrixWorld();
  }

  override paint(palette: Palette): void {
    const { day, night, grid, air } = this.#ground.material.uniforms;
    if (this.#fromSpace) {
      day!.value.set('#2a6396');
      night!.value.set('#071019');
      grid!.value.set('#5f8fb8');
      air!.value.set('#9fd0ff');
    } else {
      day!.value.copy(palette.plainDay);
      night!.value.copy(palette.plain);
      grid!.value.copy(palette.grid);
      air!.value.copy(palette.grid);
    }
    this.#air.material.uniforms.air!.value.set('#7fbcff');
    this.#lights.paint(palette);
  }
}

const vertexShader = /* glsl */ `
  varying vec3 onGround;
  varying vec3 upwards;
  varying vec3 towardsEye;

  void main() {
    vec4 place = modelMatrix * vec4(position, 1.0);
    onGround = normalize(position);
    upwards = normalize(place.xyz);
    towardsEye = cameraPosition - place.xyz;
    gl_Position = projectionMatrix * viewMatrix * place;
  }
`;

const groundShader = /* glsl */ `
  uniform vec3 sun;
  uniform vec3 day;
  uniform vec3 night;
  uniform vec3 grid;
  uniform float lineStrength;
  uniform vec3 air;
  varying vec3 onGround;
  varying vec3 upwards;
  varying vec3 towardsEye;

  // How much of a pixel lies on a line, of which there is one at every whole number.
  float onLine(float at, float pixel) {
    return 1.0 - smoothstep(0.4, 1.3, abs(fract(at + 0.5) - 0.5) / max(pixel, 1e-6));
  }

  void main() {
    vec3 up = normalize(upwards);
    float height = dot(up, sun);
    float light = smoothstep(-0.18, 0.3, height);
    vec3 colour = mix(night, day * (0.55 + 0.45 * clamp(height, 0.0, 1.0)), light);

    vec3 at = normalize(onGround);
    float east = degrees(atan(-at.z, at.x)) / 15.0;
    float north = degrees(asin(clamp(at.y, -1.0, 1.0))) / 15.0;
    // The angle jumps at 180 degrees, which spoils its derivative there: turned by half a turn, it jumps elsewhere.
    float pixel = min(fwidth(east), fwidth(mod(east + 24.0, 24.0)));
    // Where meridians come together they fade.
    float meridian = onLine(east, pixel) * (1.0 - smoothstep(0.15, 0.5, pixel)) * step(abs(north), 5.5);
    float line = max(meridian, onLine(north, fwidth(north)));
    colour = mix(colour, grid, line * (lineStrength + 0.2 * light));

    float rim = pow(1.0 - clamp(dot(up, normalize(towardsEye)), 0.0, 1.0), 3.5);
    colour = mix(colour, air, rim * (0.12 + 0.55 * light));
    gl_FragColor = vec4(colour, 1.0);
    #include <colorspace_fragment>
  }
`;

// Only a thin ring of this shell shows beyond the ground.
const airShader = /* glsl */ `
  uniform vec3 sun;
  uniform vec3 air;
  varying vec3 upwards;
  varying vec3 towardsEye;

  void main() {
    vec3 up = normalize(upwards);
    float slant = clamp(dot(up, normalize(towardsEye)), 0.0, 1.0);
    float light = smoothstep(-0.35, 0.35, dot(up, sun));
    gl_FragColor = vec4(air, pow(slant, 1.5) * 2.2 * (0.12 + 0.88 * light) * (1.0 - smoothstep(0.2, 0.34, slant)));
    #include <colorspace_fragment>
  }
`;
