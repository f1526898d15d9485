import type { Box3, Object3D, PerspectiveCamera, Vector3 } from 'three';
import type { FrameResult } from '../measure/FrameResult.js';
import type { Settings } from '../state/Settings.js';
import { isLight } from '../state/theme.js';
import type { TestOptions } from '../state/url.js';
import { AboveView } from './AboveView.js';
import type { LoadedWorld } from './LoadedWorld.js';
import { PlayerView } from './PlayerView.js';
import { paletteOf } from './stage/palette.js';
import { Stage } from './stage/Stage.js';

/** Two views of one world, in one canvas. */
export class Views {
  readonly stage: Stage;
  readonly player = new PlayerView();
  readonly above: AboveView;
  readonly panes: { player: HTMLElement; above: HTMLElement };
  /** The user moved the view from above. */
  aboveMoved = false;
  #world: LoadedWorld | null = null;

  constructor(
    canvas: HTMLCanvasElement,
    panes: { player: HTMLElement; above: HTMLElement },
    testOptions: TestOptions,
    onContext: (lost: boolean) => void,
  ) {
    this.panes = panes;
    for (const pane of Object.values(panes)) pane.tabIndex = 0;
    this.stage = new Stage(canvas, testOptions, onContext);
    this.above = new AboveView(panes.above);
    this.above.controls.addEventListener('start', () => {
      this.aboveMoved = true;
    });
  }

  open(loaded: LoadedWorld, settings: Settings, eye: Vector3): void {
    this.#world = loaded;
    this.player.scene.add(loaded.playerNodes);
    this.above.scene.add(loaded.aboveNodes);
    const { clientWidth, clientHeight } = this.panes.above;
    // A hidden pane has no size.
    this.above.open(loaded.world, eye, clientWidth / clientHeight || 1);
    this.aboveMoved = false;
    this.apply(settings);
  }

  lookFromAbove(pose: number[]): void {
    this.above.pose = pose;
    this.aboveMoved = true;
  }

  cameraOf(pane: HTMLElement): PerspectiveCamera {
    return pane === this.panes.player ? this.player.camera : this.above.camera;
  }

  /** Lens, colours and theme. */
  apply(settings: Settings): void {
    const { fov, far, classColours } = settings;
    const light = isLight(settings.theme);
    const world = this.#world?.world;
    const palette = paletteOf(light);
    const playerPalette = paletteOf(light && !world?.night);
    this.player.lens(fov, world?.near ?? 0.1, far);
    this.player.paint(playerPalette, far);
    this.above.paint(palette);
    this.#world?.lightenNodes(light ? 0.38 : 0.6);
    if (!world) return;
    const drawing = world.playerDrawing(classColours);
    this.player.use(drawing);
    world.above.paint(palette, Number.POSITIVE_INFINITY);
    drawing.paint(playerPalette, far);
  }

  /** Gives both cameras the shape of their panes; false when there is nothing to draw on. */
  aim(): boolean {
    const { player, above } = this.panes;
    return this.stage.aim(player, this.player.camera) && this.stage.aim(above, this.above.camera);
  }

  /** Draws both; returns the draw calls of the player's view. */
  draw(result: FrameResult, boxOf: (object: Object3D | null) => Box3 | null): number {
    this.player.show(result, boxOf);
    const calls = this.stage.draw(this.panes.player, this.player.scene, this.player.camera);
    this.above.show(result, this.player.camera, boxOf);
    this.stage.draw(this.panes.above, this.above.scene, this.above.camera);
    return calls;
  }
}
