import { type Object3D, Vector3 } from 'three';

/** Metres a second of the slowest; each of five is a little faster than the one before. */
const PACE = 1.1;

interface Walker {
  readonly object: Object3D;
  readonly path: readonly Vector3[];
  /** Metres from one point of the path to the next. */
  readonly lengths: readonly number[];
  readonly pace: number;
  /** Metres beside the middle of the pavement. */
  readonly beside: number;
  /** Metres gone along the path, to its end and back. */
  gone: number;
}

const slab = new Vector3();
const way = new Vector3();

/** The people of a town, who walk up and down its pavements. */
export class People {
  readonly objects: readonly Object3D[];
  readonly #walkers: readonly Walker[];

  constructor(town: Object3D) {
    const paths = pavementsOf(town);
    const people: Object3D[] = [];
    town.traverse((object) => {
      if (/^Person.\d+$/.test(object.name)) people.push(object);
    });
    this.objects = people;
    this.#walkers = people.map((object, i) => {
      const path = nearestPath(paths, object.position);
      const lengths = path.slice(1).map((point, at) => point.distanceTo(path[at]!));
      const whole = lengths.reduce((sum, length) => sum + length, 0);
      const gone = (whole * ((7 * i) % people.length)) / people.length;
      return { object, path, lengths, pace: PACE + 0.12 * (i % 5), beside: 0.35 * ((i % 3) - 1), gone };
    });
  }

  step(seconds: number): void {
    for (const walker of this.#walkers) {
      walker.gone += walker.pace * seconds;
      place(walker);
    }
  }
}

/** Puts a walker where the path has led it, facing ahead. */
function place({ object, path, lengths, gone, beside }: Walker): void {
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  const turns = Math.floor(gone / whole);
  const isBack = turns % 2 === 1;
  let rest = isBack ? whole - (gone - turns * whole) : gone - turns * whole;
  let at = 0;
  while (at < lengths.length - 1 && rest > lengths[at]!) rest -= lengths[at++]!;
  const [from, to] = [path[at]!, path[at + 1]!];
  way.subVectors(to, from).divideScalar(lengths[at]!);
  object.position.copy(from).addScaledVector(way, rest);
  object.position.x += beside * way.z;
  object.position.z -= beside * way.x;
  if (isBack) way.negate();
  object.rotation.set(0, Math.atan2(way.x, way.z), 0);
}

/** The middles of the slabs of each pavement, in their order. */
function pavementsOf(town: Object3D): Vector3[][] {
  const slabs = new Map<string, Vector3[]>();
  town.traverse((object) => {
    const found = /^(.+pavement.(?:left|right)).(\d+)$/.exec(object.name);
    const geometry = (object as { geometry?: { computeBoundingBox(): void; boundingBox: Box } }).geometry;
    if (!found || !geometry) return;
    geometry.computeBoundingBox();
    const { boundingBox } = geometry;
    boundingBox.getCenter(slab).setY(boundingBox.max.y);
    const all = slabs.get(found[1]!) ?? [];
    all[Number(found[2]) - 1] = slab.clone().applyMatrix4(object.matrixWorld);
    slabs.set(found[1]!, all);
  });
  return [...slabs.values()].map((all) => all.filter(Boolean)).filter((all) => all.length > 1);
}

type Box = { readonly max: Vector3; getCenter(target: Vector3): Vector3 };

function nearestPath(paths: readonly Vector3[][], from: Vector3): readonly Vector3[] {
  const away = (path: readonly Vector3[]): number => Math.min(...path.map((point) => point.distanceToSquared(from)));
  return paths.reduce((best, path) => (away(path) < away(best) ? path : best));
}
