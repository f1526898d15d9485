import { type Camera, type Object3D, REVISION } from 'three';
import { Extension } from 'three/addons/inspector/Extension.js';
import type { Inspector } from 'three/addons/inspector/Inspector.js';
import { List } from 'three/addons/inspector/ui/List.js';
import { inWords, ownOptions, refuseOthers } from '../core/options.js';
import { checkCamera, checkObject } from '../scene/objects/checks.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import type { SceneParts } from '../scene/SceneParts.js';
import { BatchSection } from './BatchSection.js';
import { ExplainSection } from './ExplainSection.js';
import { NodesSection } from './NodesSection.js';
import { SeenSection } from './SeenSection.js';
import { SurveySection } from './SurveySection.js';
import { UpkeepSection } from './UpkeepSection.js';
import { topOf } from './widgets.js';

/** The first revision whose Inspector has tabs as this one needs them. */
const OLDEST = 187;
/** Milliseconds between two samples. */
const INTERVAL = 250;
/** Samples after which the structure is counted once. */
const UPKEEP_EVERY = 4;

/** Options of a {@link SceneIndexTab}. */
export interface SceneIndexTabOptions {
  /**
   * The camera whose view is counted, and that clicks go by. Default: the camera that rendered the scene last, or the
   * first one where a frame has several.
   */
  camera?: Camera;
  /** Name of the tab, unique in its Inspector. Default 'Scene Index'. */
  title?: string;
}

/**
 * A tab of three's `Inspector` that shows what the index does.
 *
 * It shows what is in view, culled and drawn in batches; the structure and its upkeep, both adjustable; the nodes,
 * drawn in the scene; the figures of `survey`, to copy as Markdown; the rows of `report`; and the sentences of
 * `explain` for an object that is clicked in the picture or named.
 *
 * While shown, it takes four samples a second, each with one query of the camera's view; while hidden, none. What it
 * adds to the scene, nodes and the outline of an object, stays up to date until it is switched off; no index follows
 * these objects, and no ray hits them.
 *
 * @example
 * ```ts
 * import { WebGPURenderer } from 'three/webgpu';
 * import { Inspector } from 'three/addons/inspector/Inspector.js';
 * import { SceneIndexTab } from 'three-scene-index/inspector';
 *
 * const inspector = new Inspector();
 * new WebGPURenderer().inspector = inspector;
 * inspector.addTab(new SceneIndexTab(index));
 * ```
 */
export class SceneIndexTab extends Extension {
  /** The index that the tab shows. */
  readonly index: SceneIndex;
  readonly #parts: SceneParts;
  readonly #chosenCamera: Camera | null;
  readonly #seen: SeenSection;
  readonly #upkeep: UpkeepSection;
  readonly #survey: SurveySection;
  readonly #batches: BatchSection;
  readonly #nodes: NodesSection;
  readonly #explain: ExplainSection;
  readonly #list: Object3D[] = [];
  #inspector: Inspector | null = null;
  #lastCamera: Camera | null = null;
  #draws = 0;
  #samples = 0;
  #nextSample = 0;
  #isOver = false;

  /**
   * @param index The index of a scene that the Inspector's renderer draws.
   * @throws TypeError or RangeError for an invalid index or options; Error for a disposed index, or with three older
   * than r187.
   */
  constructor(index: SceneIndex, options: SceneIndexTabOptions = {}) {
    if (Number.parseInt(REVISION, 10) < OLDEST) {
      throw new Error(`SceneIndexTab: needs three r${OLDEST} or newer, this is r${REVISION}`);
    }
    const parts = partsOf(index, 'SceneIndexTab');
    const { camera, title } = readTabOptions(options);
    super(title);
    this.index = index;
    this.#parts = parts;
    this.#chosenCamera = camera;
    const refresh = (): void => this.refresh();
    this.#seen = new SeenSection(index);
    this.#upkeep = new UpkeepSection(index, refresh);
    this.#survey = new SurveySection(index);
    this.#batches = new BatchSection((object) => this.#explain.select(object));
    this.#nodes = new NodesSection(index);
    this.#explain = new ExplainSection(index, this, refresh);
    this.#layOut();
  }

  /** The camera whose view is counted; null until the scene was drawn. */
  get camera(): Camera | null {
    return this.#chosenCamera ?? this.#lastCamera;
  }

  /** The canvas that receives clicks. Null until the tab is in an Inspector that has drawn a frame. */
  get canvas(): HTMLElement | null {
    return this.#inspector?.getRenderer()?.domElement ?? null;
  }

