import { Box3, Group, Vector3 } from 'three';
import { type CollisionValues, setupOf } from '../../state/controls/collisionControls.js';
import { indexOptions, type Settings } from '../../state/Settings.js';
import { element, setText, swatch } from '../../ui/parts/element.js';
import { counted, number } from '../../ui/parts/format.js';
import { still } from '../../views/drawings/Drawing.js';
import type { Stage } from '../../views/stage/Stage.js';
import type { CustomView } from '../contract/CustomView.js';
import type { World } from '../contract/World.js';
import { Arena } from './Arena.js';
import { ComparisonPanel } from './panel/ComparisonPanel.js';
import { Readout } from './panel/Readout.js';
import { METHOD_IDS, METHODS, type Method, type MethodId, methodOf } from './setup/methods.js';
import { dimensionsOf } from './setup/scenes.js';
import { Comparison, MOST_BY_BRUTE_FORCE } from './simulation/Comparison.js';
import { type Candidates, candidatesOf, MethodRun, type Region } from './simulation/MethodRun.js';

/** Moving bodies, and the methods that find overlapping ones. No scene is indexed. */
export async function collisionsWorld(values: CollisionValues): Promise<World> {
  const customView = new Collisions(values);
  const nothing = still(new Group());
  return {
    root: nothing.object,
    staticObjects: [],
    route: { eyes: [new Vector3(0, 1, 1), new Vector3(1, 1, -1), new Vector3(-1, 1, -1)], seconds: 1 },
    overview: { eye: new Vector3(0, 1, 1), target: new Vector3() },
    follow: false,
    bounds: new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)),
    speed: 1,
    near: 0.1,
    ground: 0,
    above: nothing,
    customView,
    step: (seconds) => customView.step(seconds),
    onControlChanged: (control) => customView.valueChanged(control),
    playerDrawing: () => nothing,
    describe: () => ({ title: '', where: '', facts: [] }),
    remove() {},
    dispose: () => customView.dispose(),
  };
}

/** The comparison on the page: the bodies on the left, the methods on the right, and the instruments below. */
class Collisions implements CustomView {
  readonly element: HTMLElement;
  readonly instruments: HTMLElement;
  onValuesChanged = (): void => {};
  readonly comparison: Comparison;
  readonly #values: CollisionValues;
  readonly #arena: Arena;
  readonly #panel: ComparisonPanel;
  readonly #readout = new Readout();
  readonly #regionButton = element('button', { type: 'button', title: 'X', 'aria-pressed': 'false' }, 'Region');
  readonly #candidateKey = key('candidate', 'Candidate');
  readonly #leaving = new AbortController();
  #passed = 0;
  #options = '';
  /** How many candidates each method has in the region, and of what they were counted. */
  #candidates: ReadonlyMap<MethodId, number> | null = null;
  #counted = '';
  /** All methods run once by themselves, where motion is welcome. */
  #hasBegun = matchMedia('(prefers-reduced-motion: reduce)').matches;

