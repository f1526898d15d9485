import * as THREE from 'three';
import { random } from '../../helpers/random.js';
import { morphedMesh, skinnedTower } from '../../helpers/scene.js';
import { type Next, pick } from '../scene/numbers.js';
import { makeMaterial, makeOpaque } from './materials.js';

/** Half the side of the place, and its height. */
export const REACH = 18;
const THINGS = 500;
const WALLS = 18;

export interface OcclusionScene {
  readonly scene: THREE.Scene;
  readonly walls: THREE.Mesh[];
  /** More walls, each some instances of a mesh. */
  readonly rows: THREE.InstancedMesh[];
  readonly things: THREE.Object3D[];
  readonly cameras: THREE.Camera[];
}

/** Geometries and materials, which both scenes of a run share. */
export interface Supplies {
  readonly shapes: readonly THREE.BufferGeometry[];
  readonly opaque: readonly THREE.Material[];
  /** Of any kind, opaque ones too. */
  readonly materials: readonly THREE.Material[];
  readonly isDisturbed: boolean;
}

export function makeSupplies(seed: number): Supplies {
  const next = random(seed + 31);
  const isDisturbed = next() < 0.25;
  const opaque = Array.from({ length: 6 }, () => makeOpaque(next));
  const materials = Array.from({ length: 14 }, () => makeMaterial(next, isDisturbed));
  return { shapes: makeShapes(), opaque, materials: [...materials, ...opaque], isDisturbed };
}

const makeShapes = (): THREE.BufferGeometry[] => [
  new THREE.BoxGeometry(),
  new THREE.PlaneGeometry(1, 1, 3, 3),
  new THREE.SphereGeometry(0.7, 10, 7),
  new THREE.CylinderGeometry(0.5, 0.6, 1, 9, 1, true),
  new THREE.TorusGeometry(0.6, 0.25, 6, 10),
  new THREE.TetrahedronGeometry(0.8),
  new THREE.BoxGeometry().toNonIndexed(),
];

/** Walls of every kind in a flat place, and things of every kind among them. The same for a seed. */
export function makeScene(seed: number, supplies: Supplies): OcclusionScene {
  const next = random(seed);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x203040);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x445566, 2));
  if (next() < 0.3) scene.fog = new THREE.Fog(0x203040, 10, 60);
  const { isDisturbed, materials, opaque } = supplies;
  const walls = Array.from({ length: WALLS }, () =>
    wall(next, next() < 0.85 ? pick(next, opaque) : pick(next, materials), supplies),
  );
  scene.add(...walls);
  const rows = rowsOfWalls(random(seed + 77), supplies);
  scene.add(...rows);
  const parents: THREE.Object3D[] = [scene, scene, scene];
  for (let i = 0; i < 5; i++) parents.push(group(next, scene));
  const things: THREE.Object3D[] = [];
  for (let i = 0; i < THINGS; i++) {
    const thing = pick(next, KINDS)(next, pick(next, materials), supplies);
    thing.name = `thing ${i}`;
    thing.position.set(side(next), next() * 4 - 0.5, side(next));
    thing.rotation.set(next() * 6, next() * 6, next() * 6);
    if (next() < 0.3) thing.scale.set(0.3 + next() * 2, 0.3 + next(), next() < 0.2 ? -1 : 1);
    if (next() < 0.1) thing.renderOrder = Math.floor(next() * 5) - 2;
    if (next() < 0.06) thing.layers.set(1);
    if (next() < 0.05) thing.visible = false;
    if (next() < 0.05) thing.frustumCulled = false;
    if (isDisturbed && next() < 0.01) disturb(next, thing);
    pick(next, parents).add(thing);
    if (next() < 0.08) parents.push(thing);
    things.push(thing);
  }
  return { scene, walls, rows, things, cameras: cameras(next) };
}

function side(next: Next): number {
  return (2 * next() - 1) * REACH;
}

function wall(next: Next, material: THREE.Material, { shapes }: Supplies): THREE.Mesh {
  const mesh = new THREE.Mesh(next() < 0.8 ? shapes[0] : pick(next, shapes), material);
  mesh.position.set(side(next), 2, side(next));
  mesh.rotation.y = next() < 0.6 ? (Math.PI / 2) * Math.floor(next() * 4) : next() * 6;
  mesh.scale.set(4 + next() * 14, 5 + next() * 3, 0.1 + next());
  if (next() < 0.2) mesh.rotation.x = next();
  return mesh;
}

function rowsOfWalls(next: Next, { opaque, shapes }: Supplies): THREE.InstancedMesh[] {
  return [0, 1].map((i) => {
    const row = new THREE.InstancedMesh(shapes[i === 0 ? 0 : 6], pick(next, opaque), 4);
    row.position.set(side(next), 0, side(next));
    row.rotation.set(next() * 0.3, next() * 6, 0);
    row.scale.setScalar(0.5 + next());
    for (let at = 0; at < row.count; at++) placeInRow(row, at, next);
    return row;
  });
}

