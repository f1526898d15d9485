import { type BufferGeometry, Group, type Material, Mesh, MeshLambertMaterial } from 'three';
import { type Facade, flats, shops } from './facades.js';
import { bench, block, car, crown, gable, lamp, trunk } from './shapes.js';

/** A place, or a size: along x, y and z, in metres. */
export type Metres = readonly [x: number, y: number, z: number];

/**
 * Puts up the things of the town, and holds the geometries and materials that they share, and those made for one of them: to be
 * freed together.
 */
export class Kit {
  // First: the fields below keep shapes already.
  readonly #kept = new Set<BufferGeometry>();
  readonly #block = this.keep(block());
  readonly gable = this.keep(gable());
  readonly car = this.keep(car());
  readonly lamp = lamp().map((shape) => this.keep(shape)) as [BufferGeometry, BufferGeometry];
  readonly bench = this.keep(bench());
  readonly trunk = this.keep(trunk());
  readonly crowns = [0, 1, 2].map((variant) => this.keep(crown(variant)));
  /** Of parts with a colour at each vertex. */
  readonly painted = new MeshLambertMaterial({ vertexColors: true });
  /** Dark by day. */
  readonly lampLight = new MeshLambertMaterial({ color: '#e9e4d6', emissive: '#ffcf87' });
  readonly #facades = [flats(), shops()] as const;
  readonly #materials = new Map<string, MeshLambertMaterial>();
  readonly #lit: MeshLambertMaterial[] = [this.lampLight];
  readonly #counts = new Map<string, number>();
  #group = new Group();

  /** Begins a group: what is put up next belongs to it. */
  begin(name: string): Group {
    this.#group = new Group();
    this.#group.name = name;
    return this.#group;
  }

  /** Puts up a thing. Its name counts its kind on through all groups. */
  put(
    kind: string,
    geometry: BufferGeometry,
    material: Material,
    place: Metres,
    size: Metres = [1, 1, 1],
    angle = 0,
  ): Mesh {
    const number = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, number);
    const mesh = new Mesh(geometry, material);
    mesh.name = `${kind} ${number}`;
    mesh.position.set(...place);
    mesh.scale.set(...size);
    mesh.rotation.y = angle;
    this.#group.add(mesh);
    return mesh;
  }

  /** Puts up a box that stands on its place. */
  box(kind: string, material: Material, place: Metres, size: Metres, angle = 0): Mesh {
    return this.put(kind, this.#block, material, place, size, angle);
  }

  /** Of walls with flats behind them. */
  flats(color: string): MeshLambertMaterial {
    return this.#facade(`flats ${color}`, color, this.#facades[0]);
  }

  shops(color: string): MeshLambertMaterial {
    return this.#facade(`shops ${color}`, color, this.#facades[1]);
  }

  plain(color: string): MeshLambertMaterial {
    return this.#material(color, () => new MeshLambertMaterial({ color }));
  }

  /** Something of a car’s paint: the parts that are white get this colour. */
  paint(color: string): MeshLambertMaterial {
    return this.#material(`paint ${color}`, () => new MeshLambertMaterial({ color, vertexColors: true }));
  }

  /** Has a geometry freed with the rest. */
  keep<T extends BufferGeometry>(geometry: T): T {
    this.#kept.add(geometry);
    return geometry;
  }

  /** Turns the lights of lamps and windows on or off. */
  set isNight(isNight: boolean) {
    for (const material of this.#lit) material.emissiveIntensity = isNight ? 1 : 0;
  }

  dispose(): void {
    for (const shape of this.#kept) shape.dispose();
    for (const material of [...this.#materials.values(), this.painted, this.lampLight]) material.dispose();
    for (const { map, light } of this.#facades) for (const texture of [map, light]) texture.dispose();
  }

  #facade(name: string, color: string, { map, light }: Facade): MeshLambertMaterial {
    return this.#material(name, () => {
      const material = new MeshLambertMaterial({ color, map, emissive: '#ffffff', emissiveMap: light });
      this.#lit.push(material);
      return material;
    });
  }

  #material(name: string, make: () => MeshLambertMaterial): MeshLambertMaterial {
    const material = this.#materials.get(name) ?? make();
    this.#materials.set(name, material);
    return material;
  }
}
