import * as THREE from 'three';
import type { AcceleratedScene } from '../../../src/index.js';
import { readPicture } from '../../helpers/pictures.js';
import { random } from '../../helpers/random.js';
import { type Next, pick, upTo } from '../scene/numbers.js';
import { makeKinds } from './makeKinds.js';

export const SIZE = 128;
/** Casters that nothing is done to but what concerns all: more than a layer needs. */
const RESTING = 90;
const EDITED = 22;
export type CastingLight = THREE.DirectionalLight | THREE.SpotLight | THREE.PointLight;
/** A kind of material that most casters have. */
export type Paint = THREE.MeshBasicMaterial;

export const between = (next: Next, a: number, b: number): number => a + (b - a) * next();

function makeTexture(next: Next): THREE.DataTexture {
  const data = new Uint8Array(4 * 64);
  for (let i = 0; i < 64; i++) data.fill(next() < 0.5 ? 255 : 0, 4 * i, 4 * i + 4);
  const texture = new THREE.DataTexture(data, 8, 8);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.needsUpdate = true;
  return texture;
}

/**
 * A scene with casters of every kind, most of them at rest, and three lights. Two of one seed are equal. What casts is not lit,
 * so that few shaders are compiled anew when lights come and go.
 */
export class ShadowWorld {
  readonly scene: THREE.Scene = new THREE.Scene();
  readonly camera: THREE.PerspectiveCamera = new THREE.PerspectiveCamera(55, 1, 0.1, 60);
  readonly groups: THREE.Object3D[] = [];
  readonly textures: THREE.DataTexture[];
  readonly materials: Paint[];
  readonly geometries: THREE.BufferGeometry[];
  /** Those that edits are of. */
  readonly meshes: THREE.Mesh[] = [];
  readonly kinds: ReturnType<typeof makeKinds>;
  readonly sun: THREE.DirectionalLight = new THREE.DirectionalLight(0xffffff, 2);
  readonly spot: THREE.SpotLight = new THREE.SpotLight(0xffeecc, 300, 0, 0.6, 0.4);
  readonly lamp: THREE.PointLight = new THREE.PointLight(0xccddff, 40);
  readonly lights: readonly CastingLight[];
  readonly shadowMap = { enabled: true, autoUpdate: true, needsUpdate: false };
  isClipping = false;
  sortObjects = true;
  index: AcceleratedScene | null = null;
  /** What is done once more after all of an edit, by the names of objects that are static. */
  readonly statics: THREE.Object3D[] = [];

  /** @param hasLamp Point lights have no maps of variances. */
  constructor(seed: number, hasLamp: boolean) {
    this.lights = hasLamp ? [this.sun, this.spot, this.lamp] : [this.sun, this.spot];
    const next = random(seed);
    const { scene, camera } = this;
    scene.background = new THREE.Color(0x334455);
    camera.position.set(9, 9, 12);
    camera.lookAt(0, 0, 0);
    this.textures = [0, 1, 2].map(() => makeTexture(next));
    this.materials = this.#makeMaterials(next);
    this.geometries = [
      new THREE.BoxGeometry(),
      new THREE.SphereGeometry(0.6, 12, 8),
      new THREE.TorusGeometry(0.5, 0.2, 8, 16),
      new THREE.ConeGeometry(0.5, 1.2, 10),
      new THREE.PlaneGeometry(1.2, 1.2),
    ];
    for (let i = 0; i < 3; i++) this.groups.push(new THREE.Group());
    scene.add(this.groups[0], this.groups[1]);
    this.groups[0].add(this.groups[2]);
    this.#addResting(next);
    for (let i = 0; i < EDITED; i++) this.addMesh(next);
    this.kinds = makeKinds(this, next, seed);
    this.#addOfEach();
    this.#addReceivers();
    this.#addLights();
  }

