import type { DrawingMode, FrameCost, PathCosts, Spread } from './measurePath.js';
import type { SceneSurvey } from './survey.js';

const MODES: readonly (readonly [DrawingMode, string])[] = [
  ['three', 'Plain three'],
  ['index', 'With the index'],
  ['batches', 'In batches'],
];
/** A difference is one that every round shows, and of at least so much. */
const CLEAR = 1.05;
/** Reasons that are listed, the most frequent. */
const MOST_REASONS = 20;

/**
 * Formats a survey as Markdown. Lists counts, frame costs if they were measured, memory, and advice for objects that
 * are drawn individually.
 * @param costs Of this scene, from `measurePath`.
 * @param title Heading of the report. Default 'Scene'.
 * @example
 * ```ts
 * import { survey, toMarkdown } from 'three-scene-index';
 *
 * await navigator.clipboard.writeText(toMarkdown(survey(index), undefined, 'office.glb'));
 * ```
 */
export function toMarkdown(survey: SceneSurvey, costs?: PathCosts, title = 'Scene'): string {
  const { objects, triangles, materials, geometries, textures } = survey;
  const counts = [objects, triangles, materials, geometries, textures].map(inCount);
  return [
    `# ${escaped(title)}`,
    table(['Objects', 'Triangles', 'Materials', 'Geometries', 'Textures'], [counts]),
    ...(costs === undefined ? [] : frames(costs)),
    ...alone(survey),
    memory(survey),
    '',
  ].join('\n\n');
}

function frames(costs: PathCosts): string[] {
  const rows = MODES.map(([mode, name]) => {
    const { calls, cpu } = costs[mode];
    const speed = mode === 'three' ? '' : inSpeed(costs[mode]);
    return [name, inCount(calls), `${inMs(cpu.median)} (${rangeOf(cpu, inMs)})`, speed];
  });
  const how = `CPU time of \`renderer.render\`: the median of ${costs.rounds} rounds, with the fastest and the slowest. All modes flew the same camera path of ${costs.frames} frames in turns, each after some flights that were not measured.`;
  return [
    '## A frame',
    table(['Mode', 'Draw calls', 'CPU', 'Against plain three'], rows),
    how,
    ...MODES.slice(1).flatMap(([mode, name]) => (isSlower(costs[mode].speed) ? [`${name}: ${WHY_SLOWER[mode]}`] : [])),
  ];
}

const WHY_SLOWER: Readonly<Record<string, string>> = {
  index:
    'slower, because keeping the index up to date and asking it took longer than it saved. It pays with more objects, more of them out of view, and fewer that move.',
  batches:
    'slower, because too few objects share a batch to make up for preparing batches. See below for what keeps objects out.',
};

/** Slower in every round, and by more than noise. */
function isSlower({ median, high }: Spread): boolean {
  return high < 1 && median < 1 / CLEAR;
}

function inSpeed({ speed }: FrameCost): string {
  const { low, median, high } = speed;
  if (low > 1 && median > CLEAR) return `${inFactor(median)}× faster (${rangeOf(speed, inFactor)}×)`;
  if (!isSlower(speed)) return `no clear difference (${rangeOf(speed, inFactor)}×)`;
  return `${inFactor(1 / median)}× slower (${inFactor(1 / high)}–${inFactor(1 / low)}×)`;
}

function alone({ objects, batched, batches, unbatched }: SceneSurvey): string[] {
  const heading = '## What is drawn in batches';
  const share =
    batched === 0
      ? 'No object is drawn in a batch.'
      : `${inCount(batched)} of ${inCount(objects)} objects are drawn in ${batches === 1 ? '1 batch' : `${inCount(batches)} batches`}.`;
  if (unbatched.length === 0) return [heading, share];
  const rows = unbatched
    .slice(0, MOST_REASONS)
    .map(({ count, reason, advice }) => [inCount(count), escaped(reason), escaped(advice)]);
  const others = unbatched.slice(MOST_REASONS);
  const more = others.reduce((sum, { count }) => sum + count, 0);
  const rest = more === 0 ? [] : [`${inCount(more)} more, for ${inCount(others.length)} other reasons.`];
  const why = table(['Objects', 'Why', 'What to do'], rows);
  return [heading, `${share} ${batched === 0 ? 'Why' : 'The others are drawn individually'}:`, why, ...rest];
}

function memory({ memory }: SceneSurvey): string {
  const taken = Object.entries(memory).filter(([, bytes]) => bytes > 0);
  const rows = taken.map(([name, bytes]) => [MEMORY[name] ?? name, inBytes(bytes)]);
  return `## Memory\n\n${table(['Part', 'Size'], rows)}`;
}

const MEMORY: Readonly<Record<string, string>> = {
  geometries: 'Geometries',
  instances: 'Instances',
  textures: 'Textures, uncompressed, with mipmaps',
  batches: 'Added by batches',
  index: 'Added by the index',
};

/** The first column is text, as the last is of tables with words. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Names are anything: what would end a cell or begin markup is escaped. */
function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\|`*_<>[\]#]/g, '\\$&');
}

const COUNT = /* @__PURE__ */ new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

function inCount(count: number): string {
  return COUNT.format(count);
}

function inMs(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;
}

function inFactor(factor: number): string {
  return factor.toFixed(factor < 9.95 ? 1 : 0);
}

function inBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function rangeOf({ low, high }: Spread, write: (value: number) => string): string {
  const unit = / .*$/;
  return `${write(low).replace(unit, '')}–${write(high)}`;
}
