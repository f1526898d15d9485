import { COLLISION_CONTROLS, type CollisionValues, FEWEST, MOST } from '../../../state/controls/collisionControls.js';
import { element, setText } from '../../../ui/parts/element.js';
import { counted, number } from '../../../ui/parts/format.js';
import { METHODS, type MethodId } from '../setup/methods.js';
import { SCENES } from '../setup/scenes.js';
import type { Comparison } from '../simulation/Comparison.js';
import { MethodTable } from './MethodTable.js';

/** Steps of the slider; each multiplies by the same factor. */
const STEPS = 300;

/** The panel beside the arena: controls and the table of methods. */
export class ComparisonPanel {
  readonly element: HTMLElement;
  readonly #values: CollisionValues;
  readonly #table: MethodTable;
  readonly #verdict = element('p', { class: 'verdict', role: 'status' });
  readonly #pressed: (() => void)[] = [];
  readonly #slider: HTMLInputElement;
  readonly #count = element('output', { for: 'objects' });
  readonly #runAll = element('button', { type: 'button', title: 'R' }, 'Run all methods');
  readonly #ramp = element('button', { type: 'button', title: 'L' });
  readonly #stop = element('button', { type: 'button', title: 'Esc', hidden: '' }, 'Stop');
  readonly #progress = element('progress', { max: '1', 'aria-label': 'Progress', hidden: '' });

  /** @param act Called with the button that was pressed, or with the control whose value was written. */
  constructor(values: CollisionValues, act: (control: string) => void, choose: (method: MethodId) => void) {
    this.#values = values;
    this.#table = new MethodTable(choose);
    this.#runAll.addEventListener('click', () => act('runAll'));
    this.#ramp.addEventListener('click', () => act('ramp'));
    this.#stop.addEventListener('click', () => act('stop'));

    this.#slider = element('input', { type: 'range', id: 'objects', min: '0', max: String(STEPS), step: '1' });
    this.#slider.addEventListener('input', () => {
      values.objects = countAt(Number(this.#slider.value));
      act('objects');
    });
    const segments = (['scene', 'dimensions'] as const).map((control) => this.#segments(control, act));
    const slider = element('label', { class: 'objects' }, 'Objects', this.#slider, this.#count);
    this.element = element(
      'section',
      { class: 'comparison', 'aria-label': 'Methods compared' },
      element('div', { class: 'setup' }, ...segments, slider),
      element('div', { class: 'actions' }, this.#runAll, this.#ramp, this.#stop, this.#progress),
      this.#verdict,
      element('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Table' }, this.#table.element),
    );
  }

  show(comparison: Comparison, candidates: ReadonlyMap<MethodId, number> | null): void {
    const { trial, ramp, setup } = comparison;
    this.#table.show(comparison, candidates);
    for (const show of this.#pressed) show();
    setText(this.#count, number(setup.count));
    const at = String(stepAt(setup.count));
    if (this.#slider.value !== at) this.#slider.value = at;
    this.#slider.setAttribute('aria-valuetext', number(setup.count));
    setText(this.#ramp, `Ramp to ${this.#values.rampLimit} ms`);
    this.#stop.hidden = this.#progress.hidden = !trial && !ramp;
    this.#progress.value = (trial ?? ramp)?.progress ?? 0;
    setText(this.#verdict, verdict(comparison));
  }

  #segments(control: 'scene' | 'dimensions', act: (control: string) => void): HTMLElement {
    const { label, choices } = COLLISION_CONTROLS[control];
    const buttons = Object.entries(choices).map(([name, value]) => {
      const button = element('button', { type: 'button', [`data-${control}`]: value }, name);
      button.addEventListener('click', () => {
        Object.assign(this.#values, { [control]: value });
        act(control);
      });
      this.#pressed.push(() => {
        const { scene, dimensions } = this.#values;
        const flat = control === 'dimensions' && SCENES[scene].turned;
        const now = control === 'scene' ? scene : flat ? '2' : dimensions;
        button.setAttribute('aria-pressed', String(now === value));
        button.disabled = flat && value !== now;
      });
      return button;
    });
    return element('fieldset', { class: 'segments', 'aria-label': label }, ...buttons);
  }
}

/** Whether all methods that saw the same frames found the same pairs; empty while there is nothing to compare. */
export function verdict(comparison: Comparison): string {
  const compared = METHODS.filter(({ id }) => comparison.agrees(id) !== null);
  if (compared.length === 0) return '';
  const wrong = compared.filter(({ id }) => comparison.agrees(id) === false);
  if (wrong.length > 0) return `Other pairs than the rest: ${wrong.map(({ title }) => title).join('; ')}.`;
  const { frames } = comparison.rows.get(compared[0].id)!;
  return `${counted(compared.length, 'method')}, the same pairs in each of ${counted(frames, 'frame')}.`;
}

/** Equal steps multiply the number; two digits of it are enough. */
function countAt(step: number): number {
  return Number((FEWEST * (MOST / FEWEST) ** (step / STEPS)).toPrecision(2));
}

function stepAt(count: number): number {
  return Math.round((STEPS * Math.log(count / FEWEST)) / Math.log(MOST / FEWEST));
}
