import { isBuiltIn, WORLD_NAMES, type WorldName, worldEntry } from './catalogue.js';
import { type Controls, formatValue, parseValue, startValues, type Values } from './controls/Control.js';
import { PAGE_CONTROLS } from './controls/pageControls.js';
import { defaultsOf, type Settings } from './Settings.js';

/** Camera poses, six numbers each: the eye, and a point ahead (player) or the target (above). */
export interface Poses {
  player: number[] | null;
  above: number[] | null;
}

/** Options of the address for tests and screenshots. */
export interface TestOptions {
  /** Freezes time at this second. */
  time: number | null;
  pixelRatio: number | null;
  /** False: frames are drawn on request only. */
  animate: boolean;
  /** Whether to begin with the tour; null: on the first visit, and not where pictures are taken. */
  tour: boolean | null;
}

export interface State {
  settings: Settings;
  /** Values of the world's own controls. */
  worldValues: Values;
  poses: Poses;
}

export function readTestOptions(search: string): TestOptions {
  const params = new URLSearchParams(search);
  const number = (name: string) => {
    const value = Number.parseFloat(params.get(name) ?? '');
    return Number.isFinite(value) ? value : null;
  };
  const time = number('t');
  const animate = params.get('animate') !== '0';
  const asked = params.get('tour');
  const tour = asked === null ? (time === null && animate ? null : false) : asked !== '0';
  return { time, pixelRatio: number('dpr'), animate, tour };
}

/** Missing and invalid values fall back to the defaults of the world. */
export function readUrl(search: string): State {
  const params = new URLSearchParams(search);
  const asked = params.get('world');
  // A dropped model is not in the URL.
  const world: WorldName = WORLD_NAMES.find((name) => name === asked && isBuiltIn(name)) ?? 'town';
  const { controls } = worldEntry(world);
  return {
    settings: { ...defaultsOf(world), ...readValues(params, PAGE_CONTROLS) },
    worldValues: { ...startValues(controls), ...readValues(params, controls) } as Values,
    poses: { player: readPose(params.get('player')), above: readPose(params.get('above')) },
  };
}

/** The query string of a state. It holds only what differs from the defaults. */
export function writeUrl(search: string, { settings, worldValues, poses }: State): string {
  const params = new URLSearchParams(search);
  const { world } = settings;
  for (const name of WORLD_NAMES) for (const key of Object.keys(worldEntry(name).controls)) params.delete(key);
  writeValues(params, PAGE_CONTROLS, { ...settings }, { ...defaultsOf(world) });
  const { controls } = worldEntry(world);
  writeValues(params, controls, worldValues, startValues(controls));
  // A dropped model cannot be restored from an address.
  if (world !== 'town' && isBuiltIn(world)) params.set('world', world);
  else params.delete('world');
  for (const [key, pose] of Object.entries(poses) as [string, number[] | null][]) {
    if (pose && world !== 'model') params.set(key, pose.map((value) => String(Number(value.toFixed(2)))).join('_'));
    else params.delete(key);
  }
  const text = params.toString();
  return text && `?${text}`;
}

function readValues(params: URLSearchParams, controls: Controls): Partial<Values> {
  const read = Object.entries(controls).map(([key, control]) => [key, parseValue(control, params.get(key))] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

function writeValues(params: URLSearchParams, controls: Controls, values: Values, defaults: Values): void {
  for (const key of Object.keys(controls)) {
    const value = values[key];
    if (value === undefined || value === defaults[key]) params.delete(key);
    else params.set(key, formatValue(value));
  }
}

function readPose(text: string | null): number[] | null {
  const values = (text ?? '').split('_').map(Number);
  return values.length === 6 && values.every((value) => Number.isFinite(value) && Math.abs(value) < 1e6)
    ? values
    : null;
}
