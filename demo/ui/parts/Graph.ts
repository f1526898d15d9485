const SVG = 'http://www.w3.org/2000/svg';
const POINTS = 90;
const WIDTH = 180;
const HEIGHT = 34;

/** Lines over time, all on one scale from zero. */
export class Graph {
  readonly element = document.createElementNS(SVG, 'svg');
  readonly #lines: { line: SVGPolylineElement; values: number[] }[];
  #top = 0;

  /** @param names Class names of the lines. */
  constructor(names: string[]) {
    this.element.setAttribute('class', 'graph');
    this.element.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    this.element.setAttribute('preserveAspectRatio', 'none');
    this.element.setAttribute('aria-hidden', 'true');
    const base = document.createElementNS(SVG, 'line');
    for (const [name, value] of Object.entries({ x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT })) {
      base.setAttribute(name, String(value));
    }
    this.element.append(base);
    this.#lines = names.map((name) => {
      const line = document.createElementNS(SVG, 'polyline');
      line.setAttribute('class', name);
      this.element.append(line);
      return { line, values: [] };
    });
  }

  clear(): void {
    for (const { values } of this.#lines) values.length = 0;
    this.#top = 0;
  }

  push(...next: number[]): void {
    const highest = Math.max(1e-3, ...this.#lines.flatMap(({ values }) => values), ...next);
    // The scale rises at once and falls slowly, so that lines do not jump.
    this.#top = Math.max(highest * 1.1, this.#top * 0.97);
    this.#lines.forEach(({ line, values }, i) => {
      values.push(next[i] ?? 0);
      if (values.length > POINTS) values.shift();
      const start = POINTS - values.length;
      const points = values.map((value, at) => {
        const x = ((start + at) / (POINTS - 1)) * WIDTH;
        const y = HEIGHT - (value / this.#top) * (HEIGHT - 2) - 1;
        return `${x.toFixed(1)},${y.toFixed(1)}`;
      });
      line.setAttribute('points', points.join(' '));
    });
  }
}