  #makeMaterials(next: Next): Paint[] {
    const [holes, picture, heights] = this.textures;
    const plane = new THREE.Plane(new THREE.Vector3(0, -1, 0), 1.2);
    const make = (values: THREE.MeshBasicMaterialParameters): Paint =>
      new THREE.MeshBasicMaterial({ color: upTo(next, 0xffffff), ...values });
    const bumpy = new THREE.MeshLambertMaterial({ displacementMap: heights, displacementScale: 0.1 });
    return [
      make({}),
      make({}),
      make({ side: THREE.DoubleSide }),
      make({ side: THREE.BackSide }),
      make({ alphaTest: 0.5, alphaMap: holes }),
      make({ alphaTest: 0.5, map: picture, side: THREE.DoubleSide }),
      make({ shadowSide: THREE.DoubleSide }),
      make({ transparent: true, opacity: 0.5 }),
      bumpy as THREE.Material as Paint,
      make({ alphaToCoverage: true, alphaMap: holes }),
      make({ clippingPlanes: [plane], clipShadows: true }),
      make({ wireframe: true }),
    ];
  }

  #addResting(next: Next): void {
    const material = new THREE.MeshBasicMaterial({ color: 0x888866 });
    const small = new THREE.BoxGeometry(0.4, 0.6, 0.4);
    for (let i = 0; i < RESTING; i++) {
      const mesh = new THREE.Mesh(small, material);
      mesh.name = `rest ${i}`;
      mesh.position.set(between(next, -5, 5), between(next, 0.2, 1), between(next, -5, 5));
      mesh.rotation.y = between(next, 0, 3);
      mesh.castShadow = true;
      this.scene.add(mesh);
    }
  }

  /** One caster at least of each material, so that each edit of one is seen. */
  #addOfEach(): void {
    for (const [i, material] of this.materials.entries()) {
      const mesh = new THREE.Mesh(i === 5 ? this.geometries[4] : this.geometries[0], material);
      mesh.name = `of material ${i}`;
      mesh.position.set((i % 4) * 2.2 - 3.5, 1.6, Math.floor(i / 4) * 2.5 - 2);
      mesh.rotation.set(-1, 0.4, 0);
      mesh.castShadow = true;
      this.scene.add(mesh);
    }
  }

  #addReceivers(): void {
    const paint = (color: number): THREE.Material => new THREE.MeshLambertMaterial({ color });
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(16, 16), paint(0xcccccc));
    floor.rotation.x = -Math.PI / 2;
    const wall = new THREE.Mesh(new THREE.PlaneGeometry(16, 6), paint(0xbbbbdd));
    wall.position.set(0, 3, -7);
    const block = new THREE.Mesh(new THREE.BoxGeometry(2, 1.5, 2), paint(0xddaaaa));
    block.position.set(-3, 0.75, -3);
    block.castShadow = true;
    for (const [i, mesh] of [floor, wall, block].entries()) {
      mesh.name = `receiver ${i}`;
      mesh.receiveShadow = true;
    }
    this.scene.add(floor, wall, block, new THREE.AmbientLight(0xffffff, 0.3));
  }

  #addLights(): void {
    const { sun, spot, lamp, lights, scene } = this;
    sun.position.set(4, 9, 5);
    Object.assign(sun.shadow.camera, { left: -8, right: 8, top: 8, bottom: -8, near: 1, far: 30 });
    spot.position.set(-6, 8, 4);
    lamp.position.set(0.5, 3.2, 0);
    for (const light of lights) {
      light.castShadow = true;
      light.shadow.mapSize.set(SIZE, SIZE);
      light.shadow.bias = -0.002;
      scene.add(light);
    }
    scene.add(sun.target, spot.target);
  }

  /** Adds a mesh to those that are edited. */
  put<T extends THREE.Object3D>(object: T, next: Next): T {
    object.name = `${object.type} ${this.meshes.length}`;
    object.position.set(between(next, -5, 5), between(next, 0.3, 2.5), between(next, -5, 5));
    object.rotation.set(between(next, 0, 3), between(next, 0, 3), between(next, 0, 3));
    object.castShadow = next() < 0.85;
    object.receiveShadow = next() < 0.5;
    pick(next, [this.scene, ...this.groups]).add(object);
    this.meshes.push(object as THREE.Object3D as THREE.Mesh);
    return object;
  }

  addMesh(next: Next): THREE.Mesh {
    return this.put(new THREE.Mesh(pick(next, this.geometries), pick(next, this.materials)), next);
  }

  any(next: Next): THREE.Mesh {
    return pick(next, this.meshes);
  }

  anyLight(next: Next): CastingLight {
    return pick(next, this.lights);
  }

  /** Of those that have one material. */
  anyPainted(next: Next): THREE.Mesh<THREE.BufferGeometry, THREE.Material> {
    return pick(
      next,
      this.meshes.filter(({ material }) => material && !Array.isArray(material)),
    ) as THREE.Mesh<THREE.BufferGeometry, THREE.Material>;
  }

  /** Draws a picture; the renderer is told what this world has set. */
  draw(renderer: THREE.WebGLRenderer, camera: THREE.Camera = this.camera): Uint8Array {
    // Nobody tells of edits of what is static.
    for (const object of this.statics) this.index?.touch(object);
    // three culls by spheres that it makes once; the index by what is there.
    for (const one of [this.kinds.skinned, this.kinds.morphedInstances]) one.computeBoundingSphere();
    Object.assign(renderer.shadowMap, this.shadowMap);
    renderer.localClippingEnabled = this.isClipping;
    renderer.sortObjects = this.sortObjects;
    renderer.render(this.scene, camera);
    this.shadowMap.needsUpdate = renderer.shadowMap.needsUpdate;
    return readPicture(renderer);
  }

  /** Another view of the same. */
  secondEye(): THREE.Camera {
    const camera = this.camera.clone();
    camera.position.set(-8, 7, -3);
    camera.lookAt(0, 0, 0);
    return camera;
  }

  dispose(): void {
    this.index?.dispose();
    for (const { shadow } of this.lights) shadow.dispose();
    this.scene.traverse((object) => {
      const { geometry, material } = object as Partial<THREE.Mesh>;
      geometry?.dispose();
      for (const one of [material ?? []].flat()) one?.dispose();
    });
  }
}
