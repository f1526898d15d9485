import { Box3, MathUtils, type Object3D, type Ray, Sphere, Vector3 } from 'three';
import satellitesUrl from '../../../assets/satellites.tle?url';
import type { SceneIndex } from '../../../src/index.js';
import type { SatelliteValues } from '../../state/controls/satelliteControls.js';
import { number } from '../../ui/parts/format.js';
import type { Drawing } from '../../views/drawings/Drawing.js';
import { Drawings } from '../../views/drawings/Drawings.js';
import type { NumberedMesh } from '../../views/drawings/NumberedMesh.js';
import { type Cities, loadCities } from '../cities/Cities.js';
import type { Report, Row } from '../contract/Report.js';
import type { Colour, Description, World } from '../contract/World.js';
import { CityLights } from './drawings/CityLights.js';
import { Globe } from './drawings/Globe.js';
import { ApproachLines, OrbitLine } from './drawings/lines.js';
import { SatelliteDots } from './drawings/SatelliteDots.js';
import { Stars } from './drawings/Stars.js';
import { CloseApproaches } from './orbits/CloseApproaches.js';
import { Ephemeris } from './orbits/Ephemeris.js';
import { Fleet } from './orbits/Fleet.js';
import { BEGIN, EARTH_RADIUS, earthAngle, Sky, UNIT } from './orbits/frame.js';

const EARTH = new Sphere(new Vector3(), EARTH_RADIUS);
/** Smallest distance of the player from the centre of the Earth. */
const LOWEST = 1.02 * EARTH_RADIUS;
/** Close approaches named in the report. */
const LISTED = 3;
/** Longitude at which the player starts: above Europe, where it is dusk. Radians. */
const START = 0.1;
const CLOCK = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

const struck = new Vector3();

export async function loadSatellites(values: SatelliteValues): Promise<World> {
  const [ephemeris, cities] = await Promise.all([loadEphemeris(), loadCities()]);
  return new SatellitesWorld(ephemeris, cities, values);
}

/** 3,333 satellites on their real orbits, and which of them come near to each other. A unit is 1,000 km. */
export class SatellitesWorld implements World {
  readonly root: Object3D;
  readonly staticObjects = [];
  readonly route = { seconds: 300, eyes: eastwards(9.2, 2.4), lookAt: new Vector3(0, 7.2, 0) };
  // Shows the start of the player and its view from the side.
  readonly overview = { eye: above(START + 0.9, 26, 13), target: new Vector3() };
  readonly follow = false;
  readonly bounds = new Box3(new Vector3(-10, -10, -10), new Vector3(10, 10, 10));
  readonly speed = 2;
  readonly near = 0.02;
  readonly ground = 0;
  readonly tolerance = 9;
  readonly night = true;
  readonly swarm = { triangles: 0, how: 'A shader draws all satellites in view as points, in a single draw call.' };
  readonly colours: Colour[] = [['Close approach', 'near']];
  readonly credit = 'Orbits: Space-Track.org, by way of three-globe. City data: GeoNames, CC BY 4.0';
  readonly above: Drawing;
  readonly #values: SatelliteValues;
  readonly #ephemeris: Ephemeris;
  readonly #fleet: Fleet;
  readonly #sky = new Sky();
  readonly #approaches: CloseApproaches;
  readonly #dots: SatelliteDots;
  readonly #player: Drawing;
  #seconds = 0;

  constructor(ephemeris: Ephemeris, cities: Cities, values: SatelliteValues) {
    this.#values = values;
    this.#ephemeris = ephemeris;
    const fleet = new Fleet(ephemeris);
    const approaches = new CloseApproaches(ephemeris);
    this.#fleet = fleet;
    this.#approaches = approaches;
    this.root = fleet.root;
    const sky = this.#sky;
    const swarm = { crowd: fleet.root, places: fleet.places, marks: approaches.marks, sky };
    const lights = CityLights.geometry(cities);
    const view = (kind: 'space' | 'map', dots: SatelliteDots) => [
      new Globe(kind, sky, new CityLights(kind, lights, sky.sun)),
      dots,
      new ApproachLines(approaches.found, ephemeris.places),
      new OrbitLine(ephemeris),
    ];
    this.#dots = new SatelliteDots('space', swarm);
    this.#player = new Drawings([new Stars(), ...view('space', this.#dots)]);
    this.above = new Drawings(view('map', new SatelliteDots('map', swarm)));
    this.step(0);
  }

