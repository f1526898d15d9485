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
import type { TownValues } from '../../state/controls/worldControls.js';
import type { World } from '../contract/World.js';
import { modelWorld } from '../model/modelWorld.js';
import { People } from './People.js';
import { Towns } from './Towns.js';

/** A town of some 2,300 meshes under a sun. A windmill turns, and people walk. */
export async function townWorld(values: TownValues): Promise<World> {
  const { scene } = await new GLTFLoader().loadAsync(townUrl);
  cheapenMaterials(scene);
  scene.updateMatrixWorld();
  const mill = scene.getObjectByName('Windmill_rotor') ?? new Group();
  const people = new People(scene);
  const movers = [mill, ...people.objects];
  const moving = new Set<Object3D>();
  for (const mover of movers) mover.traverse((object) => moving.add(object));

  const towns = new Towns(scene);
  towns.times = values.times;
  return modelWorld(scene, {
    copies: towns.group,
    aboveCaption: () => (values.times > 1 ? `From above, the first of ${values.times} towns` : 'From above'),
    onControlChanged() {
      towns.times = values.times;
    },
    staticObjects: restingBeside(movers),
    hasShadows: true,
    moves: (object) => moving.has(object),
    step(seconds, batch) {
      mill.rotation.z += 0.6 * seconds;
      people.step(seconds);
      for (const object of moving) batch.move(object);
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

/** The largest subtrees beside those that move. The ancestors of what moves cannot be static. */
function restingBeside(movers: readonly Object3D[]): Object3D[] {
  const above = new Set<Object3D>();
  for (const { parent } of movers) for (let at = parent; at; at = at.parent) above.add(at);
  return [...above].flatMap(({ children }) => children.filter((child) => !above.has(child) && !movers.includes(child)));
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
    mesh.castShadow = mesh.receiveShadow = true;
  });
}
