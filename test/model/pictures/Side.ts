import * as THREE from 'three';
import type { AcceleratedScene, AccelerateOptions } from '../../../src/index.js';
import { accelerate } from '../../../src/index.js';
import { random } from '../../helpers/random.js';
import { type Next, upTo } from '../scene/numbers.js';
import { anyPlace, pick } from './chance.js';
import { makeGeometry, makeMaterial, makeTexture, STEADY } from './makeLooks.js';
import { FIRST_KINDS, KINDS, makeObject } from './makeObject.js';

export const WIDTH = 200;
export const HEIGHT = 150;

/** One of two scenes that are made of the same random numbers, with the renderer that draws it. */
export class Side {
  readonly renderer: THREE.WebGLRenderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
  readonly scene: THREE.Scene = new THREE.Scene();
  readonly perspective: THREE.PerspectiveCamera = new THREE.PerspectiveCamera(50, WIDTH / HEIGHT, 0.1, 80);
  readonly orthographic: THREE.OrthographicCamera = new THREE.OrthographicCamera(-8, 8, 6, -6, 0.1, 80);
  camera: THREE.PerspectiveCamera | THREE.OrthographicCamera = this.perspective;
  /** All that were ever in the scene, but for lights at the start. */
  readonly objects: THREE.Object3D[] = [];
  /** Those that are out of it for now. */
  readonly out: THREE.Object3D[] = [];
  readonly geometries: ReturnType<typeof makeGeometry>[];
  readonly materials: THREE.Material[];
  readonly textures: THREE.Texture[];
  readonly planes: THREE.Plane[];
  /** Lights with shadows; more than a few take too many textures. */
  shadows = 1;
  /** Null for the scene in plain three. */
  readonly options: AccelerateOptions | null;
  index: AcceleratedScene | null;

  constructor(seed: number, options: AccelerateOptions | null) {
    const next = random(seed);
    const times = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make);
    this.textures = times(3, () => makeTexture(next));
    this.geometries = times(5, () => makeGeometry(next));
    this.materials = [...STEADY.map((make) => make()), ...times(4, () => makeMaterial(next, this.textures))];
    this.planes = times(3, () => new THREE.Plane(anyPlace(next, 1).normalize(), 4 + next() * 4));
    this.#light();
    this.camera.position.set(1, 3, 16);
    this.camera.lookAt(0, 0, 0);
    const groups: THREE.Object3D[] = [this.scene];
    for (let i = 0; i < 8; i++) {
      const group = new THREE.Group();
      group.position.copy(anyPlace(next, 4));
      if (i === 7) group.scale.set(1, 1.5, 0.7);
      this.put(group, pick(next, groups));
      groups.push(group);
    }
    for (let n = 60 + upTo(next, 60); n > 0; n--) {
      const kinds = next() < 0.75 ? FIRST_KINDS : KINDS;
      this.put(makeObject(this, pick(next, kinds), next), pick(next, groups));
    }
    this.renderer.setSize(WIDTH, HEIGHT, false);
    this.renderer.shadowMap.enabled = true;
    this.renderer.localClippingEnabled = true;
    this.options = options;
    this.index = options && accelerate(this.scene, options);
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

  /** Adds an object that is new. */
  put(object: THREE.Object3D, parent: THREE.Object3D): void {
    object.name ||= `${object.type} ${this.objects.length}`;
    parent.add(object);
    this.objects.push(object);
  }

  /** One of the objects in the scene; null where none is of the wanted kind. */
  any(next: Next, isWanted: (object: THREE.Object3D) => boolean = () => true): THREE.Object3D | null {
    const found = this.objects.filter((object) => object.parent !== null && isWanted(object));
    return found.length === 0 ? null : pick(next, found);
  }

  /** Where an object may be put: the scene, or an object that is not below it. */
  parentFor(object: THREE.Object3D | null, next: Next): THREE.Object3D {
    const isBelow = (one: THREE.Object3D): boolean => {
      for (let o: THREE.Object3D | null = one; o !== null; o = o.parent) if (o === object) return true;
      return false;
    };
    const others = this.objects.filter((one) => one.parent !== null && !isBelow(one));
    return pick(next, [this.scene, this.scene, ...others]);
  }

  draw(): void {
    this.renderer.render(this.scene, this.camera);
  }

  dispose(): void {
    this.index?.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