  constructor(values: CollisionValues) {
    this.#values = values;
    this.comparison = new Comparison(setupOf(values), values.method, {});
    this.#arena = new Arena(this.comparison);
    const act = (control: string): void => {
      this.valueChanged(control);
      this.onValuesChanged();
    };
    this.#panel = new ComparisonPanel(values, act, (method) => this.#choose(method));
    this.#regionButton.addEventListener('click', () => this.#toggleRegion());
    const legend = element('ul', { class: 'legend', 'aria-label': 'Colours' });
    legend.append(key('colliding', 'Colliding'), this.#candidateKey);
    this.#arena.pane.append(legend);
    const tools = element('div', { class: 'arena-tools' }, this.#regionButton);
    this.element = element('div', { class: 'custom-view' }, this.#arena.pane, tools, this.#panel.element);
    this.instruments = this.#readout.element;
    addEventListener('keydown', (event) => this.#key(event), { signal: this.#leaving.signal });
  }

  /** Adds to the time by which the next frame moves the bodies. */
  step(seconds: number): void {
    this.#passed += seconds;
  }

  /** Reacts to a control of the settings panel or of the comparison panel. */
  valueChanged(control: string): void {
    const values = this.#values;
    const { comparison } = this;
    if (control === 'runAll') comparison.runAll(values.trialFrames);
    else if (control === 'ramp') {
      comparison.startRamp({ limit: values.rampLimit, most: values.rampMost });
    } else if (control === 'stop') comparison.stop();
    else if (control === 'method') this.#choose(values.method);
    else if (['scene', 'dimensions', 'objects'].includes(control)) {
      if (control === 'scene') values.objects = 0;
      comparison.begin(setupOf(values));
    }
  }

  frame(stage: Stage, settings: Settings, milliseconds: number, updateNumbers: boolean): boolean {
    const { comparison } = this;
    this.#readOptions(settings);
    if (!this.#hasBegun && this.#passed > 0) {
      this.#hasBegun = true;
      comparison.runAll(this.#values.trialFrames);
    }
    comparison.frame(this.#passed, milliseconds);
    this.#passed = 0;
    const busy = comparison.trial !== null || comparison.ramp !== null;
    const { region } = this.#arena;
    const { methodRun } = comparison;
    const search = region && methodRun && !busy ? candidatesOf(methodRun, region) : null;
    this.#arena.draw(stage, settings, region, search);
    if (updateNumbers) {
      if (region && !busy) this.#countCandidates(region);
      this.#updateCaption(search);
      this.#readout.show(comparison.latest);
      this.#panel.show(comparison, region ? this.#candidates : null);
    }
    return busy;
  }

  dispose(): void {
    this.#leaving.abort();
    this.#arena.dispose();
    this.element.remove();
    this.instruments.remove();
  }

  /** Takes the options of the page. Those that a method sets itself override them. */
  #readOptions(settings: Settings): void {
    const options = indexOptions(settings);
    const text = JSON.stringify(options);
    if (text === this.#options) return;
    this.#options = text;
    this.comparison.setOptions(options);
  }

  #choose(method: MethodId): void {
    if (!this.comparison.canRun(method)) return;
    this.#values.method = method;
    this.comparison.choose(method);
    this.onValuesChanged();
  }

  #toggleRegion(): void {
    this.#arena.hasRegion = !this.#arena.hasRegion;
    this.#regionButton.setAttribute('aria-pressed', String(this.#arena.hasRegion));
    this.onValuesChanged();
  }

  /** Counts in newly built indices, so that the history of an index does not affect the comparison. */
  #countCandidates(region: Region): void {
    const { bodies, options, seconds } = this.comparison;
    const wanted = [region, bodies.count, bodies.side, seconds, this.#options].join();
    if (wanted === this.#counted) return;
    this.#counted = wanted;
    const candidates = (method: Method) => candidatesOf(new MethodRun(method, bodies, options), region);
    this.#candidates =
      bodies.count > MOST_BY_BRUTE_FORCE
        ? null
        : new Map(METHODS.map((method) => [method.id, candidates(method).bodies.size]));
  }

  #updateCaption(search: Candidates | null): void {
    const { setup, bodies, running } = this.comparison;
    const place = dimensionsOf(setup) === 3 ? 'in space' : 'in the plane';
    const text = search
      ? `${counted(search.bodies.size, 'candidate')} in ${counted(search.nodes, 'node')}, ${number(search.found)} in the region`
      : `${counted(bodies.count, 'object')} ${place}`;
    setText(this.#arena.caption, `${methodOf(running).title}: ${text}`);
    this.#candidateKey.hidden = search === null;
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if ((event.target as HTMLElement).closest('input:not([type=range]), select, textarea')) return;
    if (document.querySelector('dialog[open]')) return;
    const key = event.key.toLowerCase();
    const method = METHOD_IDS['1234567890'.indexOf(key)];
    if (method) this.#choose(method);
    else if (key === 'r') this.valueChanged('runAll');
    else if (key === 'l') this.valueChanged('ramp');
    else if (key === 'x') this.#toggleRegion();
    else if (key === 'escape') {
      this.comparison.stop();
      if (this.#arena.hasRegion) this.#toggleRegion();
    }
  }
}

function key(colour: string, text: string): HTMLElement {
  return element('li', {}, swatch(colour), text);
}
