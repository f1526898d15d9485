import { BatchedMesh, Box3, Color, Group, Object3D, type Raycaster, Vector3 } from 'three';
import { type AcceleratedScene, accelerate } from '../../../src/index.js';
import { forEachMode } from '../../measure/DrawCosts.js';
import { Meter } from '../../measure/Meter.js';
import type { MillionValues } from '../../state/controls/worldControls.js';
import type { Mode } from '../../state/Settings.js';
import { counted, number } from '../../ui/parts/format.js';
import { type Drawing, still } from '../../views/drawings/Drawing.js';
import type { NumberedMesh } from '../../views/drawings/NumberedMesh.js';
import type { Report } from '../contract/Report.js';
import type { Colour, Description, PlayerFrame, World } from '../contract/World.js';
import { describeObject } from '../model/modelWorld.js';
import { boxOf, galaxyOf, MILLION_ROUTE, RADIUS } from './Galaxy.js';
import { GalaxyDots, MOST } from './GalaxyDots.js';

const SPACE = new Color('#04060b');
/** Triangles of a box. */
const TRIANGLES = 12;
/** Updates before each of the first frames: half a millisecond of each goes into the index of the instances. */
const UPDATES = 20;
const FIRST_FRAMES = 100;

/** A million boxes in one mesh, drawn by an index of them or by plain three. The page has no object to index. */
export class Million implements World {
  readonly root = new Object3D();
  readonly staticObjects = [];
  readonly route = MILLION_ROUTE;
  readonly overview = { eye: new Vector3(0, 1.9 * RADIUS, 1.7 * RADIUS), target: new Vector3(0, 0, 0.1 * RADIUS) };
  readonly follow = false;
  readonly bounds = new Box3().setFromCenterAndSize(new Vector3(), new Vector3().setScalar(2 * RADIUS));
  readonly speed = 60;
  readonly near = 0.5;
  readonly ground = -RADIUS;
  readonly swarm = { triangles: TRIANGLES, how: 'All instances in view are drawn in a single draw call of the mesh.' };
  readonly palette = { sky: SPACE, zenith: SPACE, sun: 2.4, ambient: 1.6 };
  readonly above = new GalaxyDots();
  readonly classes: readonly Colour[] = [
    ['In view', 'inside'],
    ['Culled', 'culled'],
    ['Picked', 'picked'],
  ];
  readonly #values: MillionValues;
  readonly #pickTime = new Meter();
  readonly #player = new Group();
  /** Instances of the last picture in each way. */
  #drawn: Record<Mode, number | null> = forEachMode(() => null);
  #mode: Mode = 'index';
  #galaxy!: BatchedMesh;
  #index: AcceleratedScene | null = null;
  #frames = 0;

  constructor(values: MillionValues) {
    this.#values = values;
    this.onControlChanged();
  }

  get drawingIndex(): AcceleratedScene | null {
    return this.#index;
  }

  onControlChanged(): void {
    const { instances } = this.#values;
    this.#galaxy?.removeFromParent().dispose();
    this.#galaxy = galaxyOf(instances);
    // It is drawn first of all that has triangles.
    this.#galaxy.onAfterRender = ({ info }) => {
      this.#drawn[this.#mode] = info.render.triangles / TRIANGLES;
    };
    this.#player.add(this.#galaxy);
    this.above.take(this.#galaxy, instances);
    this.#drawn = forEachMode(() => null);
    this.#frames = 0;
  }

  drawPlayer({ scene, camera, mode }: PlayerFrame, draw: (update?: () => void) => number): number {
    this.above.aim(camera);
    this.#mode = mode;
    if (mode === 'three') return this.#drawPlain(draw);
    this.#index ??= accelerate(scene);
    const index = this.#index;
    if (this.#frames++ < FIRST_FRAMES) for (let i = 0; i < UPDATES; i++) index.update();
    return draw(() => index.update());
  }

  report(): Report {
    const { mean } = this.#pickTime;
    const drawn = (mode: Mode): string => (this.#drawn[mode] === null ? '–' : number(this.#drawn[mode]));
    return {
      title: 'Instances drawn',
      figure: drawn(this.#mode),
      unit: `of ${counted(this.#values.instances, 'instance')}`,
      rows: [
        ['Index', drawn('index')],
        ['Plain three', drawn('three')],
        ['A pick under the pointer', mean > 0 ? `${number(1000 * mean)} µs` : '–'],
      ],
    };
  }

  aboveCaption(): string {
    return `From above, ${number(MOST)} dots at most`;
  }

  playerDrawing(classColours: boolean): Drawing {
    return classColours ? this.above : still(this.#player);
  }

  pick(raycaster: Raycaster): { object: Object3D; distance: number } | null {
    const [hit] = this.#pickTime.time(() => raycaster.intersectObject(this.#galaxy));
    const id = hit?.batchId;
    return id === undefined ? null : { object: boxOf(this.#galaxy, id), distance: hit!.distance };
  }

  has(object: Object3D): boolean {
    return (object as NumberedMesh).number < this.#values.instances;
  }

  whyNot(): string {
    return 'An instance is no object of the scene: the mesh as a whole is drawn and removed.';
  }

  describe(object: Object3D): Description {
    return { ...describeObject(object, object, 1), where: 'Instance of a mesh' };
  }

  remove(): void {}

  dispose(): void {
    this.#index?.dispose();
    this.above.dispose();
    this.#galaxy.dispose();
  }

  /** Draws a mesh that is the same, and drawn by three's own methods whatever is put on this one. */
  #drawPlain(draw: () => number): number {
    const { _updateDrawParameters, onBeforeRender } = BatchedMesh.prototype as unknown as Record<string, unknown>;
    const twin = Object.assign(Object.create(this.#galaxy), { _updateDrawParameters, onBeforeRender });
    const { children } = this.#player;
    this.#player.children = [twin];
    const calls = draw();
    this.#player.children = children;
    return calls;
  }
}
