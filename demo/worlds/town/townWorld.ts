import {
  Box3,
  Group,
  type Material,
  type Mesh,
  MeshLambertMaterial,
  type MeshStandardMaterial,
  type Object3D,
  Vector3,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import townUrl from '../../../assets/town.glb?url';
import type { World } from '../contract/World.js';
import { modelWorld } from '../model/modelWorld.js';

/** A town of some 2,300 meshes. Only the windmill moves. */
export async function townWorld(): Promise<World> {
  const { scene } = await new GLTFLoader().loadAsync(townUrl);
  cheapenMaterials(scene);
  const mill = scene.getObjectByName('Windmill_rotor') ?? new Group();
  const blades: Object3D[] = [];
  mill.traverse((object) => blades.push(object));

  return modelWorld(scene, {
    staticObjects: restingBeside(scene, mill),
    moves: (object) => blades.includes(object),
    step(seconds, batch) {
      mill.rotation.z += 0.6 * seconds;
      for (const blade of blades) batch.move(blade);
    },
    route: {
      seconds: 100,
      eyes: ROUTE.map(([x, y, z]) => new Vector3(x, y, z)),
      ahead: 0.09,
      dip: 13,
    },
    overview: { eye: new Vector3(142, 285, 312), target: new Vector3(-14, -10, 16) },
    bounds: new Box3(new Vector3(-120, -7, -120), new Vector3(120, 25, 120)),
    speed: 18,
    near: 0.3,
    ground: 0,
    treeSize: 7,
  });
}

/** x, height, z: round the old town, over the river and along the harbour. */
const ROUTE: [number, number, number][] = [
  [-78, 21, 58],
  [-34, 17, 26],
  [8, 15, -4],
  [46, 15, -28],
  [82, 18, -34],
  [86, 20, 6],
  [58, 18, 40],
  [22, 20, 76],
  [-18, 22, 92],
  [-60, 24, 86],
];

/** The largest subtrees without the moving one. Its ancestors cannot be static. */
function restingBeside(scene: Object3D, mover: Object3D): Object3D[] {
  const resting: Object3D[] = [];
  for (let at: Object3D | null = mover; at && at !== scene; at = at.parent) {
    for (const sibling of at.parent?.children ?? []) if (sibling !== at) resting.push(sibling);
  }
  return mover.parent ? resting : [...scene.children];
}

/** Without textures or gloss, Lambert looks the same and is far cheaper where there is no graphics card. */
function cheapenMaterials(scene: Object3D): void {
  const cheap = new Map<Material, Material>();
  scene.traverse((object) => {
    const mesh = object as Mesh<Mesh['geometry'], MeshStandardMaterial>;
    if (!mesh.isMesh) return;
    const { name, color, emissive } = mesh.material;
    const known = cheap.get(mesh.material) ?? new MeshLambertMaterial({ name, color, emissive });
    cheap.set(mesh.material, known);
    (mesh as Mesh).material = known;
  });
}
