import { Box3, Group, MathUtils, type Mesh, type Object3D, Vector3 } from 'three';
import type { AcceleratedScene } from '../../../src/index.js';
import type { StreetValues } from '../../state/controls/worldControls.js';
import { counted, number } from '../../ui/parts/format.js';
import { type Drawing, still } from '../../views/drawings/Drawing.js';
import { Drawings } from '../../views/drawings/Drawings.js';
import { ObjectBatch } from '../../views/drawings/ObjectBatch.js';
import type { Palette } from '../../views/stage/palette.js';
import type { Report } from '../contract/Report.js';
import type { Colour, Description, PlayerFrame, Pose, World } from '../contract/World.js';
import { describeObject } from '../model/modelWorld.js';
import { Hiding } from './Hiding.js';
import { putHouse } from './houses.js';
import { Kit } from './Kit.js';
import { Obstacles } from './Obstacles.js';
import { putGround, putSquare, putSurroundings } from './outdoors.js';
import { HALF, planBlocks } from './plan.js';
import { ROUTE } from './route.js';

const SEED = 17;
/** Kinds of things that a walker does not pass. */
const SOLID = /^(Shop|Tower) /;
/** Kinds that the view from above leaves out: too small for it, or the ground of all. */
const NOT_ABOVE = /^(Ground|Ledge|Cornice|Chimney|Sign|Railing|Balcony|Light)\b/;
/** Darker skies are those of the evening. */
const DUSK = 0.3;

/** A town of closed blocks, walked through on foot: most of what is in view lies behind walls. */
export class StreetWorld implements World {
  readonly root = new Group();
  readonly staticObjects: readonly Object3D[];
  readonly route = ROUTE;
  readonly overview: Pose = { eye: new Vector3(0, 235, 120), target: new Vector3(0, 0, -20) };
  readonly follow = true;
  readonly bounds = new Box3(new Vector3(-HALF, -1, -HALF), new Vector3(HALF, 48, HALF));
  readonly speed = 5;
  readonly near = 0.1;
  readonly ground = 0;
  /** The height of the eyes. */
  readonly boom = { up: 1.7, back: 0 };
  readonly colours: readonly Colour[] = [['Behind others', 'hidden']];
  readonly above: Drawing;
  readonly #kit = new Kit();
  readonly #hiding: Hiding;
  readonly #batch: ObjectBatch;
  readonly #obstacles: Obstacles;
  readonly #player: Drawing;

  constructor(values: StreetValues) {
    this.#build();
    this.root.updateMatrixWorld(true);
    this.staticObjects = [...this.root.children];
    this.#hiding = new Hiding(this.root, this.staticObjects, values);
    // What is added later is put up here.
    this.root.add(this.#kit.begin('Added'));
    const solid: Mesh[] = [];
    this.root.traverse((object) => {
      if (SOLID.test(object.name)) solid.push(object as Mesh);
    });
    this.#obstacles = new Obstacles(solid);
    this.#batch = new ObjectBatch(this.root, ({ name }) => !NOT_ABOVE.test(name));
    this.above = new Drawings([this.#batch, still(this.#hiding.outlines)]);
    this.#player = new Drawings([still(this.root), still(this.#hiding.over)]);
  }

  get drawingIndex(): AcceleratedScene | null {
    return this.#hiding.index;
  }

  drawPlayer(frame: PlayerFrame, draw: (update?: () => void) => number): number {
    return this.#hiding.draw(frame, draw);
  }

  report(): Report {
    const { inView, drawn } = this.#hiding.counts;
    const left = inView - drawn;
    return {
      title: 'Occlusion culling',
      figure: `${number(inView > 0 ? (100 * left) / inView : 0)} %`,
      unit: 'of what is in view is hidden',
      rows: [
        ['Behind others', counted(left, 'object'), 'hidden'],
        ['Drawn', counted(drawn, 'object')],
      ],
    };
  }

  confine(position: Vector3): void {
    this.#obstacles.keepOut(position.setY(0));
    position.clamp(this.bounds.min, this.bounds.max).setY(0);
  }

  playerDrawing(classColours: boolean): Drawing {
    const player = this.#player;
    if (classColours) return this.above;
    return {
      object: player.object,
      show: (result) => player.show(result),
      paint: (palette: Palette) => {
        this.#kit.isNight = palette.sky.g < DUSK;
      },
      dispose() {},
    };
  }

  describe(object: Object3D): Description {
    return describeObject(object, this.root, 1);
  }

  add(point: Vector3): Object3D {
    const crate = this.#kit.box('Crate', this.#kit.plain('#b08d5b'), [point.x, point.y, point.z], [0.8, 0.8, 0.8]);
    this.#batch.add(crate);
    return crate;
  }

  remove(object: Object3D): void {
    object.removeFromParent();
    this.#batch.remove(object);
  }

  dispose(): void {
    this.#hiding.dispose();
    this.#player.dispose();
    this.above.dispose();
    this.#kit.dispose();
  }

  #build(): void {
    const kit = this.#kit;
    const blocks = planBlocks(SEED);
    this.root.add(kit.begin('Ground'));
    putGround(kit);
    MathUtils.seededRandom(SEED);
    for (const block of blocks) {
      const { isSquare, row, column } = block;
      this.root.add(kit.begin(isSquare ? 'The square' : `Block ${row + 1}.${column + 1}`));
      putSurroundings(kit, block);
      for (const house of block.houses) putHouse(kit, house);
      if (isSquare) putSquare(kit, block);
    }
  }
}
