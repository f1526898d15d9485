import { type Object3D, PerspectiveCamera, Scene } from 'three';
import type { AcceleratedScene } from '../../../src/index.js';
import { Meter } from '../../measure/Meter.js';
import type { ForestValues } from '../../state/controls/forestControls.js';
import type { Settings } from '../../state/Settings.js';
import { isLight } from '../../state/theme.js';
import { byId } from '../../ui/parts/element.js';
import { number, reliableTime } from '../../ui/parts/format.js';
import { Drawings } from '../../views/drawings/Drawings.js';
import { ObjectDots } from '../../views/drawings/ObjectDots.js';
import { RenderComparison } from '../../views/RenderComparison.js';
import { paletteOf } from '../../views/stage/palette.js';
import type { Stage } from '../../views/stage/Stage.js';
import type { CustomView } from '../contract/CustomView.js';
import type { Report } from '../contract/Report.js';
import { Daylight } from './Daylight.js';
import { Ground, GroundMap } from './Ground.js';
import { Instruments } from './Instruments.js';
import { heightAt } from './land.js';
import { NEAR } from './route.js';
import { Trees } from './Trees.js';

/** A forest of thousands of meshes with shadows, drawn accelerated or by plain three. */
export class Forest implements CustomView {
  readonly element = null;
  readonly instruments: HTMLElement;
  readonly hasAbove = true;
  readonly camera = new PerspectiveCamera();
  /** The island from above, with a dot for each tree. */
  readonly above: Drawings;
  onValuesChanged = (): void => {};
  readonly #values: ForestValues;
  readonly #comparison: RenderComparison;
  readonly #trees = new Trees();
  readonly #ground = new Ground();
  readonly #dots = new ObjectDots();
  readonly #daylight = new Daylight();
  readonly #instruments = new Instruments();
  readonly #frame = new Meter();
  #stage: Stage | null = null;
  #look = '';

  constructor(values: ForestValues) {
    this.#values = values;
    this.instruments = this.#instruments.element;
    const scene = new Scene().add(...this.#daylight.objects, this.#ground.object, this.#trees.object);
    scene.fog = this.#daylight.fog;
    this.#comparison = new RenderComparison(scene);
    this.above = new Drawings([new GroundMap(this.#ground), this.#dots]);
    this.#plant();
  }

  get scene(): Scene {
    return this.#comparison.scene;
  }

  /** Subtrees at rest. */
  get resting(): Object3D[] {
    return [this.#ground.object, this.#trees.object];
  }

  get index(): AcceleratedScene | null {
    return this.#comparison.index;
  }

  /** Accelerates the scene. */
  open(settings: Settings): AcceleratedScene {
    const index = this.#comparison.open(settings, this.resting);
    // It moves with the camera, and each change would have the nodes drawn anew.
    index.remove(this.#daylight.dome);
    return index;
  }

  remove(object: Object3D): void {
    object.removeFromParent();
    this.#dots.drop(object);
  }

  get report(): Report {
    const { index, batched, three } = this.#comparison.turns.costs;
    return {
      title: 'A frame',
      figure: number(this.#meshes),
      unit: 'meshes',
      rows: [
        ['Trees', number(this.#trees.count)],
        ['Objects', number(this.#comparison.followed)],
        ['Draw calls, accelerated', number(index.drawn)],
        ['Draw calls, batched', number(batched.drawn)],
        ['Draw calls, plain three', number(three.drawn)],
        ['CPU time, accelerated', reliableTime(index.cpu)],
        ['CPU time, plain three', reliableTime(three.cpu)],
      ],
    };
  }

  valueChanged(control: string): void {
    if (control === 'trees') this.#plant();
    this.#reset();
  }

  frame(stage: Stage, settings: Settings, milliseconds: number, updateNumbers: boolean): boolean {
    this.#stage = stage;
    this.#paint(settings);
    if (milliseconds > 0) this.#frame.add(milliseconds, settings.mode);
    const pane = byId('player');
    if (!stage.aim(pane, this.camera)) return false;
    this.#daylight.follow(this.camera, heightAt);
    stage.renderer.shadowMap.enabled = true;
    this.#comparison.draw(settings, (scene) => stage.draw(pane, scene, this.camera), stage.whenDone);
    if (updateNumbers) {
      const { count } = this.#trees;
      this.#instruments.show(settings.mode, this.#comparison, count, this.#meshes, this.#frame, stage.pixelRatio);
    }
    return false;
  }

  dispose(): void {
    if (this.#stage) this.#stage.renderer.shadowMap.enabled = false;
    this.#comparison.close();
    this.above.dispose();
    this.#trees.dispose();
    this.#ground.dispose();
    this.#daylight.dispose();
    this.instruments.remove();
  }

  get #meshes(): number {
    return 2 * this.#trees.count + this.#ground.pieces;
  }

  #plant(): void {
    this.#trees.plant(this.#values.trees);
    this.#dots.objects = this.#trees.crowns;
  }

  /** Applies the settings that change the picture. */
  #paint({ theme, fov, far }: Settings): void {
    const { sun, shadows } = this.#values;
    const look = [isLight(theme), fov, far, sun, shadows].join();
    if (look === this.#look) return;
    this.#look = look;
    this.#daylight.rise(sun);
    this.#daylight.castShadow = shadows;
    this.#daylight.paint(paletteOf(isLight(theme)), far);
    Object.assign(this.camera, { fov, near: NEAR, far });
    this.camera.updateProjectionMatrix();
    this.#reset();
  }

  #reset(): void {
    this.#comparison.turns.reset();
    this.#frame.reset();
  }
}
