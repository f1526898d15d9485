import * as THREE from 'three';
import type { AcceleratedScene } from '../../../src/index.js';
import { endRenderer, makeRenderer, readPicture } from '../../helpers/pictures.js';
import { random } from '../../helpers/random.js';
import { ACTS } from '../scene/acts.js';
import { KINDS as SCENE_KINDS } from '../scene/makeObject.js';
import { anyPlace, type Next, pick, upTo } from '../scene/numbers.js';
import type { Setting } from '../scene/SceneScript.js';
import { Side } from '../scene/Side.js';
import { makeGeometry, makeHalves, makeMaterial, makeTexture, STEADY } from './makeLooks.js';
import { FIRST_KINDS, KINDS, type Kind, makeObject } from './makeObject.js';

export const WIDTH = 200;
export const HEIGHT = 150;
export const MOST_OBJECTS = 260;
/** What a scene begins with where things may be hidden: of fewer in view nothing is left out. */
const WALLS = 7;
const HIDEABLE = 70;

/** Something that users do between two pictures: both sides are given the same random numbers. */
export type Edits = { readonly [name: string]: (side: PictureSide, next: Next) => void };

/** What draws both sides, as shaders take most of the time, and which kinds of objects it can draw. */
export interface Painter {
  readonly renderer: THREE.WebGLRenderer;
  readonly kinds?: readonly Kind[];
  take(scene: THREE.Scene, eye: THREE.Camera): Uint8Array | Promise<Uint8Array>;
  /** Draw calls of the last picture. */
  calls(): number;
  dispose(): void;
}

export function paintByWebGL(options: THREE.WebGLRendererParameters = {}): Painter {
  const renderer = makeRenderer(WIDTH, HEIGHT, { stencil: true, ...options });
  return {
    renderer,
    take(scene, eye) {
      renderer.render(scene, eye);
      return readPicture(renderer);
    },
    calls: () => renderer.info.render.calls,
    dispose() {
      endRenderer(renderer);
    },
  };
}

/** A side of a model whose scene is drawn, of objects that differ in all that is seen of them. */
export class PictureSide extends Side {
  readonly painter: Painter;
  readonly textures: THREE.Texture[];
  readonly planes: THREE.Plane[];
  /** What the scene is looked at with: `camera` or `flat`. */
  eye: THREE.PerspectiveCamera | THREE.OrthographicCamera = this.camera;
  /** Which matrix tells renderers where that is: its own, the projection as maps have it, or the inverse alone. */
  told: 'world' | 'projection' | 'inverse' = 'world';
  /** What the last picture was drawn by. */
  drawnBy: THREE.Camera = this.eye;

