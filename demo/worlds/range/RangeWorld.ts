import { Box3, type Object3D, Vector3 } from 'three';
import type { SceneIndex } from '../../../src/index.js';
import type { FrameResult } from '../../measure/FrameResult.js';
import { MOST_ENTITIES, type RangeValues } from '../../state/controls/worldControls.js';
import { coordinates, counted, number } from '../../ui/parts/format.js';
import type { Drawing } from '../../views/drawings/Drawing.js';
import { Drawings } from '../../views/drawings/Drawings.js';
import { MapGround } from '../../views/drawings/MapGround.js';
import type { NumberedMesh } from '../../views/drawings/NumberedMesh.js';
import { PlaceDots } from '../../views/drawings/PlaceDots.js';
import { TowerSwarm } from '../../views/drawings/TowerSwarm.js';
import type { Report } from '../contract/Report.js';
import type { Colour, Description, PlayerPose, World } from '../contract/World.js';
import { Crowd, HALF } from './Crowd.js';
import { Figures } from './figures.js';
import { Surroundings } from './Surroundings.js';

/** Across the square and back, x and z. */
const ROUTE: [number, number][] = [
  [-150, 120],
  [-90, 40],
  [-120, -60],
  [-40, -130],
  [40, -70],
  [120, -130],
  [150, -20],
  [60, 30],
  [110, 120],
  [20, 150],
  [-30, 80],
  [-90, 150],
];
const GROUND = { width: 2 * HALF, depth: 2 * HALF };
const LEAST = new Vector3(-HALF, 0, -HALF);
const GREATEST = new Vector3(HALF, 0, HALF);

/** A player among wandering entities, and queries around the player: range, skill area, nearest. A unit is a metre. */
export class RangeWorld implements World {
  readonly root: Object3D;
  readonly staticObjects = [];
  readonly route = { seconds: 160, eyes: ROUTE.map(([x, z]) => new Vector3(x, 0, z)), ahead: 0.03, dip: 15 };
  readonly overview = { eye: new Vector3(0, 104, 74), target: new Vector3() };
  readonly follow = true;
  readonly bounds = new Box3(LEAST, GREATEST.clone().setY(3));
  readonly speed = 9;
  readonly near = 0.3;
  readonly ground = 0;
  readonly boom = { up: 4, back: 15 };
  readonly tolerance = 6;
  readonly swarm = { triangles: 6, how: 'A shader draws all entities in view as boxes, in a single draw call.' };
  readonly colours: Colour[] = [
    ['Within range', 'range'],
    ['Skill area', 'area'],
    ['Nearest', 'near'],
  ];
  readonly above: Drawing;
  readonly #values: RangeValues;
  readonly #crowd: Crowd;
  readonly #around = new Surroundings(MOST_ENTITIES);
  readonly #swarm: TowerSwarm;
  readonly #dots: PlaceDots;
  readonly #player: Drawing;
  #seconds = 0;

  constructor(values: RangeValues) {
    this.#values = values;
    this.#crowd = new Crowd(values.entities);
    this.root = this.#crowd.root;
    const { places } = this.#crowd;
    this.#swarm = new TowerSwarm(places, TowerSwarm.index(MOST_ENTITIES));
    this.#dots = new PlaceDots(places, MOST_ENTITIES, [2, 4]);
    this.#dots.count = this.#crowd.count;
    this.#swarm.marks = this.#dots.marks = this.#around.marks;
    const figures = () => new Figures(this.#around, values);
    this.#player = new Drawings([new MapGround({ ...GROUND, step: 5 }), this.#swarm, figures()]);
    this.above = new Drawings([new MapGround({ ...GROUND, step: 20 }), this.#dots, figures()]);
  }

  step(seconds: number): void {
    this.#seconds += seconds;
    this.#crowd.moveTo(this.#seconds);
  }

  query(index: SceneIndex, _: FrameResult, player: PlayerPose): void {
    this.#around.update(index, player, this.#values);
  }

  report(): Report {
    const { inRange, inArea, nearest, time } = this.#around;
    const { reach, skill } = this.#values;
    const distances = nearest.map(({ distance }) => number(distance, 1));
    const near = distances.length > 0 ? `${nearest.length} at ${distances[0]} to ${distances.at(-1)} m` : '–';
    return {
      title: 'Around the player',
      figure: number(inRange),
      unit: `within ${number(reach)} m`,
      rows: [
        ['Within range', counted(inRange, 'figure'), 'range'],
        ['Skill area', skill === 'none' ? '–' : counted(inArea, 'figure'), 'area'],
        ['Nearest', near, 'near'],
        ['Three queries', `${number(time.mean, 2)} ms`],
      ],
    };
  }

  onControlChanged(): void {
    if (this.#crowd.count === this.#values.entities) return;
    this.#crowd.resize(this.#values.entities);
    this.#dots.count = this.#crowd.count;
  }

  confine(position: Vector3): void {
    position.clamp(LEAST, GREATEST);
  }

  playerDrawing(classColours: boolean): Drawing {
    this.#swarm.byClass = classColours;
    return this.#player;
  }

  describe(object: Object3D): Description {
    const { x, z } = object.position;
    const { position } = this.#around;
    return {
      title: object.name,
      where: object.parent?.name ?? '',
      facts: [
        ['Position', coordinates(x, z)],
        ['From the player', `${number(Math.hypot(x - position.x, z - position.z), 1)} m`],
      ],
    };
  }

  moves(): boolean {
    return true;
  }

  remove(object: Object3D): void {
    object.removeFromParent();
    this.#dots.drop((object as NumberedMesh).number);
  }

  dispose(): void {
    this.#player.dispose();
    this.above.dispose();
    this.#crowd.dispose();
  }
}
