/**
 * A tab for three's Inspector.
 * @module
 */

import { Box3, Box3Helper, type Camera, Matrix4, type Object3D, Raycaster, Vector2 } from 'three';
import { Extension } from 'three/addons/inspector/Extension.js';
import type { Inspector } from 'three/addons/inspector/Inspector.js';
import { readOptions } from './core/options.js';
import { explain } from './explain/explain.js';
import { report, type UnbatchedReport } from './explain/report.js';
import { isVisible } from './scene/ask/InheritedState.js';
import { checkCamera, checkObject, describe } from './scene/objects/checks.js';
import { partsOf, type SceneIndex } from './scene/SceneIndex.js';
import type { SceneParts } from './scene/SceneParts.js';
import { stats } from './scene/structure.js';

/** Milliseconds between two samples. */
const SAMPLE_MS = 250;
/** The pause after a sample is at least this many times as long as the sample took. */
const PAUSE = 20;
/** A pointer that moves more than this many pixels between down and up is a drag. */
const DRAG = 5;
/** The blue of the Inspector's `--color-accent`. */
const COLOR = 0x00aaff;
const NO_BATCHES = 'Nothing, or the scene is not drawn in batches.';

/**
 * A tab of three's `Inspector` that shows counts, and explains the object you click.
 *
 * The counts come from `cull` and `stats`. Beside them the tab lists the reasons of `report`, and the sentences of
 * `explain` about the selected object. While shown, the tab takes up to four samples a second, fewer in large scenes. A
 * click on the canvas selects and outlines the object hit. While hidden it does nothing. Needs three r187 or newer.
 *
 * @example
 * ```ts
 * import { WebGPURenderer } from 'three/webgpu';
 * import { Inspector } from 'three/addons/inspector/Inspector.js';
 * import { SceneIndexTab } from 'three-scene-index/inspector';
 *
 * const inspector = new Inspector();
 * new WebGPURenderer().inspector = inspector;
 * inspector.addTab(new SceneIndexTab(index, camera));
 * ```
 */
export class SceneIndexTab extends Extension {
  /** The tab's element in the Inspector. */
  declare readonly content: HTMLDivElement;
  /** True while the Inspector's panel, or a window of its own, shows the tab. */
  declare readonly isActive: boolean;
  /** The index that the tab shows. */
  readonly index: SceneIndex;
  /** The camera for the counts of the view, and for clicks. */
  readonly camera: Camera;
  readonly #parts: SceneParts;
  readonly #counts: HTMLElement = element('div', { display: 'grid', gridTemplateColumns: 'auto auto' });
  readonly #reasons: HTMLElement = element('div', {});
  readonly #sentences: HTMLElement = element('div', { whiteSpace: 'pre-line', userSelect: 'text' });
  readonly #outline: Box3Helper = makeOutline();
  #selected: Object3D | null = null;
  #canvas: HTMLElement | null = null;
  #down: PointerEvent | null = null;
  #nextSample = 0;
  #listed: string | null = null;

