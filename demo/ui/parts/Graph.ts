const SVG = 'http://www.w3.org/2000/svg';
const POINTS = 90;
const WIDTH = 180;
const HEIGHT = 34;

/** A line over time, on a scale from zero. */
export class Graph {
  readonly element = document.createElementNS(SVG, 'svg');
  readonly #line = document.createElementNS(SVG, 'polyline');
  readonly #values: number[] = [];
  #top = 0;

  /** @param name Class name of the line. */
  constructor(name: string) {
    this.element.setAttribute('class', 'graph');
    this.element.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    this.element.setAttribute('preserveAspectRatio', 'none');
    this.element.setAttribute('aria-hidden', 'true');
    this.#line.setAttribute('class', name);
    this.element.append(this.#line);
  }

  clear(): void {
    this.#values.length = this.#top = 0;
  }

  push(next: number): void {
    const values = this.#values;
    values.push(next);
    if (values.length > POINTS) values.shift();
    // The scale rises at once and falls slowly, so that the line does not jump.
    this.#top = Math.max(1.1 * Math.max(1e-3, ...values), this.#top * 0.97);
    const points = values.map((value, at) => {
      const x = ((POINTS - values.length + at) / (POINTS - 1)) * WIDTH;
      return `${x.toFixed(1)},${(HEIGHT - (value / this.#top) * (HEIGHT - 2) - 1).toFixed(1)}`;
    });
    this.#line.setAttribute('points', points.join(' '));
  }
}
