import { type Box3, type Object3D, type PerspectiveCamera, Scene, type Vector3 } from 'three';
import type { AcceleratedScene } from '../../src/index.js';
import type { DrawCosts } from '../measure/DrawCosts.js';
import type { FrameResult } from '../measure/FrameResult.js';
import { worldEntry } from '../state/catalogue.js';
import type { Settings } from '../state/Settings.js';
import { isLight } from '../state/theme.js';
import type { TestOptions } from '../state/url.js';
import { AboveView } from './AboveView.js';
import { asPlain } from './asPlain.js';
import type { LoadedWorld } from './LoadedWorld.js';
import { type CastRay, Marks } from './Marks.js';
import { PlayerView } from './PlayerView.js';
import { RenderComparison } from './RenderComparison.js';
import { paletteOf } from './stage/palette.js';
import { Stage } from './stage/Stage.js';
import { Twin } from './Twin.js';

/** Two views of one world, in one canvas. */
export class Views {
  readonly stage: Stage;
  readonly player = new PlayerView();
  /** The player's view of a world of ordinary meshes: the renderer is given all of it, in several ways. */
  readonly #whole = new PlayerView();
  readonly #comparison: RenderComparison;
  readonly #twin = new Twin();
  readonly #plain = new Scene();
  readonly above: AboveView;
  readonly #marks = { player: new Marks(false, 0.35), above: new Marks(true, 1) };
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
    this.#whole.scene.matrixWorldAutoUpdate = true;
    this.#comparison = new RenderComparison(this.#whole.scene);
    this.above.controls.addEventListener('start', () => {
      this.aboveMoved = true;
    });
  }

  open(loaded: LoadedWorld, settings: Settings, eye: Vector3): void {
    this.#comparison.close();
    this.#comparison.costs.reset();
    this.#world?.world.root.removeFromParent();
    this.#world?.world.copies?.removeFromParent();
    this.#world = loaded;
    const { root, copies, staticObjects, hasShadows = false, bounds } = loaded.world;
    this.stage.renderer.shadowMap.enabled = hasShadows;
    for (const view of [this.#whole, this.#twin.view]) view.castShadows(hasShadows ? bounds : null);
    this.#twin.open(loaded.world);
    if (this.#isWhole) {
      this.#whole.scene.add(root, ...(copies ? [copies] : []));
      this.#comparison.open(settings, staticObjects, hasShadows);
    }
    this.player.scene.add(loaded.playerNodes, this.#marks.player.object);
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

  /** The index that draws the player's view, where the page has another one to cull and to pick; null elsewhere. */
  get drawing(): AcceleratedScene | null {
    return this.#world?.world.drawingIndex ?? (this.#isWhole ? this.#comparison.index : null);
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
    return pane === this.panes.player ? this.player.camera : this.above.camera;
  }

  /** Lens, colours and theme. */
  apply(settings: Settings): void {
    const { fov, far, classColours } = settings;
    const light = isLight(settings.theme);
    const world = this.#world?.world;
    const page = paletteOf(light);
    const palette = { ...page, ...world?.palette };
    this.player.lens(fov, world?.near ?? 0.1, far);
    this.player.paint(palette, far);
    this.above.paint(page);
    this.#marks.player.paint(palette);
    this.#marks.above.paint(page);
    this.#world?.lightenNodes(light ? 0.38 : 0.6);
    if (!world) return;
    const drawing = world.playerDrawing(classColours);
    this.player.use(drawing);
    this.#whole.paint(palette, far);
    this.#twin.view.paint(palette, far);
    world.above.paint(page, Number.POSITIVE_INFINITY);
    drawing.paint(palette, far);
  }

  /** Gives both cameras the shape of their panes; false when there is nothing to draw on. */
  aim(): boolean {
    const { player, above } = this.panes;
    return this.stage.aim(player, this.player.camera) && this.stage.aim(above, this.above.camera);
  }

  /** What it costs to draw the player's view in each way; null where there is only one. */
  get costs(): DrawCosts | null {
    return this.#isWhole || this.#world?.world.drawPlayer ? this.#comparison.costs : null;
  }

  /** Draws both; returns the draw calls of the player's view. */
  draw(result: FrameResult, boxOf: (object: Object3D | null) => Box3 | null, settings: Settings): number {
    for (const marks of Object.values(this.#marks)) marks.show(result, boxOf);
    // Class colours have meshes of their own.
    const isWhole = this.#isWhole && !settings.classColours;
    const calls = isWhole ? this.#drawWhole(result, settings) : this.#drawListed(result, settings);
    this.above.show(result, this.player.camera);
    this.stage.draw(this.panes.above, this.above.scene, this.above.camera);
    return calls;
  }

  /** True for a world of ordinary meshes, which the renderer may be given as a whole. */
  get #isWhole(): boolean {
    return this.#world !== null && worldEntry(this.#world.name).isWhole === true;
  }

  /** The renderer is given the scene, accelerated or not; side by side, each half has a scene of its own. */
  #drawWhole(result: FrameResult, settings: Settings): number {
    const { player } = this.panes;
    const { camera } = this.player;
    this.#whole.camera.position.copy(camera.position);
    this.#prepare(this.#whole, result);
    if (settings.mode !== 'both')
      return this.#comparison.draw(settings, (scene) => this.stage.drawCounted(player, scene, camera));
    this.#twin.follow(camera, this.#comparison.index?.size ?? 0);
    const at = settings.handle / 100;
    return this.#comparison.drawBoth(settings, this.#twin.view.scene, (scene, isPlain) =>
      this.stage.drawCounted(player, scene, camera, isPlain ? [0, at] : [at, 1]),
    );
  }

  /** The renderer is given the drawing of the world. */
  #drawListed(result: FrameResult, { mode }: Settings): number {
    const { scene, camera } = this.player;
    const draw = (update?: () => void): number =>
      this.#comparison.costs.measure(mode, () => {
        update?.();
        this.#prepare(this.player, result);
        return this.stage.draw(this.panes.player, mode === 'three' ? asPlain(scene, this.#plain) : scene, camera);
      });
    const { world } = this.#world as LoadedWorld;
    return world.drawPlayer?.({ scene, camera, renderer: this.stage.renderer, result, mode }, draw) ?? draw();
  }

  #prepare(view: PlayerView, result: FrameResult): void {
    const { playerNodes } = this.#world as LoadedWorld;
    view.show(result);
    if (playerNodes.parent !== view.scene) view.scene.add(playerNodes, this.#marks.player.object);
  }
}
