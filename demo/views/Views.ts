import type { Box3, Object3D, PerspectiveCamera, Vector3 } from 'three';
import type { AcceleratedScene } from '../../src/index.js';
import type { FrameResult } from '../measure/FrameResult.js';
import { Turns } from '../measure/Turns.js';
import { worldEntry } from '../state/catalogue.js';
import type { Mode, Settings } from '../state/Settings.js';
import { isLight } from '../state/theme.js';
import type { TestOptions } from '../state/url.js';
import { AboveView } from './AboveView.js';
import { BatchedView } from './BatchedView.js';
import type { LoadedWorld } from './LoadedWorld.js';
import { Marks } from './Marks.js';
import { PlayerView } from './PlayerView.js';
import type { CastRay } from './RayTrace.js';
import { paletteOf } from './stage/palette.js';
import { Stage } from './stage/Stage.js';

/** One of so many turns is the other way’s, so that its cost stays known... */
const OTHER = 24;
/** ...and one of fewer until its mean is reliable. */
const OTHER_AT_FIRST = 3;

/** Two views of one world, in one canvas. */
export class Views {
  readonly stage: Stage;
  readonly player = new PlayerView();
  /** The player's view in batches, of worlds that have them. */
  readonly batched = new BatchedView();
  /** What it costs to draw the player's view: CPU time, and draw calls. */
  readonly drawing = new Turns(['index', 'batched'], OTHER, OTHER_AT_FIRST);
  readonly above: AboveView;
  readonly #marks = { player: new Marks(false, 0.35), above: new Marks(true, 1) };
  readonly panes: { player: HTMLElement; above: HTMLElement };
  /** The user moved the view from above. */
  aboveMoved = false;
  #world: LoadedWorld | null = null;
  #calls = 0;
  /** Pictures are compared: none is to be drawn in another way than asked for. */
  readonly #isStill: boolean;

  constructor(
    canvas: HTMLCanvasElement,
    panes: { player: HTMLElement; above: HTMLElement },
    testOptions: TestOptions,
    onContext: (lost: boolean) => void,
  ) {
    this.panes = panes;
    this.#isStill = testOptions.time !== null;
    for (const pane of Object.values(panes)) pane.tabIndex = 0;
    this.stage = new Stage(canvas, testOptions, onContext);
    this.above = new AboveView(panes.above);
    this.above.controls.addEventListener('start', () => {
      this.aboveMoved = true;
    });
  }

  open(loaded: LoadedWorld, settings: Settings, eye: Vector3): void {
    this.batched.close();
    this.drawing.reset();
    this.#world = loaded;
    const { root, staticObjects, customView } = loaded.world;
    if (this.#hasBatches && !customView) this.batched.open(root, staticObjects);
    (customView?.scene ?? this.player.scene).add(loaded.playerNodes, this.#marks.player.object);
    // They lie in the scene that this index follows, and are no objects of the world.
    if (customView?.scene) loaded.index.remove(this.#marks.player.object);
    this.above.scene.add(loaded.aboveNodes, this.#marks.above.object);
    const { clientWidth, clientHeight } = this.panes.above;
    // A hidden pane has no size.
    this.above.open(loaded.world, eye, clientWidth / clientHeight || 1);
    this.aboveMoved = false;
    this.apply(settings);
  }

  /** Draws a ray that was cast, and the nodes that it was tested against; null: none. */
  trace(cast: CastRay | null): void {
    for (const marks of Object.values(this.#marks)) marks.traceRay(cast);
  }

  /** The player's camera. */
  get playerCamera(): PerspectiveCamera {
    return this.#world?.world.customView?.camera ?? this.player.camera;
  }

  /** The index that draws the player's view in batches; null in worlds without. */
  get batching(): AcceleratedScene | null {
    return this.#world?.world.customView?.index ?? (this.#hasBatches ? this.batched.index : null);
  }

  /** Marks the box of a node in both views; null: of none. */
  markNode(box: Box3 | null): void {
    for (const marks of Object.values(this.#marks)) marks.markNode(box);
  }

  lookFromAbove(pose: number[]): void {
    this.above.pose = pose;
    this.aboveMoved = true;
  }

  cameraOf(pane: HTMLElement): PerspectiveCamera {
    return pane === this.panes.player ? this.playerCamera : this.above.camera;
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
    this.#marks.player.paint(playerPalette);
    this.#marks.above.paint(palette);
    this.#world?.lightenNodes(light ? 0.38 : 0.6);
    if (!world) return;
    const drawing = world.playerDrawing(classColours);
    this.player.use(drawing);
    this.batched.paint(playerPalette, far);
    world.above.paint(palette, Number.POSITIVE_INFINITY);
    drawing.paint(playerPalette, far);
  }

  /** Gives both cameras the shape of their panes; false when there is nothing to draw on. */
  aim(): boolean {
    const { player, above } = this.panes;
    return this.stage.aim(player, this.player.camera) && this.stage.aim(above, this.above.camera);
  }

  /** What it costs to draw the player's view in both ways; null where there is one. */
  get drawingShown(): Turns | null {
    return this.#hasBatches && !this.#isStill ? this.drawing : null;
  }

  /** Draws the view from above alone, of a world that draws the player's itself. */
  drawAbove(result: FrameResult, boxOf: (object: Object3D | null) => Box3 | null): void {
    const { above } = this.panes;
    if (!this.stage.aim(above, this.above.camera)) return;
    for (const marks of Object.values(this.#marks)) marks.show(result, boxOf);
    this.above.show(result, this.playerCamera);
    this.stage.draw(above, this.above.scene, this.above.camera);
  }

  /** Draws both; returns the draw calls of the player's view. */
  draw(result: FrameResult, boxOf: (object: Object3D | null) => Box3 | null, { mode, classColours }: Settings): number {
    for (const marks of Object.values(this.#marks)) marks.show(result, boxOf);
    const way = mode === 'batched' && this.#hasBatches ? mode : 'index';
    // Class colours have meshes of their own.
    const { world, index } = this.#world as LoadedWorld;
    if (world.drawPlayer && mode !== 'three') {
      const picture = { ...this.stage.pictureOf(this.panes.player), renderer: this.stage.renderer };
      const frame = { ...picture, index, camera: this.player.camera, result };
      this.#calls = world.drawPlayer(frame, () => this.#drawPlayer('index', result));
    } else if (!this.#hasBatches || classColours || this.#isStill)
      this.#calls = this.#drawPlayer(classColours ? 'index' : way, result);
    else this.drawing.take(way, (one) => this.#drawPlayer(one, result));
    this.above.show(result, this.player.camera);
    this.stage.draw(this.panes.above, this.above.scene, this.above.camera);
    return this.drawingShown === null || classColours ? this.#calls : this.drawing.costs[way].drawn;
  }

  /** True for a world whose meshes may be drawn in batches. */
  get #hasBatches(): boolean {
    return this.#world !== null && worldEntry(this.#world.name).batches === true;
  }

  /** Draws the player's view; returns its draw calls. */
  #drawPlayer(way: Mode, result: FrameResult): number {
    const { camera } = this.player;
    const { playerNodes } = this.#world as LoadedWorld;
    const isBatched = way === 'batched';
    if (isBatched) this.batched.show(result, camera);
    else this.player.show(result);
    const { scene } = isBatched ? this.batched : this.player;
    if (playerNodes.parent !== scene) scene.add(playerNodes, this.#marks.player.object);
    return this.stage.draw(this.panes.player, scene, camera);
  }
}
