import { Box3, BoxGeometry, Group, MeshBasicMaterial, Vector3 } from 'three';
import citiesUrl from '../../../assets/cities.bin?url';
import { degrees, number } from '../../ui/parts/format.js';
import { disposeTree } from '../../views/drawings/Drawing.js';
import { Drawings } from '../../views/drawings/Drawings.js';
import { MapGround } from '../../views/drawings/MapGround.js';
import { NumberedMesh, numberTexture } from '../../views/drawings/NumberedMesh.js';
import { PlaceDots } from '../../views/drawings/PlaceDots.js';
import { TowerSwarm } from '../../views/drawings/TowerSwarm.js';
import type { World } from '../contract/World.js';

/** Degrees. */
const MAP = { width: 360, depth: 180 };

/** 135,233 places on a map: x is the longitude, -z the latitude, a degree is a unit. */
export async function citiesWorld(progress: (share: number) => void): Promise<World> {
  const cities = await loadCities();

  const { root, places } = await raiseTowers(cities, progress);

  // One swarm draws all towers.
  const triangles = TowerSwarm.index(cities.count);
  const swarm = new TowerSwarm(places, triangles);
  const risen = new TowerSwarm(places, triangles);
  risen.byClass = true;
  const dots = new PlaceDots(places, cities.count);
  const player = new Drawings([new MapGround({ ...MAP, step: 2 }), swarm]);
  const above = new Drawings([new MapGround({ ...MAP, step: 10 }), dots, risen]);

  return {
    root,
    staticObjects: [root],
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
      const place = (object as NumberedMesh).number;
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
    remove(object) {
      object.removeFromParent();
      dots.drop((object as NumberedMesh).number);
    },
    dispose() {
      player.dispose();
      above.dispose();
      disposeTree(root);
      places.dispose();
    },
  };
}

/**
 * Makes a tower for each city, as wide and high as it has people, a few thousand at a time. `places` holds four numbers a
 * city, to draw it by: x, z, height and width of its tower.
 */
async function raiseTowers(cities: Cities, progress: (share: number) => void) {
  const root = new Group();
  root.name = 'Places';
  const geometry = new BoxGeometry().translate(0, 0.5, 0);
  const material = new MeshBasicMaterial();
  const places = numberTexture(cities.count);
  for (let place = 0; place < cities.count; place++) {
    const x = cities.longitude[place]!;
    const z = -cities.latitude[place]!;
    const millions = cities.population[place]! / 1e6;
    const width = 0.03 + 0.09 * Math.min(1, Math.sqrt(millions));
    const height = 0.06 + 1.5 * Math.sqrt(millions);
    const tower = new NumberedMesh(geometry, material, place);
    tower.position.set(x, 0, z);
    tower.scale.set(width, height, width);
    // Its matrices never change.
    tower.updateMatrixWorld();
    tower.matrixAutoUpdate = tower.matrixWorldAutoUpdate = false;
    root.add(tower);
    places.image.data.set([x, z, height, width], 4 * place);
    if (place % 16384 === 16383) {
      progress(place / cities.count);
      // Lets the page react.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  return { root, places };
}

interface Cities {
  count: number;
  longitude: Float32Array;
  latitude: Float32Array;
  population: Uint32Array;
  country(place: number): string;
  nameOf(place: number): string;
}

async function loadCities(): Promise<Cities> {
  const response = await fetch(citiesUrl);
  if (!response.ok) throw new Error(`The places could not be loaded (HTTP ${response.status}).`);
  return readCities(await response.arrayBuffer());
}

/** Reads the format that assets/README.md describes. Places are sorted by population, largest first. */
function readCities(buffer: ArrayBuffer): Cities {
  const view = new DataView(buffer);
  if (view.getUint32(0) !== 0x43495459) throw new Error('This is not a file of places.');
  const count = view.getUint32(8, true);
  const codes = new Uint8Array(buffer, 12 + 12 * count, 2 * count);
  const namesAt = Math.ceil((12 + 14 * count) / 4) * 4;
  const bytes = new Uint8Array(buffer, namesAt + 4, view.getUint32(namesAt, true));
  const names = new TextDecoder().decode(bytes).split('\n');
  const countries = new Intl.DisplayNames(['en'], { type: 'region' });
  return {
    count,
    longitude: new Float32Array(buffer, 12, count),
    latitude: new Float32Array(buffer, 12 + 4 * count, count),
    population: new Uint32Array(buffer, 12 + 8 * count, count),
    country: (place) => countries.of(String.fromCharCode(codes[2 * place]!, codes[2 * place + 1]!))!,
    nameOf: (place) => names[place]!,
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
