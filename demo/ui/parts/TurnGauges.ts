import type { Meter } from '../../measure/Meter.js';
import type { Turns } from '../../measure/Turns.js';
import type { Mode } from '../../state/Settings.js';
import { Bars } from './Bars.js';
import { number, reliableTime } from './format.js';
import type { Gauges } from './Gauges.js';
import { type Counts, whyBatched, whyIndex } from './whySpeed.js';

const LABELS: Readonly<Record<Mode, string>> = { index: 'Index', batched: 'Batched', three: 'Plain three' };
const GAUGES = ['cpu', 'done', 'drawn'];

/** Instruments of a world that is drawn in several ways: what a frame costs in each, until it is done, and what it draws. */
export class TurnGauges {
  readonly #gauges: Gauges;
  readonly #ways: readonly Mode[];
  readonly #cpu: Bars;
  readonly #done: Bars;
  readonly #drawn: Bars;

  /**
   * @param ways The ways, as they are listed.
   * @param drawn Title of what is drawn.
   */
  constructor(gauges: Gauges, ways: readonly Mode[], drawn: string) {
    this.#gauges = gauges;
    this.#ways = ways;
    this.#cpu = new Bars(ways);
    this.#done = new Bars(ways);
    this.#drawn = new Bars(ways);
    const rows = (key: string) => ways.map((way) => [`${key}-${way}`, LABELS[way], way] as [string, string, string]);
    gauges.add('cpu', 'CPU per frame', this.#cpu.element, rows('cpu'), true);
    gauges.add('done', 'Until the picture is done', this.#done.element, rows('done'));
    gauges.add('drawn', drawn, this.#drawn.element, rows('drawn'));
  }

  toggle(areShown: boolean): void {
    for (const key of GAUGES) this.#gauges.toggle(key, areShown);
  }

  /** @param hasDone Whether the page can tell when a picture is done. */
  show(mode: Mode, turns: Turns, counts: Counts, hasDone = true): void {
    const gauges = this.#gauges;
    const { costs } = turns;
    const shown = this.#ways.includes(mode) ? mode : 'index';
    const fast = shown === 'three' ? 'index' : shown;
    const why = fast === 'batched' ? whyBatched : whyIndex;
    gauges.putSpeed('cpu', turns.speed(fast, 'three'), shown, (isFaster) => why(isFaster, counts));
    const { done } = costs[shown];
    const unit = done.isReliable ? 'ms, with the GPU' : 'measuring…';
    gauges.put('done', done.isReliable ? done.mean.toFixed(1) : '–', hasDone ? unit : 'WebGL or WebGPU only');
    const drawn = turns.drawn(shown);
    gauges.put('drawn', drawn === null ? '–' : number(drawn), drawn === null ? 'measuring…' : 'a frame');
    for (const way of this.#ways) {
      gauges.write(`cpu-${way}`, reliableTime(costs[way].cpu));
      gauges.write(`done-${way}`, reliableTime(costs[way].done));
      const calls = turns.drawn(way);
      gauges.write(`drawn-${way}`, calls === null ? '–' : number(calls));
    }
    const known = ({ isReliable, mean }: Meter) => (isReliable ? mean : 0);
    this.#cpu.show(this.#ways.map((way) => known(costs[way].cpu)));
    this.#done.show(this.#ways.map((way) => known(costs[way].done)));
    this.#drawn.show(this.#ways.map((way) => turns.drawn(way) ?? 0));
  }
}
