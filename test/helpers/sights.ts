import * as THREE from 'three';

/** What is looked at lies around here, far from the origin, to which maps are anchored. */
export const CENTER = new THREE.Vector3(600, 0, -200);
const EYE = new THREE.Vector3(20, 35, 70).add(CENTER);

export type Size = readonly [width: number, height: number];
/** A camera whose matrices are up to date, and the size of its picture in pixels. */
type Shot = readonly [what: string, make: () => THREE.Camera, size: Size];
export const SIZE: Size = [400, 200];

type Usual = THREE.PerspectiveCamera | THREE.OrthographicCamera;

function posed<T extends Usual>(camera: T, values: object = {}, eye = EYE): T {
  Object.assign(camera, values).updateProjectionMatrix();
  camera.position.copy(eye);
  if (eye.x === CENTER.x) camera.up.set(0, 0, -1);
  camera.lookAt(CENTER);
  camera.updateMatrixWorld();
  return camera;
}

const lens = (values?: object): Usual => posed(new THREE.PerspectiveCamera(50, 2, 0.5, 500), values);
const flat = (values?: object): Usual => posed(new THREE.OrthographicCamera(-80, 80, 40, -40, 3, 500), values);
const above = (): Usual => posed(new THREE.PerspectiveCamera(50, 2, 0.5, 500), {}, CENTER.clone().setY(90));

/** A camera whose matrices the page writes. */
function written(projection: THREE.Matrix4, view = new THREE.Matrix4(), camera = new THREE.Camera()): THREE.Camera {
  camera.matrixAutoUpdate = camera.matrixWorldAutoUpdate = false;
  camera.projectionMatrix.copy(projection);
  camera.matrixWorldInverse.copy(view);
  camera.matrixWorld.identity();
  return camera;
}

const seenBy = ({ projectionMatrix, matrixWorldInverse }: THREE.Camera): THREE.Matrix4 =>
  new THREE.Matrix4().multiplyMatrices(projectionMatrix, matrixWorldInverse);

/** As maps hand it over: the projection does all, and the camera stands at the origin. */
export const mapOf = (camera: THREE.Camera): THREE.Camera => written(seenBy(camera));
/** As trackers hand it over: only the inverse tells where the camera is. */
export const inverseOf = (camera: Usual): THREE.Camera =>
  written(camera.projectionMatrix, camera.matrixWorldInverse, camera.clone());

/** The same in coordinates of another kind: the view matrix leads to them, and the projection from there. */
function anchored(anchor: THREE.Matrix4): THREE.Camera {
  return written(seenBy(lens()).multiply(anchor), anchor.clone().invert());
}

function inRig(...scale: [number, number, number]): THREE.Camera {
  const rig = new THREE.Group();
  rig.scale.set(...scale);
  const camera = new THREE.PerspectiveCamera(50, 2, 0.5, 500);
  rig.add(camera);
  camera.position.copy(EYE).divide(rig.scale);
  camera.rotation.set(-0.45, 0.28 * Math.sign(scale[0]), 0);
  rig.updateMatrixWorld();
  return camera;
}

/** A usual camera whose projection was written over. */
function bent(change: (m: THREE.Matrix4) => unknown): THREE.Camera {
  const camera = lens();
  change(camera.projectionMatrix);
  return camera;
}

const WEBGPU = { coordinateSystem: THREE.WebGPUCoordinateSystem };
const REVERSED = { _reversedDepth: true };
const VIEW = { enabled: true, fullWidth: 800, fullHeight: 400, offsetX: 500, offsetY: 30, width: 200, height: 100 };

const shots = (...given: [what: string, make: () => THREE.Camera, size?: Size][]): Shot[] =>
  given.map(([what, make, size = SIZE]) => [what, make, size]);

/** Every kind of camera that shows something. */
export const SHOTS: readonly Shot[] = shots(
  ['perspective', lens],
  ['a wide angle', () => lens({ fov: 120 })],
  ['zoom', () => lens({ zoom: 3 })],
  ['a view offset', () => lens({ view: VIEW })],
  ['a small rig', () => inRig(0.1, 0.1, 0.1)],
  ['a mirrored rig', () => inRig(-1, 1, 1)],
  ['no perspective', flat],
  ['reversed depth', () => lens(REVERSED)],
  ['reversed depth, no perspective', () => flat(REVERSED)],
  ['the depth of WebGPU', () => lens(WEBGPU)],
  ['the depth of WebGPU, no perspective', () => flat(WEBGPU)],
  ['an infinite far plane', () => bent(({ elements: e }) => Object.assign(e, { 10: -1, 14: -1 }))],
  ['an oblique near plane', () => bent(({ elements: e }) => Object.assign(e, { 2: 0.2, 6: -0.1 }))],
  ['a picture that is too wide', () => lens({ aspect: 1 }), [800, 200]],
  ['a picture that is too high', lens, [200, 800]],
  ['a picture that is too wide, no perspective', flat, [800, 100]],
  [
    'a picture on its side',
    () => bent((m) => m.premultiply(new THREE.Matrix4().makeRotationZ(Math.PI / 2))),
    [200, 400],
  ],
  ['a sheared picture', () => bent((m) => m.premultiply(new THREE.Matrix4().makeShear(0, 0, 0.4, 0, 0, 0)))],
  ['a map', () => mapOf(lens())],
  ['a map from straight above', () => mapOf(above())],
  ['a map in tiny units', () => written(seenBy(lens()).multiplyScalar(2.5e-8))],
  ['a map with another anchor', () => anchored(new THREE.Matrix4().makeTranslation(9, 80, 7))],
  ['a mirrored map', () => anchored(new THREE.Matrix4().makeScale(2, -2, 2))],
  ['a map without perspective', () => mapOf(flat())],
  ['an inverse alone', () => inverseOf(lens())],
  ['an inverse alone, no perspective', () => inverseOf(flat())],
);

