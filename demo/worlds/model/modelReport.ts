import { counted, number } from '../../ui/parts/format.js';
import type { Contents } from './contents.js';
import type { DrawingMode, FrameCost, PathCosts, Spread } from './frameCosts.js';
import type { KitModel } from './kit.js';

const MODES: readonly (readonly [DrawingMode, string])[] = [
  ['three', 'Plain three'],
  ['index', 'With the index'],
  ['batches', 'In batches'],
  ['levels', 'In batches, with levels'],
];
/** A difference is one that every round shows, and of at least so much. */
const CLEAR = 1.05;
/** Files that are listed, of those that could not be read. */
const MOST_FILES = 5;

/** The facts of a model and its files that a report states. */
type Described = Pick<KitModel, 'name' | 'kit' | 'leftOut' | 'missing'>;

/** The report on a model as Markdown: counts, what frames cost, what keeps objects out of batches. */
export function modelReport(contents: Contents, costs: PathCosts, model: Described): string {
  const { objects, triangles, materials, geometries, textures } = contents;
  const counts = [objects, triangles, materials, geometries, textures].map((value) => number(value));
  return [
    `# ${escaped(model.name)}`,
    ...pieces(model, costs),
    table(['Objects', 'Triangles', 'Materials', 'Geometries', 'Textures'], [counts]),
    ...frames(costs),
    ...alone(objects, costs),
    `Added by the index: ${inBytes(costs.indexBytes)} of memory.`,
    '',
  ].join('\n\n');
}

/** How a kit was placed, in a sentence, which models are left out, and which files are missing. */
function pieces({ kit, leftOut, missing }: Described, { three, batches }: PathCosts): string[] {
  const listed = (title: string, sentences: readonly string[]): string[] => {
    const more = sentences.length - MOST_FILES;
    const shown = [...sentences.slice(0, MOST_FILES), ...(more > 0 ? [`And ${number(more)} more.`] : [])];
    return more > -MOST_FILES ? [`${title}: ${shown.map(escaped).join(' ')}`] : [];
  };
  return [
    ...(kit
      ? [
          `${counted(kit.pieces, 'piece')} from ${counted(kit.files, 'file')} in ${counted(kit.placements, 'placement')}: a frame takes ${counted(three.calls, 'draw call')} in plain three and ${number(batches.calls)} in batches.`,
        ]
      : []),
    ...listed('Left out', leftOut),
    ...listed('Missing files', missing),
  ];
}

function frames(costs: PathCosts): string[] {
  const rows = MODES.map(([mode, name]) => {
    const { calls, cpu, triangles } = costs[mode];
    const speed = mode === 'three' ? '' : inSpeed(costs[mode]);
    return [name, number(calls), number(triangles), `${inMs(cpu.median)} (${rangeOf(cpu, inMs)})`, speed];
  });
  const how = `CPU time of \`renderer.render\`: the median of ${costs.rounds} rounds, with the fastest and the slowest. All modes flew the same camera path of ${costs.frames} frames in turns, each after some flights that were not measured.`;
  return [
    '## A frame',
    table(['Mode', 'Draw calls', 'Triangles', 'CPU', 'Against plain three'], rows),
    how,
    ...MODES.slice(1).flatMap(([mode, name]) => (isSlower(costs[mode].speed) ? [`${name}: ${WHY_SLOWER[mode]}`] : [])),
  ];
}

const WHY_SLOWER: Readonly<Record<string, string>> = {
  index:
    'slower, because keeping the index up to date and asking it took longer than it saved. It pays with more objects, more of them out of view, and fewer that move.',
  batches:
    'slower, because too few objects share a batch to make up for preparing batches. See below for what keeps objects out.',
  levels:
    'slower on the CPU, for the reason above: levels of detail spare the work of the graphics card, which is not measured here.',
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

/** Each object is either in a batch or in a row of the report. */
function alone(objects: number, { unbatched }: PathCosts): string[] {
  const heading = '## What is drawn in batches';
  const batched = objects - sumOf(unbatched);
  const share =
    batched === 0
      ? 'No object is drawn in a batch.'
      : `${number(batched)} of ${number(objects)} objects are drawn in batches.`;
  if (unbatched.length === 0) return [heading, share];
  const rows = unbatched.map(({ count, reason, advice }) => [number(count), escaped(reason), escaped(advice)]);
  const why = table(['Objects', 'Why', 'What to do'], rows);
  return [heading, `${share} ${batched === 0 ? 'Why' : 'The others are drawn individually'}:`, why];
}

function sumOf(rows: PathCosts['unbatched']): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** The first column is text, as the last is of tables with words. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Names are anything: what would end a cell or begin markup is escaped. */
function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\|`*_<>[\]#]/g, '\\$&');
}

function inMs(ms: number): string {
  return `${number(ms, ms < 10 ? 2 : 1)} ms`;
}

function inFactor(factor: number): string {
  return number(factor, factor < 9.95 ? 1 : 0);
}

function inBytes(bytes: number): string {
  return bytes < 1e6 ? `${number(Math.ceil(bytes / 1e3))} kB` : `${number(bytes / 1e6, 1)} MB`;
}

function rangeOf({ low, high }: Spread, write: (value: number) => string): string {
  const unit = / .*$/;
  return `${write(low).replace(unit, '')}–${write(high)}`;
}
