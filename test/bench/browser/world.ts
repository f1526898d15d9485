import {
  BoxGeometry,
  Color,
  ConeGeometry,
  DirectionalLight,
  HemisphereLight,
  type Material,
  Mesh,
  MeshLambertMaterial,
  type OrthographicCamera,
  PerspectiveCamera,
  PointLight,
  Scene,
  SphereGeometry,
  TorusGeometry,
  type Vector3,
} from 'three';
import { random } from '../../helpers/random.js';

/** Half the edge of the cube in which the meshes lie. */
const HALF = 500;

/** Meshes in a tree, and how far each lies from the one above it. */
const FAMILY = 10;
const STEP = 4;

/**
 * How meshes lie below each other: none below another, ten in a tree, or all below one that is in view. Kinds are flat, and of
 * four geometries.
 */
export type Arrangement = 'flat' | 'kinds' | 'trees' | 'ground';

/** Meshes in a cube, spread evenly, and a sun above them that casts shadows. The same for the same arguments. */
export class World {
  readonly scene: Scene = new Scene();
  readonly meshes: Mesh[] = [];
  readonly materials: MeshLambertMaterial[] = [0, 1, 2, 3].map(
    (i) => new MeshLambertMaterial({ color: new Color().setHSL(i / 4, 0.5, 0.5) }),
  );
  readonly camera: PerspectiveCamera = new PerspectiveCamera(60, 1, 1, 4 * HALF);
  /** Where each mesh is in the scene, and its own height. */
  readonly #places: Vector3[] = [];
  readonly #homes: number[] = [];
  /** Whether other meshes move each time. */
  movesOthers = true;
  #time = 0;
  readonly sun: DirectionalLight = new DirectionalLight();

  constructor(count: number, arrangement: Arrangement = 'flat') {
    const next = random(11);
    const box = new BoxGeometry();
    const kinds = [box, new SphereGeometry(0.6, 8, 6), new ConeGeometry(0.5, 1, 8), new TorusGeometry(0.5, 0.2, 6, 8)];
    const isFlat = arrangement === 'flat' || arrangement === 'kinds';
    for (let i = 0; i < count; i++) {
      const mesh = new Mesh(arrangement === 'kinds' ? kinds[(i >> 2) % 4] : box, this.materials[i % 4]);
      mesh.castShadow = true;
      const isFirst = i % FAMILY === 0 || isFlat || arrangement === 'ground';
      const reach = isFirst ? HALF : STEP;
      mesh.position.set(reach * (2 * next() - 1), reach * (2 * next() - 1), reach * (2 * next() - 1));
      const above = isFirst ? -1 : i - (i % FAMILY);
      if (isFlat) mesh.scale.setScalar(0.5 + next());
      this.#places.push(mesh.position.clone());
      if (above >= 0) this.#places[i].add(this.#places[above]);
      (above < 0 ? this.scene : this.meshes[above]).add(mesh);
      this.meshes.push(mesh);
      this.#homes.push(mesh.position.y);
    }
    if (arrangement === 'ground') {
      const ground = new Mesh(box, this.materials[0]);
      ground.castShadow = true;
      ground.add(...this.meshes);
      this.scene.add(ground);
    }
    this.camera.position.set(3 * HALF, 0, 0);
    this.camera.lookAt(0, 0, 0);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1, 1);
    this.sun.position.set(0, 2 * HALF, 0);
    this.scene.add(this.sun, this.sun.target);
  }

  /** Opens camera and sun so far that each of them sees this share of the meshes, by their centres. */
  show(share: number): this {
    const distances = this.#places.map(
      ({ x, y, z }) => Math.max(Math.abs(y), Math.abs(z)) / (this.camera.position.x - x),
    );
    this.camera.fov = (360 / Math.PI) * Math.atan(share < 1 ? quantile(distances, share) : 2);
    this.camera.updateProjectionMatrix();
    const reaches = this.#places.map(({ x, z }) => Math.max(Math.abs(x), Math.abs(z)));
    const reach = share < 1 ? quantile(reaches, share) : 2 * HALF;
    const camera = this.sun.shadow.camera as OrthographicCamera;
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 1, far: 4 * HALF });
    camera.updateProjectionMatrix();
    return this;
  }

  /** The share of the meshes that moves when it is always the same. */
  movers(share: number): Mesh[] {
    return this.meshes.filter((_, i) => i % Math.round(1 / share) === 0);
  }

  /** Moves a share of the meshes a little, others each time or not. */
  move(share: number): void {
    const time = ++this.#time;
    const step = Math.round(1 / share);
    for (let i = this.movesOthers ? time % step : 0; i < this.meshes.length; i += step) {
      this.meshes[i].position.y = this.#homes[i] + Math.sin(i + time);
    }
  }

  /** Puts all meshes where they were at first. */
  putBack(): void {
    for (const [i, { position }] of this.meshes.entries()) position.y = this.#homes[i];
  }
}

/** Boxes on a plane that take geometries in turns; a camera at z = 150 sees all of them. */
export function modelOf(count: number, geometries: number, materialOf: (i: number) => Material): Scene {
  const scene = new Scene().add(new HemisphereLight());
  const boxes = Array.from({ length: geometries }, (_, i) => new BoxGeometry(1, 1, 1 + i / 1000));
  const side = Math.ceil(Math.sqrt(count));
  for (let i = 0; i < count; i++) {
    const mesh = new Mesh(boxes[i % geometries], materialOf(i));
    mesh.position.set((100 * (i % side)) / side - 50, (100 * Math.floor(i / side)) / side - 50, (7 * i) % 13);
    scene.add(mesh);
  }
  return scene;
}

function quantile(values: number[], share: number): number {
  return Float64Array.from(values).sort()[Math.floor(share * values.length)];
}

/** Houses in blocks, a sun over all of them, and two lamps among them; the camera sees about a third. */
export function litTown(count: number): { scene: Scene; camera: PerspectiveCamera; houses: Mesh[] } {
  const scene = new Scene();
  const shapes = [new BoxGeometry(), new ConeGeometry(0.6, 1.4, 8), new SphereGeometry(0.6, 12, 8)];
  const materials = [0, 1, 2, 3].map((i) => new MeshLambertMaterial({ color: new Color().setHSL(i / 4, 0.5, 0.5) }));
  const side = Math.ceil(Math.sqrt(count));
  const houses = Array.from({ length: count }, (_, i) => {
    const house = new Mesh(shapes[i % 3], materials[(i * 7) % 4]);
    house.position.set((i % side) * 2 - side, 0.6, Math.floor(i / side) * 2 - side);
    house.castShadow = house.receiveShadow = true;
    return house;
  });
  const sun = new DirectionalLight();
  sun.position.set(side / 2, side, side / 3);
  sun.shadow.mapSize.set(2048, 2048);
  const reach = 1.5 * side;
  Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 1, far: 4 * side });
  const lamps = [-1, 1].map((way) => {
    const lamp = new PointLight('#fec', 50, 24);
    lamp.position.set(0.4 * side * way, 4, 0.3 * side * way);
    return lamp;
  });
  for (const light of [sun, ...lamps]) light.castShadow = true;
  const camera = new PerspectiveCamera(60, 1, 0.1, 4 * side);
  camera.position.set(0, 8, side);
  camera.lookAt(0, 0, 0);
  scene.add(...houses, sun, ...lamps);
  return { scene, camera, houses };
}
