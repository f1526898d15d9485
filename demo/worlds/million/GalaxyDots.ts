import {
  BufferAttribute,
  BufferGeometry,
  type Camera,
  Color,
  Frustum,
  Matrix4,
  Points,
  ShaderMaterial,
  Vector4,
} from 'three';
import { OwnDrawing } from '../../views/drawings/Drawing.js';
import { type Palette, paintKinds } from '../../views/stage/palette.js';
import type { Galaxy } from './Galaxy.js';

/** Dots at most: more would lie on each other. */
const MOST = 200_000;

const matrix = new Matrix4();
const frustum = new Frustum();

/**
 * The galaxy from above, a dot for each of its boxes or for one of so many. The shader classifies the boxes by the
 * planes of the player's frustum, each by the sphere around it, so that a million of them cost no time of the CPU.
 */
export class GalaxyDots extends OwnDrawing {
  override readonly object: Points<BufferGeometry, ShaderMaterial>;
  /** One dot for so many boxes. */
  step = 1;
  readonly #planes = Array.from({ length: 6 }, () => new Vector4());

  constructor() {
    super();
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      uniforms: {
        kinds: { value: Array.from({ length: 6 }, () => new Color()) },
        planes: { value: this.#planes },
      },
    });
    this.object = new Points(new BufferGeometry(), material);
    this.object.frustumCulled = false;
  }

  set galaxy({ mesh, count }: Galaxy) {
    this.step = Math.ceil(count / MOST);
    const shown = Math.floor(count / this.step);
    const spheres = new Float32Array(4 * shown);
    for (let i = 0; i < shown; i++) {
      mesh.getMatrixAt(i * this.step, matrix);
      const { elements: m } = matrix;
      // Half the diagonal of a unit box with these axes, which are at right angles.
      const radius = 0.5 * Math.hypot(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]);
      spheres.set([m[12], m[13], m[14], radius], 4 * i);
    }
    this.object.geometry.dispose();
    this.object.geometry.setAttribute('sphere', new BufferAttribute(spheres, 4)).setDrawRange(0, shown);
  }

  /** Takes the frustum of the player's camera. */
  aim(camera: Camera): void {
    matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    frustum.setFromProjectionMatrix(matrix, camera.coordinateSystem);
    frustum.planes.forEach(({ normal: { x, y, z }, constant }, i) => {
      this.#planes[i]!.set(x, y, z, constant);
    });
  }

  override paint(palette: Palette): void {
    paintKinds(this.object.material.uniforms.kinds!, palette);
  }
}

const vertexShader = /* glsl */ `
  uniform vec3 kinds[6];
  uniform vec4 planes[6];
  attribute vec4 sphere;
  varying vec3 tint;

  void main() {
    float nearest = 1e20;
    for (int i = 0; i < 6; i++) nearest = min(nearest, dot(planes[i].xyz, sphere.xyz) + planes[i].w);
    int kind = nearest < -sphere.w ? 0 : nearest < sphere.w ? 1 : 2;
    tint = kinds[kind];
    gl_PointSize = kind == 0 ? 1.0 : 1.5;
    gl_Position = projectionMatrix * viewMatrix * vec4(sphere.xyz, 1.0);
    // What is seen lies over what is culled.
    gl_Position.z = 0.5 * (gl_Position.z + (kind == 0 ? 1.0 : -1.0) * gl_Position.w);
  }
`;

const fragmentShader = /* glsl */ `
  varying vec3 tint;

  void main() {
    gl_FragColor = vec4(tint, 1.0);
    #include <colorspace_fragment>
  }
`;
