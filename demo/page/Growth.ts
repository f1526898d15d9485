import type { Mode } from '../state/Settings.js';
import { element } from '../ui/parts/element.js';
import { number } from '../ui/parts/format.js';

/** How many times the world is there, one after the other; with more, copies for both ways would fill a phone's memory. */
const TIMES = [1, 10, 20, 40, 60];
/** Pictures a second below which a way has fallen. */
const LEAST = 20;
/** Milliseconds, and pictures, in which a way settles, and in which it is measured then. */
const SETTLES = { time: 800, pictures: 8 };
const MEASURED = { time: 1000, pictures: 4 };
const WAYS = { three: 'Plain three', batched: 'three-scene-index' } as const;

type Way = keyof typeof WAYS;
/** How many times a way drew the world when it fell, or last, and pictures a second then. */
type Found = { times: number; rate: number; fell: boolean };

/** Multiplies a world until both ways of drawing it have fallen below 20 pictures a second, each by the same rule. */
export class Growth {
  /** Called with how many times the world has to be there. */
  onTimes: (times: number) => void = () => {};
  readonly #button = element('button', { type: 'button', class: 'note', 'data-act': 'grow' });
  readonly #said = element('p', { class: 'note', role: 'status', 'data-key': 'growth', hidden: '' });
  readonly #found = new Map<Way, Found>();
  #objects = 0;
  #step = -1;
  #ways: Way[] = [];
  #since = 0;
  #pictures = 0;
  #isSettled = false;

  constructor(pane: HTMLElement) {
    this.#button.title = 'Multiplies the town until it is drawn less than 20 times a second';
    this.#button.addEventListener('pointerdown', (event) => event.stopPropagation());
    this.#button.addEventListener('click', () => (this.isRunning ? this.stop() : this.#start()));
    pane.append(this.#button, this.#said);
    this.#label();
  }

  get isRunning(): boolean {
    return this.#step >= 0;
  }

  /** Shows the button for a world that can be multiplied, or hides it. @param objects How many the world has. */
  open(objects: number | null): void {
    this.#step = -1;
    this.#objects = objects ?? 0;
    this.#button.hidden = objects === null;
    this.#said.hidden = true;
    this.#label();
  }

  /** The way to draw the next picture; null while it does not run. */
  wayAt(now: number): Mode | null {
    if (!this.isRunning) return null;
    this.#pictures++;
    const { time, pictures } = this.#isSettled ? MEASURED : SETTLES;
    const passed = now - this.#since;
    if (passed >= time && this.#pictures > pictures) {
      if (this.#isSettled) this.#note((1000 * this.#pictures) / passed);
      this.#isSettled = !this.#isSettled;
      this.#since = now;
      this.#pictures = 0;
    }
    return this.#ways[0] ?? null;
  }

  stop(): void {
    this.#step = -1;
    const { three } = Object.fromEntries(this.#found);
    // The address tells how often the town is there.
    this.onTimes(three?.times ?? 1);
    this.#label();
    this.#say();
  }

  #start(): void {
    this.#found.clear();
    this.#go(0);
    this.#label();
  }

  #go(step: number): void {
    this.#step = step;
    this.#ways = (Object.keys(WAYS) as Way[]).filter((way) => this.#found.get(way)?.fell !== true);
    if (this.#ways.length === 0 || step >= TIMES.length) {
      this.stop();
      return;
    }
    this.#since = performance.now();
    this.#pictures = 0;
    this.#isSettled = false;
    this.onTimes(TIMES[step]!);
    this.#say();
  }

  /** Takes the rate of the way at work, and goes on to the next. */
  #note(rate: number): void {
    const way = this.#ways.shift()!;
    this.#found.set(way, { times: TIMES[this.#step]!, rate, fell: rate < LEAST });
    if (this.#ways.length === 0) this.#go(this.#step + 1);
    this.#say();
  }

  #say(): void {
    const lines = (Object.keys(WAYS) as Way[]).flatMap((way) => {
      const found = this.#found.get(way);
      if (!found) return [];
      const objects = number(this.#objects * found.times);
      const rate = `${number(found.rate, found.rate < 10 ? 1 : 0)} pictures a second`;
      return `${WAYS[way]} ${found.fell ? 'fell to' : 'draws'} ${rate} at ${objects} objects`;
    });
    this.#said.hidden = lines.length === 0 && !this.isRunning;
    this.#said.textContent = lines.length === 0 ? 'Measuring…' : lines.join('. ');
  }

  #label(): void {
    this.#button.textContent = this.isRunning ? 'Stop' : '× 10';
    this.#button.setAttribute('aria-pressed', String(this.isRunning));
  }
}