  constructor(seed: number, isFast: boolean, setting: Setting, painter: Painter) {
    super(isFast, setting);
    this.painter = painter;
    const next = random(seed);
    const times = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make);
    this.textures = times(3, () => makeTexture(next));
    this.geometries.splice(0, 4, ...times(5, () => makeGeometry(next)), ...makeHalves());
    this.materials.splice(0, 4, ...STEADY.map((make) => make()));
    this.materials.push(...times(4, () => makeMaterial(next, this.textures)));
    this.planes = times(3, () => new THREE.Plane(anyPlace(next, 1).normalize(), 4 + next() * 4));
    this.#light();
    Object.assign(this.camera, { fov: 50, aspect: WIDTH / HEIGHT, near: 0.1, far: 80 }).updateProjectionMatrix();
    Object.assign(this.flat, { left: -8, right: 8, top: 6, bottom: -6, near: 0.1, far: 80 }).updateProjectionMatrix();
    this.eye.position.set(1, 3, 16);
    this.eye.lookAt(0, 0, 0);
    const groups: THREE.Object3D[] = [this.scene];
    for (let i = 0; i < 8; i++) {
      const group = new THREE.Group();
      group.position.copy(anyPlace(next, 4));
      if (i === 7) group.scale.set(1, 1.5, 0.7);
      this.put(group, pick(next, groups));
      groups.push(group);
    }
    const kinds = painter.kinds ?? KINDS;
    for (let n = 60 + upTo(next, 60); n > 0; n--) {
      const object = makeObject(this, pick(next, next() < 0.75 ? FIRST_KINDS : kinds), next);
      if (next() < 0.15) object.scale.x *= -1;
      this.put(object, pick(next, groups));
    }
    if (setting.occlusion) this.#addWalls(next);
    this.renderer.shadowMap.enabled = true;
    this.renderer.localClippingEnabled = true;
  }

  get scene(): THREE.Scene {
    return this.scenes[0];
  }

  get renderer(): THREE.WebGLRenderer {
    return this.painter.renderer;
  }

  get index(): AcceleratedScene | null {
    return this.indices[0] as AcceleratedScene | null;
  }

  #light(): void {
    const sun = new THREE.DirectionalLight('white', 2);
    sun.position.set(5, 10, 5);
    sun.castShadow = true;
    sun.shadow.mapSize.set(256, 256);
    Object.assign(sun.shadow.camera, { left: -14, bottom: -14, right: 14, top: 14 });
    this.scene.background = new THREE.Color('#456');
    this.scene.add(sun, new THREE.AmbientLight('white', 0.6));
  }

  /** Walls, and more that they may hide. */
  #addWalls(next: Next): void {
    const wall = SCENE_KINDS.indexOf('wall');
    for (let n = 0; n < WALLS; n++) {
      ACTS.add.apply(this, { a: 0, b: 0, v: [wall, upTo(next, 1000), ...anyPlace(next, 14)] });
    }
    for (let n = 0; n < HIDEABLE; n++) this.put(makeObject(this, pick(next, FIRST_KINDS), next), this.scene);
  }

  /** Adds an object that is new. */
  put(object: THREE.Object3D, parent: THREE.Object3D): void {
    // What is instanced by its geometry is edited by nobody, as other meshes would get that geometry.
    if (!('isLineSegments2' in object)) this.take(object);
    parent.add(object);
  }

  /** One of the objects that lie somewhere; null where none is of the wanted kind. */
  any(next: Next, isWanted: (object: THREE.Object3D) => boolean = () => true): THREE.Object3D | null {
    const found = this.objects.filter((object) => object.parent !== null && isWanted(object));
    return found.length === 0 ? null : pick(next, found);
  }

  /** Has three's spheres made anew, as its manual says: batches draw what the index finds. */
  override editedGeometry(geometry: THREE.BufferGeometry, isDeclared = false): void {
    if (!isDeclared) geometry.computeBoundingSphere();
    super.editedGeometry(geometry, isDeclared);
  }

  /** Where an object may be put: the scene, or another one. */
  parentFor(next: Next): THREE.Object3D {
    return pick(next, [this.scene, this.scene, ...this.objects.filter(({ parent }) => parent !== null)]);
  }

  /** Leaves what no two pictures have in common: shadows of points, and of more lights than there are textures for. */
  #calm(): void {
    let shadows = 0;
    for (const object of this.objects) {
      if (object.isPoints) object.castShadow = false;
      if (object.isLight && object.castShadow) object.castShadow = shadows++ < 3;
    }
  }

  /** The eye, or a camera that sees the same and stands at the origin. */
  #told(): THREE.Camera {
    if (this.told === 'world') return this.eye;
    this.eye.updateMatrixWorld();
    const camera = new (this.eye.constructor as typeof THREE.PerspectiveCamera)().copy(this.eye as never, false);
    camera.matrixAutoUpdate = camera.matrixWorldAutoUpdate = false;
    // A copy has the matrix of reversed depth, and does not say so.
    Object.assign(camera, { _reversedDepth: this.eye.reversedDepth });
    const view = this.eye.matrixWorldInverse.clone();
    camera.matrixWorld.identity();
    if (this.told === 'inverse') return camera;
    const update = camera.updateProjectionMatrix;
    // Renderers with another kind of depth have it made anew.
    camera.updateProjectionMatrix = () => {
      update.call(camera);
      camera.projectionMatrix.multiply(view);
      camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
    };
    camera.updateProjectionMatrix();
    camera.matrixWorldInverse.identity();
    return camera;
  }

  /** The next picture. */
  draw(): Uint8Array | Promise<Uint8Array> {
    this.#calm();
    this.computeSpheres();
    this.drawnBy = this.#told();
    return this.painter.take(this.scene, this.drawnBy);
  }
}
