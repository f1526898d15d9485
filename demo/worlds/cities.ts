import {
  Box3,
  BoxGeometry,
  DataTexture,
  FloatType,
  Group,
  MeshBasicMaterial,
  NearestFilter,
  type Object3D,
  Plane,
  type Ray,
  RGBAFormat,
  Sphere,
  Vector3,
} from 'three';
import citiesUrl from '../../assets/cities.bin?url';
import type { SceneIndex } from '../../src/index.js';
import { Drawings } from '../views/Drawings.js';
import { MapGround } from '../views/MapGround.js';
import { ObjectBatch } from '../views/ObjectBatch.js';
import { ObjectList } from '../views/ObjectList.js';
import { PlaceDots } from '../views/PlaceDots.js';
import { TowerSwarm } from '../views/TowerSwarm.js';
import { degrees, number } from './format.js';
import { makeBeacon } from './markers.js';
import { pause } from './pause.js';
import { readCities } from './readCities.js';
import { Tower } from './Tower.js';
import type { World } from './World.js';

const COLUMNS = 512;
const GROUND = new Plane(new Vector3(0, 1, 0), 0);

/** 135,233 places on a map: x is the longitude, -z the latitude, a degree is a unit. */
export async function citiesWorld(progress: (share: number) => void): Promise<World> {
  const response = await fetch(citiesUrl);
  if (!response.ok) throw new Error(`The places could not be loaded (HTTP ${response.status}).`);
  const cities = readCities(await response.arrayBuffer());

  const root = new Group();
  root.name = 'Cities';
  const towers = new Group();
  towers.name = 'Places';
  // Their matrices are set once; nobody needs to ask again.
  towers.matrixWorldAutoUpdate = false;
  root.add(towers);

  const geometry = new BoxGeometry().translate(0, 0.5, 0);
  const material = new MeshBasicMaterial();
  const rows = Math.ceil(cities.count / COLUMNS);
  const places = new Float32Array(4 * COLUMNS * rows);
  for (let place = 0; place < cities.count; place++) {
    const x = cities.longitude[place]!;
    const z = -cities.latitude[place]!;
    const millions = cities.population[place]! / 1e6;
    const width = 0.03 + 0.09 * Math.min(1, Math.sqrt(millions));
    const height = 0.06 + 1.5 * Math.sqrt(millions);
    const tower = new Tower(geometry, material, place);
    tower.stand(x, z, width, height);
    towers.add(tower);
    places.set([x, z, height, width], 4 * place);
    if (place % 16384 === 16383) {
      progress(place / cities.count);
      await pause();
    }
  }
  const texture = new DataTexture(places, COLUMNS, rows, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;

  // The towers themselves are drawn as instances; only what the user adds is drawn as it is.
  const extras = new Group();
  const batch = new ObjectBatch(extras);
  const triangles = TowerSwarm.index(cities.count);
  const swarm = new TowerSwarm(texture, triangles);
  const risen = new TowerSwarm(texture, triangles);
  risen.byClass = true;
  const dots = new PlaceDots(texture, cities.count);
  const player = new Drawings([new MapGround('ground'), swarm, new ObjectList((object) => !(object instanceof Tower))]);
  const above = new Drawings([new MapGround('map'), dots, risen, batch]);

  return {
    name: 'cities',
    root,
    resting: [towers],
    animate() {},
    route: {
      seconds: 150,
      eyes: ROUTE.map(([x, z, y]) => new Vector3(x, y, -z)),
      ahead: 0.05,
      dip: 2.6,
    },
    overview: { eye: new Vector3(2, 44, 16), target: new Vector3(5, 0, -7) },
    follow: true,
    bounds: new Box3(new Vector3(-180, 0, -85), new Vector3(180, 8, 60)),
    speed: 5,
    near: 0.05,
    ground: 0,
    above,
    credit: 'City data: GeoNames, CC BY 4.0',
    playerDrawing(classColours) {
      swarm.byClass = classColours;
      return player;
    },
    describe(object) {
      if (!(object instanceof Tower)) return { title: object.name, where: 'Added by you', facts: [] };
      const { place } = object;
      const people = cities.population[place]!;
      return {
        title: cities.nameOf(place),
        where: cities.country(place),
        facts: [
          ['Population', people ? number(people) : 'not known'],
          ['Position', degrees(cities.latitude[place]!, cities.longitude[place]!)],
        ],
      };
    },
    nearRay: (index, ray, tolerance) => nearestOnMap(index, ray, tolerance),
    place(point) {
      const beacon = makeBeacon();
      beacon.position.copy(point);
      root.add(beacon);
      batch.add(beacon);
      return beacon;
    },
    take(object) {
      object.removeFromParent();
      batch.remove(object);
      if (object instanceof Tower) dots.drop(object.place);
    },
    dispose() {
      player.dispose();
      above.dispose();
      geometry.dispose();
      material.dispose();
      texture.dispose();
    },
  };
}

/** Longitude, latitude, height: round Europe, over its crowded parts. */
const ROUTE: [number, number, number][] = [
  [-6.5, 35.2, 3.4],
  [-2.5, 42.5, 2.6],
  [1.2, 49.2, 2.2],
  [3.5, 54.5, 3.2],
  [13, 55.2, 2.6],
  [23, 54, 2.4],
  [34, 53, 2.6],
  [39, 46, 3],
  [30, 38, 2.6],
  [21, 38.5, 2.4],
  [12, 38, 2.6],
  [3, 35.5, 3.4],
];

const ground = new Vector3();
const around = new Sphere();
const found: Object3D[] = [];
const towardsObject = new Vector3();

/** The place that appears nearest to the pointer, within some pixels. */
function nearestOnMap(index: SceneIndex, ray: Ray, tolerance: number): Object3D | null {
  if (!ray.intersectPlane(GROUND, ground)) return null;
  const reach = ground.distanceTo(ray.origin) * tolerance * 6;
  // Looked at flatly, a pixel covers too much ground for a guess.
  around.set(ground, Math.min(reach, 2));
  index.querySphere(around, found);
  let best: Object3D | null = null;
  let bestDistance = reach;
  for (const object of found) {
    const distance = ray.distanceToPoint(towardsObject.copy(object.position));
    if (distance < bestDistance) {
      best = object;
      bestDistance = distance;
    }
  }
  return best;
}