  step(seconds: number): void {
    this.#seconds += 60 * this.#values.rate * seconds;
    this.#fleet.moveTo(this.#seconds, this.#values.nearer / UNIT);
    this.#sky.moveTo(this.#seconds);
  }

  query(index: SceneIndex): void {
    this.#approaches.find(index, this.#values.nearer);
  }

  report(): Report {
    const { found, candidates, time } = this.#approaches;
    const { names } = this.#ephemeris;
    const nearest = Array.from({ length: LISTED }, (_, i): Row => {
      const approach = found[i];
      if (!approach) return ['–', '', 'near'];
      return [`${names[approach.a]} – ${names[approach.b]}`, `${approach.kilometres.toFixed(1)} km`, 'near'];
    });
    return {
      title: `Close approaches, ${CLOCK.format(BEGIN.getTime() + 1000 * this.#seconds)} UTC`,
      figure: number(found.length),
      unit: `pairs nearer than ${number(this.#values.nearer)} km`,
      rows: [...nearest, [`Of ${number(candidates)} pairs of boxes, found in`, `${time.mean.toFixed(2)} ms`]],
    };
  }

  confine(position: Vector3): void {
    if (position.length() < LOWEST) position.setLength(LOWEST);
  }

  horizon(ray: Ray): number {
    return ray.intersectSphere(EARTH, struck)?.distanceTo(ray.origin) ?? Number.POSITIVE_INFINITY;
  }

  playerDrawing(classColours: boolean): Drawing {
    this.#dots.byClass = classColours;
    return this.#player;
  }

  describe(object: Object3D): Description {
    const { names, launches, places, velocities } = this.#ephemeris;
    const i = (object as NumberedMesh).number;
    const { inclination, period } = this.#ephemeris.orbit(i);
    const kilometres = (numbers: Float64Array) => UNIT * new Vector3().fromArray(numbers, 3 * i).length();
    return {
      title: names[i]!,
      where: `Launched ${yearOf(launches[i]!)}, ${launches[i]}`,
      facts: [
        ['Altitude', `${number(kilometres(places) - UNIT * EARTH_RADIUS)} km`],
        ['Speed', `${kilometres(velocities).toFixed(2)} km/s`],
        ['Inclination', `${MathUtils.radToDeg(inclination).toFixed(1)}°`],
        ['Revolution', `${period.toFixed(1)} min`],
      ],
    };
  }

  moves(): boolean {
    return true;
  }

  remove(object: Object3D): void {
    object.removeFromParent();
  }

  dispose(): void {
    this.#player.dispose();
    this.above.dispose();
    this.#fleet.dispose();
  }
}

async function loadEphemeris(): Promise<Ephemeris> {
  const response = await fetch(satellitesUrl);
  if (!response.ok) throw new Error(`The orbits could not be loaded (HTTP ${response.status}).`);
  return new Ephemeris(await response.text());
}

/** So far from the axis of the Earth and above the equator, over this longitude at second 0. */
function above(longitude: number, distance: number, height: number): Vector3 {
  const angle = earthAngle(0) + longitude;
  return new Vector3(distance * Math.cos(angle), height, -distance * Math.sin(angle));
}

/** A circle round the Earth. */
function eastwards(distance: number, height: number): Vector3[] {
  return Array.from({ length: 12 }, (_, i) => above(START + (i * Math.PI) / 6, distance, height));
}

/** Launch ids begin with two digits of the year; the first launch was in 1957. */
function yearOf(launch: string): number {
  const year = Number(launch.slice(0, 2));
  return year < 57 ? 2000 + year : 1900 + year;
}
