import {
  BoxGeometry,
  DataTexture,
  FloatType,
  Group,
  type Material,
  MeshBasicMaterial,
  NearestFilter,
  RGBAFormat,
} from 'three';
import { pause } from './pause.js';
import type { Cities } from './readCities.js';
import { Tower } from './Tower.js';

const COLUMNS = 512;

/** The towers of all cities, and what they share. */
interface Towers {
  towers: Group;
  /** Four numbers a city: x, z, height and width of its tower. */
  places: DataTexture;
  geometry: BoxGeometry;
  material: Material;
}

/** Makes a tower for each city, as wide and high as it has people, a few thousand at a time. */
export async function raiseTowers(cities: Cities, progress: (share: number) => void): Promise<Towers> {
  const towers = new Group();
  towers.name = 'Places';
  // Their matrices never change.
  towers.matrixWorldAutoUpdate = false;
  const geometry = new BoxGeometry().translate(0, 0.5, 0);
  const material = new MeshBasicMaterial();
  const rows = Math.ceil(cities.count / COLUMNS);
  const numbers = new Float32Array(4 * COLUMNS * rows);
  for (let place = 0; place < cities.count; place++) {
    const x = cities.longitude[place]!;
    const z = -cities.latitude[place]!;
    const millions = cities.population[place]! / 1e6;
    const width = 0.03 + 0.09 * Math.min(1, Math.sqrt(millions));
    const height = 0.06 + 1.5 * Math.sqrt(millions);
    const tower = new Tower(geometry, material, place);
    tower.stand(x, z, width, height);
    towers.add(tower);
    numbers.set([x, z, height, width], 4 * place);
    if (place % 16384 === 16383) {
      progress(place / cities.count);
      await pause();
    }
  }
  const places = new DataTexture(numbers, COLUMNS, rows, RGBAFormat, FloatType);
  places.minFilter = places.magFilter = NearestFilter;
  places.needsUpdate = true;
  return { towers, places, geometry, material };
}
