import {
  BoxGeometry,
  type BufferGeometry,
  CircleGeometry,
  type Color,
  CylinderGeometry,
  Float32BufferAttribute,
  Group,
  type Material,
  MathUtils,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
} from 'three';
import { disposeTree } from '../../views/drawings/Drawing.js';
import { HALL_AT, PLACES, type Place, TERRACE_AT } from './plan.js';
import type { Scan } from './scans.js';

type Triple = readonly [x: number, y: number, z: number];

/** The floor of the hall, and the height of its ceiling. */
const FLOOR = 0.3;
const CEILING = 4.4;
/** The terrace: slabs of such a width with joints between them, in rows. */
const SLAB = 2.2;
const JOINT = 0.05;
const ROWS = 8;
const COLUMNS = 10;
const TERRACE = 0.06;
/** The middle of the pool, along z. */
const POOL_AT = 4.1;
/** Joints are so shallow that their dark sides do not show: narrower than a pixel, they would be dotted lines. */
const BED = 0.058;
/** Shadows fall this way from the sun of the player's view. */
const SHADE: readonly [x: number, z: number] = [-0.69, -0.56];
/** The share of a tint that glows. */
const GLOW = 0.35;
const SEED = 5;

/** An open hall with a terrace, and the scans on their plinths. */
export class Hall {
  readonly object = new Group();
  readonly scans: readonly Scan[];
  readonly #block = new BoxGeometry().translate(0, 0.5, 0);
  readonly #pole = new CylinderGeometry(0.5, 0.5, 1, 20).translate(0, 0.5, 0);
  readonly #disc = softDisc();
  readonly #shade = new MeshBasicMaterial({
    color: '#1b1a14',
    vertexColors: true,
    transparent: true,
    depthWrite: false,
  });
  /** The materials that scans came with, and copies that are tinted. */
  readonly #materials = new Map<Scan, { readonly own: Scan['material']; readonly tinted: Scan['material'] }>();

  constructor(scans: ReadonlyMap<string, Scan>) {
    this.object.name = 'Museum';
    this.object.add(this.#building(), this.#terrace(), this.#plinths());
    this.scans = PLACES.map((place) => this.#putScan(scans.get(place.name)!, place));
    this.object.add(...this.scans);
    for (const scan of this.scans) this.#materials.set(scan, { own: scan.material, tinted: scan.material.clone() });
  }

  /** Gives a scan a colour, or its own ones: null. It keeps its texture, which decides about its level as well. */
  tint(scan: Scan, colour: Color | null): void {
    const { own, tinted } = this.#materials.get(scan)!;
    scan.material = colour ? tinted : own;
    if (!colour) return;
    tinted.color.copy(colour);
    // Dark textures have colour, too.
    tinted.emissive.copy(colour).multiplyScalar(GLOW);
  }

  dispose(): void {
    for (const [scan, { own, tinted }] of this.#materials) {
      scan.material = own;
      tinted.dispose();
    }
    disposeTree(this.object);
    for (const geometry of [this.#block, this.#pole, this.#disc]) geometry.dispose();
    this.#shade.dispose();
  }

  #building(): Group {
    const hall = group('Hall');
    hall.position.x = HALL_AT;
    const [stone, plaster, clay] = [paint('#d9d2c4'), paint('#f1ede4'), paint('#a8523a')];
    const [wood, bronze] = [paint('#d8ab78'), paint('#4b423a')];
    this.#put(hall, 'Step', stone, [0, 0, -8], [27.4, FLOOR / 2, 13]);
    this.#put(hall, 'Floor', stone, [0, 0, -8.3], [26.4, FLOOR, 12]);
    this.#put(hall, 'Back wall', clay, [0.8, FLOOR, -12.6], [19, CEILING - FLOOR, 0.35]);
    this.#put(hall, 'Side wall', plaster, [-12.4, FLOOR, -11.2], [0.35, CEILING - FLOOR, 5]);
    this.#put(hall, 'Ceiling', wood, [0, CEILING, -8.1], [28, 0.08, 14]);
    this.#put(hall, 'Roof', plaster, [0, CEILING + 0.08, -8.1], [28.6, 0.34, 14.6]);
    for (const [i, x] of [-11.2, -3.8, 3.8, 11.2].entries()) {
      this.#put(hall, `Column ${i + 1}`, bronze, [x, FLOOR, -2.8], [0.2, CEILING - FLOOR, 0.2], this.#pole);
    }
    return hall;
  }

  /** Slabs with joints between them, over a darker bed, and a pool in their midst. */
  #terrace(): Group {
    const terrace = group('Terrace');
    const stones = ['#d3cab8', '#cbc2b0', '#d9d1c1'].map(paint);
    const [width, depth] = [SLAB * COLUMNS, SLAB * ROWS];
    const [left, back] = [TERRACE_AT - width / 2, -1.4];
    MathUtils.seededRandom(SEED);
    for (let i = 0; i < ROWS * COLUMNS; i++) {
      const [column, row] = [i % COLUMNS, Math.floor(i / COLUMNS)];
      const at: Triple = [left + SLAB * (column + 0.5), 0, back + SLAB * (row + 0.5)];
      const stone = stones[Math.floor(stones.length * MathUtils.seededRandom())]!;
      this.#put(terrace, `Slab ${i + 1}`, stone, at, [SLAB - JOINT, TERRACE, SLAB - JOINT]);
    }
    this.#put(terrace, 'Bed', paint('#a89f8c'), [TERRACE_AT, 0, back + depth / 2], [width - JOINT, BED, depth - JOINT]);
    this.#put(terrace, 'Rim', paint('#a79f90'), [TERRACE_AT, 0, POOL_AT], [8.8, TERRACE + 0.004, 6.6]);
    this.#put(terrace, 'Pool', paint('#4e8088'), [TERRACE_AT, 0, POOL_AT], [8.5, TERRACE + 0.008, 6.3]);
    return terrace;
  }

  #plinths(): Group {
    const plinths = group('Plinths');
    const stone = paint('#e6e1d7');
    for (const place of PLACES) {
      const { name, at, plinth } = place;
      const [x, z] = at;
      const [width, height] = plinth;
      this.#put(plinths, `Plinth of ${name}`, stone, [x, groundOf(place), z], [width, height, width]);
      if (z > 0) this.#putShade(plinths, place);
    }
    return plinths;
  }

  /** A soft shadow on the terrace, as long as the plinth and what stands on it. */
  #putShade(parent: Group, place: Place): void {
    const { name, at, size, plinth } = place;
    const [x, z] = at;
    const length = 0.9 * (plinth[1] + size);
    const shade = new Mesh(this.#disc, this.#shade);
    shade.name = `Shade of ${name}`;
    shade.position.set(x + 0.42 * length * SHADE[0], TERRACE + 0.02, z + 0.42 * length * SHADE[1]);
    shade.rotation.y = Math.atan2(SHADE[0], SHADE[1]);
    shade.scale.set(0.95 * plinth[0], 1, 0.72 * length + 0.5 * plinth[0]);
    parent.add(shade);
  }

  #putScan(scan: Scan, place: Place): Scan {
    const { at, size, turn, plinth } = place;
    // The node of a scan has its middle and half its size.
    scan.position.multiplyScalar(size).applyAxisAngle(this.object.up, turn);
    scan.position.x += at[0];
    scan.position.y += groundOf(place) + plinth[1];
    scan.position.z += at[1];
    scan.rotation.y = turn;
    scan.scale.multiplyScalar(size);
    return scan;
  }

  #put(
    parent: Group,
    name: string,
    material: Material,
    at: Triple,
    size: Triple,
    shape: BufferGeometry = this.#block,
  ): void {
    const part = new Mesh(shape, material);
    part.name = name;
    part.position.set(...at);
    part.scale.set(...size);
    parent.add(part);
  }
}

/** The floor on which a scan stands: of the hall, or of the terrace. */
function groundOf({ at }: Place): number {
  return at[1] < 0 ? FLOOR : TERRACE;
}

function group(name: string): Group {
  const made = new Group();
  made.name = name;
  return made;
}

function paint(color: string): MeshLambertMaterial {
  return new MeshLambertMaterial({ color });
}

/** A disc of radius 1 on the ground that fades to its border. */
function softDisc(): BufferGeometry {
  const disc = new CircleGeometry(1, 40).rotateX(-Math.PI / 2);
  const { count } = disc.getAttribute('position');
  // Its middle comes first.
  const colours = Array.from({ length: count }, (_, i) => [1, 1, 1, i === 0 ? 0.55 : 0]).flat();
  return disc.setAttribute('color', new Float32BufferAttribute(colours, 4));
}