/** Moves one of a row of walls. */
export function placeInRow(row: THREE.InstancedMesh, at: number, next: Next): void {
  const place = new THREE.Object3D();
  place.position.set(side(next) / 2, 2, side(next) / 2);
  place.rotation.set(0, next() * 6, 0);
  place.scale.set(3 + next() * 6, 4 + next() * 3, 0.1 + next());
  place.updateMatrix();
  row.setMatrixAt(at, place.matrix);
  row.instanceMatrix.needsUpdate = true;
}

function group(next: Next, scene: THREE.Scene): THREE.Object3D {
  const made = new THREE.Group();
  made.position.set(next(), 0, next());
  made.rotation.y = next();
  if (next() < 0.3) made.renderOrder = Math.floor(next() * 3) - 1;
  if (next() < 0.1) made.visible = false;
  scene.add(made);
  return made;
}

type Kind = (next: Next, material: THREE.Material, supplies: Supplies) => THREE.Object3D;

const plain: Kind = (next, material, { shapes }) => new THREE.Mesh(pick(next, shapes), material);

const KINDS: readonly Kind[] = [
  plain,
  plain,
  plain,
  plain,
  plain,
  (next, _material, { shapes }) =>
    new THREE.Points(pick(next, shapes), new THREE.PointsMaterial({ color: 0xffcc88, size: 0.5 })),
  (next, _material, { shapes }) =>
    new THREE.LineSegments(pick(next, shapes), new THREE.LineBasicMaterial({ color: 0x88ffcc })),
  () => new THREE.Sprite(new THREE.SpriteMaterial({ color: 0xff88cc })),
  (next, material) => skinned(next, material),
  (next, material) => morphing(next, material),
  (next, _material, supplies) => levels(next, supplies),
  (next, material, supplies) => instanced(next, material, supplies),
  (next, _material, supplies) => batched(next, supplies),
  (next, material, { materials: all }) => {
    const geometry = new THREE.BoxGeometry();
    return new THREE.Mesh(
      geometry,
      geometry.groups.map(() => (next() < 0.5 ? material : pick(next, all))),
    );
  },
  (next, material) => {
    const geometry = new THREE.SphereGeometry(0.9, 12, 8);
    geometry.setDrawRange(3 * Math.floor(next() * 40), 3 * Math.floor(20 + next() * 60));
    return new THREE.Mesh(geometry, material);
  },
  (next, material, supplies) => {
    // Vertices far from the origin of the mesh, as tools write them.
    const geometry = pick(next, supplies.shapes).clone().translate(200, 0, -100);
    return new THREE.Group().add(new THREE.Mesh(geometry, material).translateX(-200).translateZ(100));
  },
];

function skinned(next: Next, material: THREE.Material): THREE.Object3D {
  const mesh = Object.assign(skinnedTower(), { material });
  mesh.skeleton.bones[1].rotation.z = next() * 2;
  return mesh;
}

function morphing(next: Next, material: THREE.Material): THREE.Object3D {
  const mesh = Object.assign(morphedMesh(), { material });
  mesh.morphTargetInfluences = [next() * 1.4];
  return mesh;
}

function levels(next: Next, { shapes, materials: all }: Supplies): THREE.Object3D {
  const lod = new THREE.LOD();
  for (let level = 0; level < 3; level++) {
    lod.addLevel(new THREE.Mesh(pick(next, shapes), pick(next, all)), level * 8, next() < 0.3 ? 0.2 : 0);
  }
  return lod;
}

function instanced(next: Next, material: THREE.Material, { shapes }: Supplies): THREE.Object3D {
  const mesh = new THREE.InstancedMesh(pick(next, shapes), material, 6);
  for (let i = 0; i < mesh.count; i++)
    mesh.setMatrixAt(i, new THREE.Matrix4().setPosition(next() * 3, next() * 2, next() * 3));
  return mesh;
}

function batched(next: Next, { shapes, materials: all }: Supplies): THREE.Object3D {
  const mesh = new THREE.BatchedMesh(6, 400, 900, pick(next, all));
  const ids = [0, 2].map((i) => mesh.addGeometry(shapes[i]));
  for (let i = 0; i < 5; i++) {
    const id = mesh.addInstance(pick(next, ids));
    mesh.setMatrixAt(id, new THREE.Matrix4().setPosition(next() * 3, next() * 2, next() * 3));
  }
  return mesh;
}

function disturb(next: Next, thing: THREE.Object3D): void {
  if (next() < 0.5) thing.onBeforeRender = (renderer) => renderer.clearDepth();
  else thing.onAfterRender = () => {};
}

/** Views through the place, some of them from within a wall or with much of it behind them. */
function cameras(next: Next): THREE.Camera[] {
  const far = 30 + next() * 60;
  const near = [0.01, 0.1, 1][Math.floor(next() * 3)];
  const perspective = new THREE.PerspectiveCamera(30 + next() * 70, 16 / 9, near, far);
  if (next() < 0.2) perspective.setViewOffset(160, 90, 20, 10, 110, 60);
  const parallel = new THREE.OrthographicCamera(-8, 8, 4.5, -4.5, near, far);
  for (const camera of [perspective, parallel]) if (next() < 0.2) camera.layers.enable(1);
  return [perspective, perspective, parallel];
}
