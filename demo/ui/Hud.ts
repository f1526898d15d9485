import type { DrawCosts } from '../measure/DrawCosts.js';
import type { Measurements } from '../measure/Measurements.js';
import { MODES } from '../state/controls/pageControls.js';
import type { Mode } from '../state/Settings.js';
import type { Report } from '../worlds/contract/Report.js';
import { CostGauges } from './parts/CostGauges.js';
import { element, paint } from './parts/element.js';
import { counted, number, rate, reliableTime } from './parts/format.js';
import { Gauges } from './parts/Gauges.js';
import { ReportGauge } from './ReportGauge.js';

export interface TreeFacts {
  followed: number;
  nodes: number;
  height: number;
}

/** The instruments of a world in two views: what is visible, and what it costs to find out, to draw it and to keep up with it. */
export class Hud {
  readonly #gauges: Gauges;
  readonly #costs: CostGauges;
  readonly #shares: HTMLElement[];
  readonly #report = new ReportGauge();

  constructor(root: HTMLElement) {
    const gauges = new Gauges(root);
    this.#gauges = gauges;
    this.#shares = ['inside', 'intersecting'].map((name) => {
      const part = element('i');
      paint(part, name);
      return part;
    });
    const share = element('div', { class: 'share', 'aria-hidden': 'true' }, ...this.#shares);
    root.append(this.#report.element);
    const classes: [string, string, string][] = [
      ['inside', 'Inside', 'inside'],
      ['intersecting', 'Intersecting', 'intersecting'],
      ['culled', 'Culled', 'culled'],
    ];
    gauges.add('visible', 'Seen by the player', classes, share);
    this.#costs = new CostGauges(gauges, Object.values(MODES), 'Draw calls');
    gauges.add('culling', 'Culling alone', [
      ['culling-index', 'Index'],
      ['culling-three', 'Plain three'],
      ['tested', 'Boxes tested'],
      ['culling-rate', 'Frame rate'],
    ]);
    gauges.add('update', 'Following what moves', [
      ['followed', 'Objects'],
      ['nodes', 'Nodes'],
      ['height', 'Levels'],
    ]);
  }

  /** Takes up a world that is drawn in these ways. @param hasObjects Whether it has objects of its own to cull. */
  open(modes: readonly Mode[], hasObjects: boolean): void {
    this.#costs.offer(modes);
    for (const key of ['visible', 'culling']) this.#gauges.toggle(key, hasObjects);
  }

  /** @param costs What it costs to draw the player's view, of worlds that may be drawn in several ways. */
  show(measured: Measurements, tree: TreeFacts, mode: Mode, report: Report | null, costs: DrawCosts | null): void {
    const gauges = this.#gauges;
    this.#report.show(report);
    const { total, visible } = measured;
    gauges.put('visible', number(visible), `of ${counted(total, 'object')}`);
    for (const name of ['inside', 'intersecting', 'culled'] as const) gauges.write(name, number(measured[name]));
    [measured.inside, measured.intersecting].forEach((count, i) => {
      this.#shares[i]!.style.width = `${total ? (100 * count) / total : 0}%`;
    });

    this.#costs.toggle(costs !== null);
    gauges.toggleRow('culling-rate', costs === null);
    if (costs) this.#costs.show(mode, costs);

    const { index, three, update, frame } = measured;
    gauges.putTime('culling', mode === 'three' ? three : index);
    gauges.write('tested', number(measured.boxesTested));
    gauges.write('culling-index', reliableTime(index));
    gauges.write('culling-three', reliableTime(three));
    gauges.write('rate', rate(frame));
    gauges.write('culling-rate', rate(frame));

    // Beside the costs of drawing there is no room for it.
    gauges.toggle('update', costs === null);
    gauges.putTime('update', update);
    gauges.write('followed', number(tree.followed));
    gauges.write('nodes', number(tree.nodes));
    gauges.write('height', number(tree.height));
  }
}
