import { Group, type Object3D } from 'three';

/** Metres from one town to the next. */
const APART = 250;

/** Copies of a town around it, at rest, which share its geometries and materials. */
export class Towns {
  readonly group = new Group();
  readonly #town: Object3D;

  constructor(town: Object3D) {
    this.#town = town;
    this.group.name = 'Other towns';
  }

  /** @param times How many towns there are with the first. */
  set times(times: number) {
    const { children } = this.group;
    while (children.length >= times) children.at(-1)!.removeFromParent();
    while (children.length < times - 1) this.#add(children.length + 1);
  }

  /** Adds town number n of a square spiral around the first. */
  #add(n: number): void {
    const ring = Math.ceil((Math.sqrt(n + 1) - 1) / 2);
    const side = 2 * ring;
    const at = n - (2 * ring - 1) ** 2;
    const along = (at % side) - ring + 1;
    const [x, z] = [
      [ring, along],
      [-along, ring],
      [-ring, -along],
      [along, -ring],
    ][Math.floor(at / side)] as [number, number];
    const town = this.#town.clone();
    town.position.set(APART * x, 0, APART * z);
    town.traverse((object) => {
      object.static = true;
    });
    town.updateMatrixWorld(true);
    this.group.add(town);
  }
}