  /**
   * @param index The index of a scene that the Inspector's renderer draws.
   * @param camera The camera whose view is counted.
   * @throws TypeError for an invalid index or camera, Error for a disposed index.
   */
  constructor(index: SceneIndex, camera: Camera, options: Record<string, never> = {}) {
    const parts = partsOf(index, 'SceneIndexTab');
    checkCamera(camera, 'SceneIndexTab.camera');
    readOptions(options, {}, 'SceneIndexTab');
    super('Scene Index');
    this.index = index;
    this.camera = camera;
    this.#parts = parts;
    const sections = [
      section('Scene', '0 1 230px', this.#counts),
      section('Not in batches', '2 1 340px', this.#reasons),
      section('Object', '2 1 300px', this.#sentences),
    ];
    const columns = { display: 'flex', flexWrap: 'wrap', gap: '16px 40px', padding: '12px 16px' };
    this.content.append(element('div', columns, ...sections));
    this.select(null);
  }

  /** The object that is explained, or null. */
  get selected(): Object3D | null {
    return this.#selected;
  }

  /**
   * Explains and outlines an object, as if it had been clicked. Null selects none.
   * @throws TypeError for anything but an Object3D or null.
   */
  select(object: Object3D | null): void {
    if (object !== null) checkObject(object, 'SceneIndexTab.select');
    this.#selected = object;
    if (object === null) {
      this.#outline.removeFromParent();
      this.#sentences.textContent = 'Click an object in the picture, or a reason to see an example.';
    } else this.#explain(object);
  }

  /** Called by the Inspector before the first frame. */
  override init(inspector: Inspector): void {
    super.init(inspector);
    this.#canvas = inspector.getRenderer().domElement;
    // Capturing listeners run before the page's own, which may stop events.
    for (const type of POINTER) this.#canvas.addEventListener(type, this.#heard, { capture: true, passive: true });
  }

  /** Called by the Inspector at the end of each frame. */
  update(inspector: Inspector): void {
    if (this.#parts.isDisposed) {
      inspector.removeTab(this);
      return;
    }
    if (this.#selected !== null) this.#enclose(this.#selected);
    const start = performance.now();
    if (!this.isActive || !inspector.getVisible() || start < this.#nextSample) return;
    this.#count(inspector.getRenderer().info.render.drawCalls);
    this.#list(report(this.index));
    if (this.#selected !== null) this.#explain(this.#selected);
    const end = performance.now();
    this.#nextSample = end + Math.max(SAMPLE_MS, PAUSE * (end - start));
  }

  /** Detaches the tab from the scene and the canvas. `inspector.removeTab(tab)` calls it. */
  override dispose(): void {
    this.select(null);
    this.#outline.dispose();
    for (const type of POINTER) this.#canvas?.removeEventListener(type, this.#heard, { capture: true });
    super.dispose();
  }

  #count(draws: number): void {
    const { nodes, bytes, tracked, dynamic, quarantined } = stats(this.index);
    const rows = {
      Objects: inCount(this.index.size),
      'In view': inCount(this.index.cull(this.camera).length),
      'Draw calls': inCount(draws),
      'Checked by each update': `${inCount(dynamic)} of ${inCount(tracked)}`,
      'Left out, bounds are NaN': inCount(quarantined),
      Nodes: inCount(nodes),
      Memory: `${inCount(bytes / 1000)} kB`,
    };
    const cells = Object.entries(rows).flatMap(([name, value]) => [
      element('span', QUIET, name),
      element('span', { textAlign: 'end' }, value),
    ]);
    this.#counts.replaceChildren(...cells);
  }

  #list(rows: readonly UnbatchedReport[]): void {
    const listed = rows.map(({ count, reason, advice }) => `${count} ${reason} ${advice}`).join();
    if (listed === this.#listed) return;
    this.#listed = listed;
    const shown = rows.length === 0 ? [NO_BATCHES] : rows.map((row) => this.#reasonRow(row));
    this.#reasons.replaceChildren(...shown);
  }

  #reasonRow({ count, reason, example, advice }: UnbatchedReport): HTMLElement {
    // The example may leave the scene while the list is shown.
    const ref = new WeakRef(example);
    const button = element('button', PLAIN_BUTTON, `${inCount(count)}: ${reason}`);
    button.append(element('div', QUIET, advice));
    button.addEventListener('click', () => this.select(ref.deref() ?? null));
    return button;
  }

  #explain(object: Object3D): void {
    this.#enclose(object);
    const text = [describe(object), ...explain(this.index, object, this.camera)].join('\n');
    // Writing the same text anew would lose the user's selection in it.
    if (this.#sentences.textContent !== text) this.#sentences.textContent = text;
  }

  /** Outlines an object as it is now; the outline is hidden if the object has no bounds. */
  #enclose(object: Object3D): void {
    const outline = this.#outline;
    let top = this.index.root;
    while (top.parent !== null) top = top.parent;
    if (outline.parent !== top) top.add(outline);
    if (this.index.getBox(object, outline.box) === null) outline.box.setFromObject(object);
    outline.visible = !outline.box.isEmpty() && Number.isFinite(outline.box.min.x + outline.box.max.x);
    // Bounds are in world space, the outline lies in a scene that may be moved.
    outline.box.applyMatrix4(new Matrix4().copy(top.matrixWorld).invert());
  }

  /** Selects the clicked object while the tab is shown; drags are no clicks. */
  readonly #heard = (event: PointerEvent): void => {
    const down = this.#down;
    this.#down = event.type === 'pointerdown' && event.isPrimary && event.button === 0 ? event : null;
    if (event.type !== 'pointerup' || event.pointerId !== down?.pointerId || !this.isActive) return;
    if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > DRAG) return;
    const { left, top, width, height } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const x = (2 * (event.clientX - left)) / width - 1;
    this.select(this.#pick(new Vector2(x, 1 - (2 * (event.clientY - top)) / height)));
  };

  /** The nearest visible object at a point of the canvas; three's casts hit hidden objects, too. */
  #pick(point: Vector2): Object3D | null {
    const raycaster = new Raycaster();
    raycaster.layers.mask = this.camera.layers.mask;
    raycaster.setFromCamera(point, this.camera);
    return this.index.raycast(raycaster).find(({ object }) => isVisible(object))?.object ?? null;
  }
}

const POINTER = ['pointerdown', 'pointerup'] as const;

/** The bounds of an object as lines, in front of everything. No index follows the lines, no ray hits them. */
function makeOutline(): Box3Helper {
  const outline = new Box3Helper(new Box3(), COLOR);
  Object.assign(outline.material, { depthTest: false, transparent: true, toneMapped: false, fog: false });
  const settings = { isSceneIndexHelper: true, frustumCulled: false, renderOrder: Number.MAX_SAFE_INTEGER };
  return Object.assign(outline, settings, { name: 'SceneIndexOutline', raycast() {} });
}

const QUIET: Partial<CSSStyleDeclaration> = { color: 'var(--text-secondary)' };

/** A button that looks like text, but for the outline of the keyboard's focus. */
const PLAIN_BUTTON: Partial<CSSStyleDeclaration> = {
  all: 'unset',
  outline: 'revert',
  display: 'block',
  marginBottom: '8px',
  cursor: 'pointer',
};

function element(tag: string, style: Partial<CSSStyleDeclaration>, ...children: (string | HTMLElement)[]): HTMLElement {
  const made = document.createElement(tag);
  Object.assign(made.style, style);
  made.append(...children);
  return made;
}

/** A section of the tab: a heading, with content below. */
function section(title: string, flex: string, content: HTMLElement): HTMLElement {
  const heading = element('div', { color: 'var(--color-accent)', marginBottom: '6px' }, title);
  return element('section', { flex, minWidth: '0', lineHeight: '1.6', overflowWrap: 'anywhere' }, heading, content);
}

/** Writes 24197 as 24,197. */
const inCount = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 }).format;
