import { BoxGeometry, BufferAttribute, DynamicDrawUsage, Group, MeshBasicMaterial } from 'three';
import { NumberedMesh } from '../../../views/drawings/NumberedMesh.js';
import type { Ephemeris } from './Ephemeris.js';

/** Against rounding: boxes at exactly the given distance must touch. */
const HAIR = 1 + 1e-9;

/** The satellites as objects of a scene: cubes at their positions. */
export class Fleet {
  readonly root = new Group();
  /** The same places for drawing, by number. */
  readonly places: BufferAttribute;
  readonly #ephemeris: Ephemeris;
  readonly #satellites: NumberedMesh[];
  readonly #shape = new BoxGeometry();
  readonly #material = new MeshBasicMaterial();

  constructor(ephemeris: Ephemeris) {
    this.#ephemeris = ephemeris;
    this.root.name = 'Satellites';
    this.#satellites = ephemeris.names.map((name, i) => {
      const satellite = new NumberedMesh(this.#shape, this.#material, i);
      satellite.name = name;
      return satellite;
    });
    this.root.add(...this.#satellites);
    this.places = new BufferAttribute(new Float32Array(3 * ephemeris.count), 3).setUsage(DynamicDrawUsage);
  }

  /** Moves all, and scales their boxes to this edge. */
  moveTo(seconds: number, edge: number): void {
    const ephemeris = this.#ephemeris;
    const { places } = ephemeris;
    ephemeris.moveTo(seconds);
    for (const satellite of this.#satellites) {
      const i = satellite.number;
      satellite.position.set(places[3 * i]!, places[3 * i + 1]!, places[3 * i + 2]!);
      satellite.scale.setScalar(edge * HAIR);
      if (satellite.parent && !ephemeris.isUp(i)) satellite.removeFromParent();
    }
    (this.places.array as Float32Array).set(places);
    this.places.needsUpdate = true;
  }

  dispose(): void {
    this.#shape.dispose();
    this.#material.dispose();
  }
}
