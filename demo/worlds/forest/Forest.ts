import { Box3, type Object3D, type Scene, Vector3 } from 'three';
import type { AcceleratedScene } from '../../../src/index.js';
import type { ForestValues } from '../../state/controls/worldControls.js';
import type { Settings } from '../../state/Settings.js';
import { FrameGauges } from '../../ui/parts/FrameGauges.js';
import { number } from '../../ui/parts/format.js';
import { Drawings } from '../../views/drawings/Drawings.js';
import { ObjectDots } from '../../views/drawings/ObjectDots.js';
import { RenderComparison } from '../../views/RenderComparison.js';
import { SceneView } from '../../views/SceneView.js';
import { paletteOf } from '../../views/stage/palette.js';
import type { Stage } from '../../views/stage/Stage.js';
import type { Description, World } from '../contract/World.js';
import { describeObject } from '../model/modelWorld.js';
import { Daylight } from './Daylight.js';
import { Ground, GroundMap } from './Ground.js';
import { HALF, heightAt, SEA } from './land.js';
import { FOREST_ROUTE, NEAR } from './route.js';
import { Trees } from './Trees.js';

/** The eye stays so far above the ground. */
const CLEARANCE = 2;

/** A forest of thousands of meshes with shadows, drawn accelerated or by plain three. */
export class Forest extends SceneView implements World {
  readonly route = FOREST_ROUTE;
  readonly overview = { eye: new Vector3(0, 520, 400), target: new Vector3() };
  readonly follow = true;
  readonly bounds = new Box3(new Vector3(-HALF, SEA, -HALF), new Vector3(HALF, 60, HALF));
  readonly speed = 25;
  readonly ground = SEA;
  /** The island from above, with a dot for each tree. */
  readonly above: Drawings;
  readonly #values: ForestValues;
  readonly #trees = new Trees();
  readonly #ground = new Ground();
  readonly #dots = new ObjectDots();
  readonly #daylight = new Daylight();
  #stage: Stage | null = null;

  constructor(values: ForestValues) {
    super(
      new RenderComparison(),
      new FrameGauges('forest', ['index', 'batched', 'three'], 'Draw calls, with shadows', 'In the scene', {
        trees: 'Trees',
        built: 'Index built in',
      }),
      NEAR,
    );
    this.#values = values;
    this.scene.fog = this.#daylight.fog;
    this.scene.add(...this.#daylight.objects, ...this.staticObjects);
    this.above = new Drawings([new GroundMap(this.#ground), this.#dots]);
    this.#plant();
  }

  get root(): Scene {
    return this.scene;
  }

  get staticObjects(): Object3D[] {
    return [this.#ground.object, this.#trees.object];
  }

  openIndex(settings: Settings): AcceleratedScene {
    const index = this.comparison.open(settings, this.staticObjects);
    // It moves with the camera, and each change would have the nodes drawn anew.
    index.remove(this.#daylight.dome);
    return index;
  }

  remove(object: Object3D): void {
    object.removeFromParent();
    this.#dots.drop(object);
  }

  describe(object: Object3D): Description {
    return describeObject(object, this.scene, 1);
  }

  confine(position: Vector3): void {
    position.y = Math.max(position.y, Math.max(SEA, heightAt(position.x, position.z)) + CLEARANCE);
  }

  onControlChanged(control: string): void {
    if (control === 'trees') this.#plant();
    this.reset();
  }

  override dispose(): void {
    super.dispose();
    if (this.#stage) this.#stage.renderer.shadowMap.enabled = false;
    this.above.dispose();
    this.#trees.dispose();
    this.#ground.dispose();
    this.#daylight.dispose();
  }

  protected paint(isLight: boolean, far: number): void {
    const { sun, shadows } = this.#values;
    this.#daylight.rise(sun);
    this.#daylight.castShadow = shadows;
    this.#daylight.paint(paletteOf(isLight), far);
  }

  protected prepare(stage: Stage): void {
    this.#stage = stage;
    this.#daylight.follow(this.camera, heightAt);
    stage.renderer.shadowMap.enabled = true;
  }

  protected drawn(calls: number): number {
    return calls;
  }

  protected writeOwn(): void {
    const { gauges, comparison } = this;
    gauges.put('own', number(2 * this.#trees.count + this.#ground.pieces), 'meshes, none instanced');
    gauges.write('trees', number(this.#trees.count));
    gauges.write('built', `${number(comparison.buildTime)} ms`);
  }

  #plant(): void {
    this.#trees.plant(this.#values.trees);
    this.#dots.objects = this.#trees.crowns;
  }
}
