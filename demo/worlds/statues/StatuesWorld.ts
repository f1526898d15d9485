import { Box3, type Mesh, MeshStandardMaterial, type Object3D, Vector3 } from 'three';
import type { StatuesValues } from '../../state/controls/worldControls.js';
import { number, reliableTime } from '../../ui/parts/format.js';
import { type Drawing, still } from '../../views/drawings/Drawing.js';
import { Drawings } from '../../views/drawings/Drawings.js';
import { MapGround } from '../../views/drawings/MapGround.js';
import { ObjectDots } from '../../views/drawings/ObjectDots.js';
import { INSIDE, INTERSECTING, MARKED } from '../../views/drawings/writeNumbers.js';
import type { Palette } from '../../views/stage/palette.js';
import type { Report, Row } from '../contract/Report.js';
import type { Colour, Description, PlayerFrame, Pose, Route, World } from '../contract/World.js';
import { describeObject } from '../model/modelWorld.js';
import { Difference } from './Difference.js';
import { Leveling } from './Leveling.js';
import { HALF_WIDTH, halfDepth, Park } from './Park.js';

/** The colours of what is drawn in full, and by finer and coarser levels. */
const COLOURS = ['near', 'intersecting', 'inside', 'range'] as const;
const KINDS = [MARKED + 2, INTERSECTING, INSIDE, MARKED];
const EYES = 1.9;
/** A round along the paths, x and z, in the smallest park and in all larger ones. */
const WAY: readonly (readonly [x: number, z: number])[] = [
  [-14, 17],
  [-14, -9],
  [-42, -15],
  [-42, 12],
  [14, 15],
  [42, 6],
  [42, -16],
  [14, -12],
];
const FAR = 1000;

/** A park of detailed statues: those farther away are drawn with fewer triangles, by levels of detail made in the page. */
export class StatuesWorld implements World {
  readonly root: Object3D;
  readonly route: Route = { seconds: 120, eyes: WAY.map(([x, z]) => new Vector3(x, EYES, z)), ahead: 0.02 };
  readonly follow = true;
  readonly overview: Pose = { eye: new Vector3(0, 95, 75), target: new Vector3(0, 0, -8) };
  readonly bounds = new Box3(new Vector3(-HALF_WIDTH, 0, -FAR), new Vector3(HALF_WIDTH, 12, FAR));
  readonly speed = 6;
  readonly near = 0.3;
  readonly ground = 0;
  readonly classes: readonly Colour[] = [
    ['All triangles', 'near'],
    ['Levels 1, 2', 'intersecting'],
    ['Levels 3, 4', 'inside'],
    ['Coarser', 'range'],
    ['Culled', 'culled'],
  ];
  readonly above: Drawing;
  readonly #values: StatuesValues;
  readonly #park: Park;
  readonly #leveling: Leveling;
  readonly #difference = new Difference();
  readonly #dots: LevelDots;
  readonly #player: Drawing;
  readonly #tints = COLOURS.map(() => new MeshStandardMaterial({ roughness: 0.6 }));

  constructor(values: StatuesValues) {
    this.#values = values;
    this.#park = new Park(values.statues);
    this.root = this.#park.root;
    this.#leveling = new Leveling(values);
    this.#dots = new LevelDots(this.#leveling);
    this.#dots.objects = this.#park.statues;
    const size = { width: 2 * HALF_WIDTH, depth: 2 * halfDepth(1000), step: 7 };
    this.above = new Drawings([new MapGround(size), this.#dots]);
    this.#player = new Drawings([still(this.root), still(this.#difference.object)]);
  }

  get staticObjects(): readonly Object3D[] {
    return [this.root];
  }

  step(): void {
    // Until it is drawn again: plain three has none.
    this.#difference.object.visible = false;
  }

  drawPlayer(frame: PlayerFrame, draw: () => number): number {
    if (this.#values.show === 'difference') this.#difference.draw(frame);
    const calls = this.#leveling.draw(frame, draw);
    this.#leveling.sort(frame);
    if (this.#values.show === 'levels') this.#tint();
    return calls;
  }

  report(): Report {
    const { on, off } = this.#leveling.costs;
    const { drawn, all } = this.#leveling.triangles;
    return {
      title: 'Levels of detail, on or off',
      figure: drawn > 0 ? `${(all / drawn).toFixed(1)} ×` : '–',
      unit: 'fewer triangles',
      rows: [
        ['Triangles drawn', number(drawn)],
        ['Without levels', number(all)],
        ['A frame, on', reliableTime(on.frame)],
        ['A frame, off', reliableTime(off.frame)],
        ['CPU time, on', reliableTime(on.cpu)],
        ['CPU time, off', reliableTime(off.cpu)],
        ...this.#leveling.shown.map(({ length }, share): Row => {
          const [label, colour] = this.classes[share]!;
          return [label, number(length), colour];
        }),
      ],
    };
  }

  onControlChanged(control: string): void {
    if (control === 'statues') {
      this.#park.resize(this.#values.statues);
      this.#dots.objects = this.#park.statues;
    }
    if (control === 'show' || control === 'levels') this.#untint();
    if (control !== 'levels') this.#leveling.reset();
  }

  confine(position: Vector3): void {
    const depth = halfDepth(this.#values.statues);
    position.set(
      Math.min(HALF_WIDTH, Math.max(-HALF_WIDTH, position.x)),
      Math.min(12, Math.max(0.5, position.y)),
      Math.min(depth, Math.max(-depth, position.z)),
    );
  }

  playerDrawing(classColours: boolean): Drawing {
    if (classColours) return this.above;
    return { ...still(this.#player.object), paint: (palette) => this.#paint(palette) };
  }

  describe(object: Object3D): Description {
    const { title, where, facts } = describeObject(object, this.root, 1);
    const { index } = (object as Mesh).geometry;
    return { title, where, facts: [...facts, ['Triangles', number((index?.count ?? 0) / 3)]] };
  }

  remove(object: Object3D): void {
    object.removeFromParent();
    this.#dots.drop(object);
  }

  dispose(): void {
    this.#leveling.dispose();
    this.#difference.dispose();
    this.above.dispose();
    for (const tint of this.#tints) tint.dispose();
    this.#park.dispose();
  }

  /** Gives each statue the colour of its level. */
  #tint(): void {
    this.#leveling.shown.forEach((list, share) => {
      for (const statue of list) statue.material = this.#tints[share]!;
    });
  }

  #untint(): void {
    for (const statue of this.#park.statues) statue.material = this.#park.stoneOf(statue);
  }

  #paint(palette: Palette): void {
    for (const [i, name] of COLOURS.entries()) this.#tints[i]!.color.copy(palette[name]);
  }
}

/** Statues from above, in the colours of their levels. */
class LevelDots extends ObjectDots {
  readonly #leveling: Leveling;

  constructor(leveling: Leveling) {
    super();
    this.#leveling = leveling;
  }

  override show(): void {
    this.mark(this.#leveling.shown.map((list, share) => [list, KINDS[share]!]));
  }
}
