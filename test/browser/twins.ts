import * as THREE from 'three';
import { random } from '../helpers/random.js';

/** A sun with shadows over a ground. */
function withLight(): THREE.Scene {
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x334455);
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(20, 40, 10);
  sun.castShadow = true;
  sun.shadow.mapSize.set(256, 256);
  sun.shadow.camera.left = sun.shadow.camera.bottom = -40;
  sun.shadow.camera.right = sun.shadow.camera.top = 40;
  sun.shadow.camera.far = 120;
  scene.add(sun, new THREE.HemisphereLight(0xffffff, 0x445566, 1));
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(100, 100), new THREE.MeshLambertMaterial({ color: 0x777777 }));
  ground.rotation.x = -Math.PI / 2;
  ground.receiveShadow = true;
  return scene.add(ground);
}

/** Two scenes with the same geometries and materials, whose objects are equal one by one. */
export class Twins {
  readonly scenes: readonly [THREE.Scene, THREE.Scene] = [withLight(), withLight()];
  readonly pairs: (readonly [THREE.Mesh, THREE.Mesh])[] = [];
  readonly next: () => number;
  readonly geometries: THREE.BufferGeometry[] = [
    new THREE.BoxGeometry(),
    new THREE.SphereGeometry(0.6, 12, 8),
    new THREE.TorusGeometry(0.6, 0.2, 8, 12),
    new THREE.BoxGeometry(1, 2, 1).toNonIndexed(),
  ];
  readonly materials: THREE.Material[] = [
    new THREE.MeshStandardMaterial({ color: 0xcc8844 }),
    new THREE.MeshStandardMaterial({ color: 0x4488cc }),
    new THREE.MeshStandardMaterial({ color: 0x884466, roughness: 0.4 }),
    new THREE.MeshLambertMaterial({ color: 0x44cc88 }),
    new THREE.MeshLambertMaterial({ color: 0xcc4488 }),
    new THREE.MeshPhongMaterial({ color: 0x8844cc }),
    new THREE.MeshBasicMaterial({ color: 0xcccccc }),
  ];

  constructor(seed: number, count: number) {
    this.next = random(seed);
    for (let i = 0; i < count; i++) this.add();
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)];
  }

  add(): void {
    const { next } = this;
    const mesh = new THREE.Mesh(this.pick(this.geometries), this.pick(this.materials));
    mesh.position.set(next() * 60 - 30, next() * 6, next() * 60 - 30);
    mesh.rotation.set(next() * 6, next() * 6, next() * 6);
    mesh.scale.set(next() < 0.2 ? -1 : 1, 0.5 + next(), 0.5 + next());
    mesh.castShadow = next() < 0.7;
    mesh.receiveShadow = next() < 0.8;
    const pair = [mesh, mesh.clone()] as const;
    for (const [i, one] of pair.entries()) this.scenes[i].add(new THREE.Group().add(one));
    this.pairs.push(pair);
  }

  /** Does the same to both of a pair. */
  both(edit: (mesh: THREE.Mesh, scene: THREE.Scene) => void): void {
    for (const [i, mesh] of this.pick(this.pairs).entries()) edit(mesh, this.scenes[i]);
  }
}

/** What a user may do to a scene from one frame to the next. */
export const EDITS = Object.entries<(twins: Twins) => void>({
  add: (twins) => twins.add(),
  remove: (twins) => {
    const [pair] = twins.pairs.splice(Math.floor(twins.next() * twins.pairs.length), 1);
    for (const mesh of pair) mesh.removeFromParent();
  },
  move: (twins) => {
    const x = twins.next() * 40 - 20;
    twins.both((mesh) => mesh.position.setX(x));
  },
  'turn the group above': (twins) => {
    const turn = twins.next();
    twins.both((mesh) => mesh.parent?.rotateY(turn));
  },
  mirror: (twins) => twins.both((mesh) => mesh.scale.setX(-mesh.scale.x)),
  'another parent': (twins) => twins.both((mesh, scene) => scene.add(mesh)),
  'another material': (twins) => {
    const material = twins.pick(twins.materials);
    twins.both((mesh) => Object.assign(mesh, { material }));
  },
  'another geometry': (twins) => {
    const geometry = twins.pick(twins.geometries);
    twins.both((mesh) => Object.assign(mesh, { geometry }));
  },
  'a new geometry': (twins) => {
    twins.geometries.push(new THREE.SphereGeometry(0.3 + twins.next(), 6 + Math.floor(twins.next() * 20), 6));
    const geometry = twins.geometries.at(-1);
    twins.both((mesh) => Object.assign(mesh, { geometry }));
  },
  'edit positions': (twins) => {
    const { position } = twins.pick(twins.geometries).attributes;
    for (let i = 0; i < position.count; i += 3) position.setY(i, position.getY(i) * 1.2);
    position.needsUpdate = true;
  },
  'a further attribute': (twins) => {
    const geometry = twins.pick(twins.geometries);
    const { count } = geometry.attributes.position;
    geometry.setAttribute('color', new THREE.Float32BufferAttribute(new Float32Array(3 * count).fill(0.5), 3));
  },
  'the range that is drawn': (twins) =>
    twins.pick(twins.geometries).setDrawRange(0, 3 * Math.floor(4 + twins.next() * 20)),
  'another colour': (twins) =>
    (twins.pick(twins.materials) as THREE.MeshBasicMaterial).color.setHex(twins.next() * 0xffffff),
  'transparent or not': (twins) => transparency(twins.pick(twins.materials)),
  emissive: (twins) => {
    const { emissive } = twins.pick(twins.materials) as Partial<THREE.MeshStandardMaterial>;
    emissive?.setHex(twins.next() * 0x888888);
  },
  'hide or show': (twins) => twins.both((mesh) => Object.assign(mesh, { visible: !mesh.visible })),
  'hide or show the group': (twins) =>
    twins.both((mesh) => Object.assign(mesh.parent as object, { visible: mesh.parent?.visible === false })),
  layers: (twins) => twins.both((mesh) => mesh.layers.toggle(1)),
  'out of the layer of the camera': (twins) => twins.both((mesh) => mesh.layers.toggle(0)),
  'casts or not': (twins) => twins.both((mesh) => Object.assign(mesh, { castShadow: !mesh.castShadow })),
  'receives or not': (twins) => twins.both((mesh) => Object.assign(mesh, { receiveShadow: !mesh.receiveShadow })),
  'an order': (twins) => twins.both((mesh) => Object.assign(mesh, { renderOrder: 1 - mesh.renderOrder })),
  'an order of the group': (twins) => twins.both((mesh) => Object.assign(mesh.parent as object, { renderOrder: 1 })),
  'a callback, or none again': (twins) =>
    twins.both((mesh) => {
      if (Object.hasOwn(mesh, 'onBeforeRender')) Reflect.deleteProperty(mesh, 'onBeforeRender');
      else mesh.onBeforeRender = () => {};
    }),
  'a child': (twins) =>
    twins.both((mesh) => mesh.add(new THREE.Mesh(twins.geometries[0], twins.materials[0]).translateX(2))),
});

function transparency(material: THREE.Material): void {
  material.transparent = !material.transparent;
  material.opacity = material.transparent ? 0.5 : 1;
  material.needsUpdate = true;
}