/** Cameras that tell nothing of where they are. */
export const BROKEN: readonly Shot[] = shots(
  ['NaN', () => written(new THREE.Matrix4().multiplyScalar(Number.NaN))],
  ['NaN in its place', () => written(lens().projectionMatrix, new THREE.Matrix4().setPosition(0, Number.NaN, 0))],
  ['zeros', () => written(new THREE.Matrix4().multiplyScalar(0))],
  ['no height', () => written(seenBy(lens()), new THREE.Matrix4().makeScale(1, 0, 1))],
  ['no picture', () => written(new THREE.Matrix4().makeScale(0, 0, 1))],
);

/** Tells by points that are put through the matrices, one by one, how a view sees. */
export class Sight {
  readonly isPerspective: boolean;
  /** Without perspective in the middle of what is `near` before the near plane. */
  readonly eye: THREE.Vector3;
  readonly forward: THREE.Vector3;
  /** Pixels of a unit, at a distance of 1 if distances count, in the direction in which it covers most. */
  readonly pixels: number;
  /** The least cosine between the axis and what is seen. */
  readonly cosine: number;
  /** How far away the near plane is. */
  readonly near: number;
  readonly #seen: THREE.Matrix4;
  readonly #back: THREE.Matrix4;
  readonly #size: Size;

  constructor(view: THREE.Camera, size: Size = SIZE) {
    this.#seen = seenBy(view);
    this.#back = this.#seen.clone().invert();
    this.#size = size;
    const [first, last] = view.reversedDepth
      ? [1, 0]
      : [view.coordinateSystem === THREE.WebGLCoordinateSystem ? -1 : 0, 1];
    const eye = new THREE.Vector4(0, 0, 1, 0).applyMatrix4(this.#back);
    const [middle, beyond] = [first, (first + last) / 2].map((z) => this.#unproject(0, 0, z));
    this.isPerspective = Math.abs(eye.w) > 1e-9 * eye.length();
    const { near = 0 } = view as Partial<Usual>;
    if (this.isPerspective) {
      this.eye = new THREE.Vector3(eye.x, eye.y, eye.z).divideScalar(eye.w);
      const w = [0, 1, 2].map(
        (axis) => this.#clip(this.eye.clone().setComponent(axis, this.eye.getComponent(axis) + 1)).w,
      );
      this.forward = new THREE.Vector3(...w).normalize();
    } else {
      this.forward = beyond.clone().sub(middle).normalize();
      this.eye = middle.clone().addScaledVector(this.forward, -near);
    }
    const plane = new THREE.Plane().setFromCoplanarPoints(
      middle,
      this.#unproject(1, 0, first),
      this.#unproject(0, 1, first),
    );
    this.near = Math.abs(plane.distanceToPoint(this.eye));
    this.pixels = this.#mostPixels();
    const rays = [0, 1, 2, 3].map((i) =>
      this.#unproject(i & 1 ? 1 : -1, i & 2 ? 1 : -1, first)
        .sub(this.eye)
        .normalize(),
    );
    this.cosine = this.isPerspective ? Math.min(...rays.map((ray) => ray.dot(this.forward))) : 1;
  }

  #clip({ x, y, z }: THREE.Vector3): THREE.Vector4 {
    return new THREE.Vector4(x, y, z, 1).applyMatrix4(this.#seen);
  }

  #unproject(x: number, y: number, z: number): THREE.Vector3 {
    return new THREE.Vector3(x, y, z).applyMatrix4(this.#back);
  }

  /** Where a point is seen, in pixels. */
  pixelOf(point: THREE.Vector3): THREE.Vector2 {
    const { x, y, w } = this.#clip(point);
    return new THREE.Vector2((x / w) * this.#size[0], (y / w) * this.#size[1]).multiplyScalar(0.5);
  }

  #mostPixels(): number {
    const right = new THREE.Vector3(0.3, 0.5, 0.8).cross(this.forward).normalize();
    const up = this.forward.clone().cross(right);
    const middle = this.eye.clone().add(this.forward);
    const at = this.pixelOf(middle);
    const shifts = Array.from({ length: 3600 }, (_, i) => {
      const angle = (Math.PI * i) / 3600;
      const point = middle.clone().addScaledVector(right, Math.cos(angle)).addScaledVector(up, Math.sin(angle));
      return this.pixelOf(point).distanceTo(at);
    });
    return Math.max(...shifts);
  }

  /** Diameter in pixels of a ball. */
  sizeOf({ center, radius }: THREE.Sphere): number {
    return (2 * radius * this.pixels) / (this.isPerspective ? center.distanceTo(this.eye) : 1);
  }

  /** How far away the nearest point of a box is; without perspective along the view. */
  distanceOf({ min, max }: THREE.Box3): number {
    const box = new THREE.Box3(min, max);
    if (this.isPerspective) return box.distanceToPoint(this.eye);
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => {
      const corner = new THREE.Vector3(...[0, 1, 2].map((axis) => (i & (1 << axis) ? max : min).getComponent(axis)));
      return corner.sub(this.eye).dot(this.forward);
    });
    return Math.max(0, Math.min(...corners));
  }

  /** The most pixels that a unit of a ball may cover, by its place alone. */
  unitOf({ center, radius }: THREE.Sphere): number {
    const away = Math.max(this.near, center.distanceTo(this.eye) - radius);
    return this.pixels / this.cosine ** 2 / (this.isPerspective ? away : 1);
  }
}
