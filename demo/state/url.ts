import { STRUCTURES } from '../../src/index.js';
import { DEFAULTS, LEVELS, type Settings, type WorldName } from './Settings.js';

/** Where the cameras are: six numbers each. The player's: eye, yaw, pitch, roll (0); the other's: eye, target. */
export interface Poses {
  player: number[] | null;
  above: number[] | null;
}

/** What only tests and screenshots ask for. */
export interface Fixed {
  /** Time stands still here, in seconds. */
  time: number | null;
  pixelRatio: number | null;
  /** False: a frame is drawn only when something asks for it. */
  animate: boolean;
}

const CHOICES: { [K in keyof Settings]?: readonly Settings[K][] } = {
  // A dropped model is not in the URL.
  world: ['town', 'cities'],
  structure: STRUCTURES,
  mode: ['index', 'three'],
  nodes: ['none', 'above', 'both'],
  bounds: ['content', 'cell'],
  theme: ['auto', 'dark', 'light'],
};
const RANGES: { [K in keyof Settings]?: readonly [number, number] } = {
  capacity: [1, 1024],
  maxDepth: [1, 64],
  minCellSize: [0, 100],
  looseness: [1, 8],
  fov: [20, 110],
  far: [2, 1000],
  minLevel: [0, LEVELS],
  maxLevel: [0, LEVELS],
};
const SWITCHES = ['planar', 'autopilot', 'classColours'] as const;

export function readFixed(search: string): Fixed {
  const params = new URLSearchParams(search);
  const number = (name: string) => {
    const value = Number.parseFloat(params.get(name) ?? '');
    return Number.isFinite(value) ? value : null;
  };
  return { time: number('t'), pixelRatio: number('dpr'), animate: params.get('animate') !== '0' };
}

/** Whatever is missing or makes no sense falls back to the defaults of the world. */
export function readUrl(search: string): { settings: Settings; poses: Poses } {
  const params = new URLSearchParams(search);
  const world: WorldName = params.get('world') === 'cities' ? 'cities' : 'town';
  const settings: Settings = { ...DEFAULTS[world] };
  const put = (key: string, value: unknown) => Object.assign(settings, { [key]: value });
  for (const [key, choices] of Object.entries(CHOICES)) {
    const value = params.get(key);
    if ((choices as readonly unknown[]).includes(value)) put(key, value);
  }
  for (const [key, [low, high]] of Object.entries(RANGES)) {
    const value = Number.parseFloat(params.get(key) ?? '');
    if (Number.isFinite(value)) put(key, Math.min(high, Math.max(low, value)));
  }
  for (const key of SWITCHES) {
    const value = params.get(key);
    if (value === '0' || value === '1') put(key, value === '1');
  }
  return { settings, poses: { player: readPose(params.get('player')), above: readPose(params.get('above')) } };
}

/** The query string of a state; it names what differs from the defaults, so that the URL of a fresh page stays short. */
export function writeUrl(search: string, settings: Settings, poses: Poses): string {
  const params = new URLSearchParams(search);
  // A dropped model cannot be restored from an address: the page would open on the town.
  const defaults = DEFAULTS[settings.world];
  for (const key of [...Object.keys(CHOICES), ...Object.keys(RANGES), ...SWITCHES] as (keyof Settings)[]) {
    const value = settings[key];
    const told = key === 'world' ? value === 'cities' : value !== defaults[key];
    if (told) params.set(key, typeof value === 'boolean' ? String(Number(value)) : String(value));
    else params.delete(key);
  }
  for (const [key, pose] of Object.entries(poses) as [string, number[] | null][]) {
    if (pose && settings.world !== 'model')
      params.set(key, pose.map((value) => String(Number(value.toFixed(2)))).join('_'));
    else params.delete(key);
  }
  const text = params.toString();
  return text && `?${text}`;
}

function readPose(text: string | null): number[] | null {
  const values = (text ?? '').split('_').map(Number);
  return values.length === 6 && values.every((value) => Number.isFinite(value) && Math.abs(value) < 1e6)
    ? values
    : null;
}
