import { Box3, Group, Vector3 } from 'three';
import { degrees, number } from '../../ui/parts/format.js';
import { disposeTree } from '../../views/drawings/Drawing.js';
import { Drawings } from '../../views/drawings/Drawings.js';
import { MapGround } from '../../views/drawings/MapGround.js';
import { ObjectBatch } from '../../views/drawings/ObjectBatch.js';
import { ObjectList } from '../../views/drawings/ObjectList.js';
import { PlaceDots } from '../../views/drawings/PlaceDots.js';
import { TowerSwarm } from '../../views/drawings/TowerSwarm.js';
import type { World } from '../contract/World.js';
import { makeBeacon } from '../model/markers.js';
import { loadCities } from './Cities.js';
import { raiseTowers, Tower } from './raiseTowers.js';

/** Degrees. */
const MAP = { width: 360, depth: 180 };

/** 135,233 places on a map: x is the longitude, -z the latitude, a degree is a unit. */
export async function citiesWorld(progress: (share: number) => void): Promise<World> {
  const cities = await loadCities();

  const root = new Group();
  root.name = 'Cities';
  const { towers, places } = await raiseTowers(cities, progress);
  root.add(towers);

  // One swarm draws all towers; objects that the user adds are drawn themselves.
  const extras = new Group();
  const batch = new ObjectBatch(extras);
  const triangles = TowerSwarm.index(cities.count);
  const swarm = new TowerSwarm(places, triangles);
  const risen = new TowerSwarm(places, triangles);
  risen.byClass = true;
  const dots = new PlaceDots(places, cities.count);
  const player = new Drawings([
    new MapGround({ ...MAP, step: 2 }),
    swarm,
    new ObjectList((object) => !(object instanceof Tower)),
  ]);
  const above = new Drawings([new MapGround({ ...MAP, step: 10 }), dots, risen, batch]);

  return {
    root,
    staticObjects: [towers],
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
    tolerance: 6,
    swarm: { triangles: 6, how: 'A shader draws all places in view as towers, in a single draw call.' },
    above,
    playerDrawing(classColours) {
      swarm.byClass = classColours;
      return player;
    },
    describe(object) {
      if (!(object instanceof Tower)) return { title: object.name, where: 'Added by you', facts: [] };
      const place = object.number;
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
    add(point) {
      const beacon = makeBeacon();
      beacon.position.copy(point);
      root.add(beacon);
      batch.add(beacon);
      return beacon;
    },
    remove(object) {
      object.removeFromParent();
      batch.remove(object);
      if (object instanceof Tower) dots.drop(object.number);
    },
    dispose() {
      player.dispose();
      above.dispose();
      disposeTree(root);
      places.dispose();
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
