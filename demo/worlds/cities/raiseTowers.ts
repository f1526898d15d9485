import { BoxGeometry, Group, MeshBasicMaterial } from 'three';
import { NumberedMesh } from '../../views/drawings/NumberedMesh.js';
import { numberTexture } from '../../views/drawings/numberTexture.js';
import type { Cities } from './Cities.js';

/** A place on the map; its number is that in the list of places. It never moves. */
export class Tower extends NumberedMesh {
  override matrixAutoUpdate = false;
  override matrixWorldAutoUpdate = false;

  /** Puts it on (x, 0, z). */
  stand(x: number, z: number, width: number, height: number): void {
    this.position.set(x, 0, z);
    this.scale.set(width, height, width);
    const { elements } = this.matrix;
    elements[0] = elements[10] = width;
    elements[5] = height;
    elements[12] = x;
    elements[14] = z;
    this.matrixWorld.copy(this.matrix);
  }
}

/** The towers of all cities, and for drawing four numbers a city: x, z, height and width of its tower. */
interface Towers {
  towers: Group;
  places: ReturnType<typeof numberTexture>;
}

/** Makes a tower for each city, as wide and high as it has people, a few thousand at a time. */
export async function raiseTowers(cities: Cities, progress: (share: number) => void): Promise<Towers> {
  const towers = new Group();
  towers.name = 'Places';
  // Their matrices never change.
  towers.matrixWorldAutoUpdate = false;
  const geometry = new BoxGeometry().translate(0, 0.5, 0);
  const material = new MeshBasicMaterial();
  const places = numberTexture(cities.count);
  for (let place = 0; place < cities.count; place++) {
    const x = cities.longitude[place]!;
    const z = -cities.latitude[place]!;
    const millions = cities.population[place]! / 1e6;
    const width = 0.03 + 0.09 * Math.min(1, Math.sqrt(millions));
    const height = 0.06 + 1.5 * Math.sqrt(millions);
    const tower = new Tower(geometry, material, place);
    tower.stand(x, z, width, height);
    towers.add(tower);
    places.image.data.set([x, z, height, width], 4 * place);
    if (place % 16384 === 16383) {
      progress(place / cities.count);
      // Lets the page react.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  return { towers, places };
}
