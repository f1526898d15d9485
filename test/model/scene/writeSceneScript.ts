import { STRUCTURES } from '../../../src/standalone.js';
import { random } from '../../helpers/random.js';
import { ACT_NAMES, ACTS, type ActName } from './acts.js';
import { KINDS } from './makeObject.js';
import { type Next, place, upTo } from './numbers.js';
import type { SceneScript, Setting, Step } from './SceneScript.js';

/** Seeds of what concerns batches and occlusion lie that far from the others. */
const BATCHES = 2 ** 24;
const OCCLUSION = 2 ** 27;
/** So do those of a second change of one object in one update, and how often it comes. */
const TWICE = 2 ** 28;
const OFTEN = 0.15;
/** Things and walls that a scene with occlusion begins with: of fewer in view nothing is left out. */
const THINGS = 140;
const WALLS = 4;

/** A script from a seed. @param without Acts, and kinds of objects, that do not come. */
export function writeSceneScript(seed: number, without: ReadonlySet<string> = new Set()): SceneScript {
  const next = random(seed);
  const setting = writeSetting(next);
  const steps = writeBatch(setting, random(seed + BATCHES));
  if (!without.has('occlusion')) steps.push(...writeOcclusion(setting, random(seed + OCCLUSION)));
  const stepFrom = (from: Next, name: ActName, probe: number): Step => ({
    do: name,
    a: upTo(from, 1000),
    b: upTo(from, 1000),
    v: valuesOf(name, from, without),
    probe,
  });
  const step = (name: ActName, probe: number): Step => stepFrom(next, name, probe);
  // Up to 48 objects a renderer is left to walk by itself.
  const isLarge = next() < 0.5;
  const first = isLarge ? 35 + upTo(next, 40) : 2 + upTo(next, 12);
  if (next() < 0.03) steps.push({ do: 'crowd', a: 0, b: 0, v: [upTo(next, 1000), 300], probe: 0 });
  for (let i = 0; i < first; i++) steps.push(step('add', 0));
  const isLeftOut = (name: ActName): boolean => without.has(name);
  const names = ACT_NAMES.filter((name) => !isLeftOut(name));
  const pick = chooser(someOf(names, next));
  const length = 30 + upTo(next, isLarge ? 40 : 80);
  const twice = random(seed + TWICE);
  for (let i = 0; i < length; i++) {
    const one = step(pick(next()), next() < 0.75 ? 1 + upTo(next, 2 ** 31) : 0);
    if (twice() < OFTEN) steps.push({ ...stepFrom(twice, pick(twice()), 0), a: one.a });
    steps.push(one);
  }
  return { setting, steps };
}

function writeSetting(next: Next): Setting {
  const mode = next() < 0.85 ? 'accelerate' : 'index';
  return {
    structure: next() < 0.4 ? 'looseOctree' : STRUCTURES[upTo(next, STRUCTURES.length)],
    mode,
    capacity: [2, 4, 64][upTo(next, 3)],
    planar: next() < 0.2,
    isMaintained: upTo(next, 3) > 0,
    cullCasters: mode === 'accelerate' && next() < 0.15,
    scenes: next() < 0.15 ? 2 : 1,
  };
}

/** Batches now and then, which need meshes near by that are alike: those come first. */
function writeBatch(setting: Setting, next: Next): Step[] {
  setting.batch = setting.mode === 'accelerate' && next() < 0.3;
  if (!setting.batch) return [];
  const seeds = [upTo(next, 1000), upTo(next, 1000)];
  return Array.from({ length: 24 }, () => {
    const v = [KINDS.indexOf('shared'), seeds[upTo(next, 2)], ...place(next, 6)];
    return { do: 'add', a: 0, b: 0, v, probe: 0 };
  });
}

/** Occlusion now and then, which needs walls, and many things that they may hide. */
function writeOcclusion(setting: Setting, next: Next): Step[] {
  if (setting.mode !== 'accelerate' || next() >= 0.15) return [];
  setting.occlusion = true;
  return Array.from({ length: THINGS + WALLS }, (_, i) => {
    const kind = i < WALLS ? 'wall' : next() < 0.8 ? 'shared' : KINDS[upTo(next, KINDS.length)];
    const v = [KINDS.indexOf(kind), upTo(next, 1000), ...place(next, i < WALLS ? 4 : 8)];
    return { do: 'add', a: 0, b: 0, v, probe: 0 };
  });
}

/** Often all acts, often a few that come again and again. */
function someOf(names: ActName[], next: Next): ActName[] {
  if (next() < 0.4) return names;
  const share = 0.1 + 0.4 * next();
  const some = names.filter(() => next() < share);
  return [...some, 'add', 'position'];
}

/** Picks by weight. */
function chooser(names: ActName[]): (at: number) => ActName {
  const total = names.reduce((sum, name) => sum + ACTS[name].weight, 0);
  return (at) => {
    let left = at * total;
    for (const name of names) {
      left -= ACTS[name].weight;
      if (left < 0) return name;
    }
    return names[names.length - 1];
  };
}

function valuesOf(name: ActName, next: Next, without: ReadonlySet<string>): number[] {
  const values = ACTS[name].values?.(next) ?? [];
  if (name === 'add' && without.has(KINDS[values[0]])) values[0] = 0;
  return values;
}
