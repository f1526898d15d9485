import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  type Object3D,
  Points,
  ShaderMaterial,
  Sphere,
  Vector4,
  type WebGLRenderer,
} from 'three';
import type { FrameResult } from '../../measure/FrameResult.js';
import { type Palette, paintKinds } from '../stage/palette.js';
import { isDrawable, OwnDrawing } from './Drawing.js';
import { INSIDE, INTERSECTING, NONE } from './NumberedMesh.js';

const viewport = new Vector4();
const sphere = new Sphere();

/** Many objects as round dots of their own size, in one draw call, each in the colour of its class. */
export class ObjectDots extends OwnDrawing {
  override readonly object: Points<BufferGeometry, ShaderMaterial>;
  #numbers = new Map<Object3D, number>();
  #kinds = new BufferAttribute(new Uint8Array(0), 1);

  constructor() {
    super();
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      uniforms: { kinds: { value: Array.from({ length: 6 }, () => new Color()) }, height: { value: 1 } },
    });
    this.object = new Points(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.onBeforeRender = (renderer) => {
      material.uniforms.height!.value = (renderer as WebGLRenderer).getCurrentViewport(viewport).w;
    };
  }

  /** Draws these objects, where they are now. */
  set objects(objects: readonly Object3D[]) {
    const spheres = new Float32Array(4 * objects.length);
    this.#numbers = new Map(objects.map((object, i) => [object, i]));
    objects.forEach((object, i) => {
      object.updateWorldMatrix(true, false);
      if (boundsOf(object)) spheres.set([...sphere.center, sphere.radius], 4 * i);
    });
    const { geometry } = this.object;
    geometry.dispose();
    this.#kinds = new BufferAttribute(new Uint8Array(objects.length), 1).setUsage(DynamicDrawUsage);
    geometry.setAttribute('sphere', new BufferAttribute(spheres, 4)).setAttribute('kind', this.#kinds);
    // Three counts vertices by positions, of which there are none here.
    geometry.setDrawRange(0, objects.length);
  }

  /** Draws an object no longer. */
  drop(object: Object3D): void {
    const number = this.#numbers.get(object);
    if (number === undefined) return;
    const spheres = this.object.geometry.getAttribute('sphere');
    spheres.setW(number, 0);
    spheres.needsUpdate = true;
    this.#numbers.delete(object);
  }

  override show({ inside, intersecting }: FrameResult): void {
    this.mark([
      [inside, INSIDE],
      [intersecting, INTERSECTING],
    ]);
  }

  /** Gives each list of objects the colour of a kind, and all others that of none. */
  protected mark(lists: readonly (readonly [objects: readonly Object3D[], kind: number])[]): void {
    const kinds = this.#kinds.array;
    kinds.fill(NONE);
    for (const [objects, kind] of lists) {
      for (const object of objects) {
        const number = this.#numbers.get(object);
        if (number !== undefined) kinds[number] = kind;
      }
    }
    this.#kinds.needsUpdate = true;
  }

  override paint(palette: Palette): void {
    paintKinds(this.object.material.uniforms.kinds!, palette);
  }
}

/** Puts the world bounds into `sphere`; false for what has none. */
function boundsOf(object: Object3D): boolean {
  const { geometry } = object as Object3D & { geometry?: BufferGeometry };
  if (!isDrawable(object) || !geometry) return false;
  if (!geometry.boundingSphere) geometry.computeBoundingSphere();
  sphere.copy(geometry.boundingSphere!).applyMatrix4(object.matrixWorld);
  return true;
}

const vertexShader = /* glsl */ `
  uniform vec3 kinds[6];
  uniform float height;
  attribute vec4 sphere;
  attribute float kind;
  varying vec3 tint;

  void main() {
    tint = kinds[int(kind + 0.5)];
    vec4 seen = viewMatrix * vec4(sphere.xyz, 1.0);
    gl_Position = projectionMatrix * seen;
    // A dot is smaller than the bounds, which reach from the ground to the top.
    gl_PointSize = sphere.w > 0.0 ? max(2.0, 0.7 * sphere.w * projectionMatrix[1][1] * height / -seen.z) : 0.0;
    if (sphere.w == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }
`;

const fragmentShader = /* glsl */ `
  varying vec3 tint;

  void main() {
    vec2 at = 2.0 * gl_PointCoord - 1.0;
    float out2 = dot(at, at);
    if (out2 > 1.0) discard;
    gl_FragColor = vec4(tint * (1.0 - 0.45 * out2 * out2), 1.0);
    #include <colorspace_fragment>
  }
`;