  /** The object that is explained, or null. */
  get selected(): Object3D | null {
    return this.#explain.object;
  }

  /**
   * Opens the Inspector with this tab in front, like a click on its button.
   * @throws Error if the tab is in no Inspector.
   */
  open(): void {
    const { profiler } = this;
    if (profiler === null) throw new Error('SceneIndexTab.open: add the tab to an Inspector first');
    profiler.setActiveTab(this.id);
    if (!profiler.panel.classList.contains('visible')) profiler.togglePanel();
  }

  /** Called by the Inspector before the first frame. */
  override init(inspector: Inspector): void {
    super.init(inspector);
    this.#inspector = inspector;
    this.#explain.listen();
  }

  /** Called by the Inspector at the end of each frame. */
  override update(inspector: Inspector): void {
    if (this.#isOver) return;
    if (this.#parts.isDisposed) {
      this.dispose();
      return;
    }
    this.#nodes.update();
    this.#explain.followObject();
    if (!this.isActive || !inspector.getVisible()) {
      this.#nextSample = 0;
      return;
    }
    this.#lastCamera = cameraOf(inspector, topOf(this.index.root)) ?? this.#lastCamera;
    this.#draws = inspector.getRenderer().info.render.drawCalls;
    const now = performance.now();
    if (now < this.#nextSample) return;
    this.#nextSample = now + INTERVAL;
    this.#sample(this.#samples++ % UPKEEP_EVERY === 0);
  }

  /** Takes a sample now, whether or not the tab is shown. */
  refresh(): void {
    if (!this.#isOver && !this.#parts.isDisposed) this.#sample(true);
  }

  /**
   * Explains an object, as if it had been clicked. Null explains none.
   * @throws TypeError for anything but an Object3D or null.
   */
  select(object: Object3D | null): void {
    if (object !== null) checkObject(object, 'SceneIndexTab.select');
    if (!this.#isOver) this.#explain.select(object);
  }

  /**
   * Removes the tab from the Inspector, and what it added from the scene. The index stays, with the structure chosen
   * last. A second `dispose` does nothing.
   */
  override dispose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#nodes.dispose();
    this.#explain.dispose();
    super.dispose();
    this.profiler?.removeTab(this);
    this.#inspector = null;
  }

  #sample(withUpkeep: boolean): void {
    const { camera } = this;
    if (withUpkeep) {
      this.#upkeep.show();
      const now = this.#survey.show();
      if (now !== null) this.#batches.show(now.unbatched);
    }
    if (camera === null) return;
    const seen = this.index.cull(camera, this.#list);
    this.#seen.show(seen, this.#draws);
    this.#explain.show(seen, camera);
    // Objects that leave the scene can be collected.
    seen.length = 0;
  }

  #layOut(): void {
    const sections = [
      ['minmax(120px, 1fr) 60px 56px', this.#seen],
      ['minmax(130px, 1fr) minmax(100px, auto)', this.#upkeep, this.#survey],
      ['minmax(100px, 1fr) minmax(130px, 2fr)', this.#nodes, this.#batches, this.#explain],
    ] as const;
    const columns = document.createElement('div');
    Object.assign(columns.style, { display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start' });
    for (const [grid, ...parts] of sections) {
      const list = new List();
      list.setGridStyle(grid);
      Object.assign(list.domElement.style, { flex: '1 1 340px', minWidth: '0' });
      for (const { item } of parts) list.add(item);
      columns.append(list.domElement);
    }
    this.content.append(columns);
  }
}

/** The camera of the first picture of a scene in the frame that ends. */
function cameraOf(inspector: Inspector, scene: Object3D): Camera | null {
  return inspector.getFrame()?.renders.find((render) => render.scene === scene)?.camera ?? null;
}

function readTabOptions(options: SceneIndexTabOptions): { camera: Camera | null; title: string } {
  const { camera, title = 'Scene Index', ...others } = ownOptions(options, 'SceneIndexTab: options must be');
  refuseOthers(others, ['camera', 'title'], 'SceneIndexTab');
  if (camera !== undefined) checkCamera(camera, 'SceneIndexTab.camera');
  if (typeof title !== 'string') throw new TypeError(`SceneIndexTab.title: must be a string, got ${inWords(title)}`);
  if (title.trim() === '') throw new RangeError('SceneIndexTab.title: must not be empty');
  return { camera: camera ?? null, title };
}
