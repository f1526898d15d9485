import { PerspectiveCamera } from 'three';
import type { AcceleratedScene } from '../../src/index.js';
import { Meter } from '../measure/Meter.js';
import type { Settings } from '../state/Settings.js';
import { isLight } from '../state/theme.js';
import { byId } from '../ui/parts/element.js';
import type { FrameGauges } from '../ui/parts/FrameGauges.js';
import type { CustomView } from '../worlds/contract/CustomView.js';
import type { Drawing } from './drawings/Drawing.js';
import type { RenderComparison } from './RenderComparison.js';
import type { Stage } from './stage/Stage.js';

/** A player's view with a scene, lights and instruments of its own, drawn accelerated or by plain three. */
export abstract class SceneView implements CustomView {
  readonly customView = this;
  readonly element = null;
  abstract readonly above: Drawing;
  readonly hasAbove = true;
  readonly near: number;
  readonly camera = new PerspectiveCamera();
  onValuesChanged = (): void => {};
  protected readonly comparison: RenderComparison;
  protected readonly gauges: FrameGauges;
  readonly #frame = new Meter();
  #look = '';

  constructor(comparison: RenderComparison, gauges: FrameGauges, near: number) {
    this.comparison = comparison;
    this.gauges = gauges;
    this.near = this.camera.near = near;
  }

  get instruments(): HTMLElement {
    return this.gauges.element;
  }

  get scene() {
    return this.comparison.scene;
  }

  /** Class colours are those of the view from above. */
  playerDrawing(): Drawing {
    return this.above;
  }

  get index(): AcceleratedScene | null {
    return this.comparison.index;
  }

  frame(stage: Stage, settings: Settings, milliseconds: number, updateNumbers: boolean): boolean {
    const { theme, fov, far, mode } = settings;
    const look = [isLight(theme), fov, far].join();
    if (look !== this.#look) {
      Object.assign(this.camera, { fov, far });
      this.camera.updateProjectionMatrix();
      this.reset();
      this.#look = look;
      this.paint(isLight(theme), far);
    }
    if (milliseconds > 0) this.#frame.add(milliseconds, mode);
    const pane = byId('player');
    if (!stage.aim(pane, this.camera)) return false;
    this.prepare(stage);
    this.comparison.draw(settings, (scene) => this.drawn(stage.draw(pane, scene, this.camera)));
    if (!updateNumbers) return false;
    this.gauges.show(mode, this.comparison.costs, this.#frame, stage.pixelRatio);
    this.writeOwn();
    return false;
  }

  /** Drops what was measured, and takes up changed values with the next frame. */
  reset(): void {
    this.#look = '';
    this.comparison.costs.reset();
    this.#frame.reset();
  }

  dispose(): void {
    this.comparison.close();
    this.instruments.remove();
  }

  /** Applies what changes the picture: theme, view distance, values of controls. */
  protected abstract paint(isLight: boolean, far: number): void;
  /** Called before each frame. */
  protected abstract prepare(stage: Stage): void;
  /** What is counted of a frame of so many draw calls. */
  protected abstract drawn(calls: number): number;
  /** Writes the gauge of its own. */
  protected abstract writeOwn(): void;
}
