import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { SceneIndex } from '../../../src/index.js';
import { OcclusionBuffer } from '../../../src/occlusion/OcclusionBuffer.js';
import { CasterCulling } from '../../../src/render/CasterCulling.js';
import { HiddenState } from '../../../src/render/occlusion/HiddenState.js';
import { PassState } from '../../../src/render/PassBuild.js';
import { PassList } from '../../../src/render/PassList.js';
import { ScenePicking } from '../../../src/render/ScenePicking.js';
import { Picker } from '../../../src/scene/ask/Picker.js';
import { RayCandidates } from '../../../src/scene/ask/RayCandidates.js';
import { Entries, EntriesById } from '../../../src/scene/follow/Entries.js';
import { Hierarchy } from '../../../src/scene/follow/Hierarchy.js';
import { loadOcclusion } from '../../helpers/occlusion.js';
import { ACT_NAMES, type ActName } from './acts.js';
import { runSceneScript } from './runSceneScript.js';
import type { SceneScript } from './SceneScript.js';
import { printSceneScript, stepsOf } from './sceneText.js';
import { sceneFailureOf, shrinkSceneScript } from './shrinkSceneScript.js';
import { writeSceneScript } from './writeSceneScript.js';

const EVERYDAY: ActName[] = ['add', 'crowd', 'position', 'rotation', 'put', 'remove', 'visible', 'castShadow', 'wait'];
const without = new Set<string>(ACT_NAMES.filter((name) => !EVERYDAY.includes(name)));
for (const helper of ['camera', 'point', 'spot', 'directional', 'skeleton', 'box']) without.add(`${helper}Helper`);
without.add('lightOrder');
without.add('occlusion');

/** With walls in some of them. */
const withWalls = new Set([...without].filter((name) => name !== 'occlusion'));

/** How the first of some scripts that fails does so. */
function firstKind(count = 25, wanted: (script: SceneScript) => unknown = () => true): string | undefined {
  for (let seed = 1; seed <= count; seed++) {
    const script = writeSceneScript(seed, wanted === hasWalls ? withWalls : without);
    const failure = wanted(script) ? sceneFailureOf(script, without) : null;
    if (failure !== null) return failure.kind;
  }
  return undefined;
}

function hasWalls({ setting }: SceneScript): boolean {
  return Boolean(setting.occlusion);
}

beforeAll(loadOcclusion);

afterEach(() => {
  vi.restoreAllMocks();
});

describe('scene scripts', () => {
  it('go well as long as nothing is broken', () => {
    expect(firstKind(12)).toBe(undefined);
  });

  it('are the same for the same seed', () => {
    expect(writeSceneScript(7)).toEqual(writeSceneScript(7));
    expect(writeSceneScript(8)).not.toEqual(writeSceneScript(7));
  });

  const broken: [string, string[], () => void][] = [
    ['an update that does nothing', ['matrixWorld'], () => vi.spyOn(SceneIndex.prototype, 'update').mockReturnValue()],
    ['bounds that stay as they were', ['box'], () => vi.spyOn(Entries.prototype, 'refresh').mockReturnValue()],
    [
      'lists that lack what has nothing below it',
      ['list', 'casters'],
      () => {
        const { add } = PassList.prototype;
        return vi.spyOn(PassList.prototype, 'add').mockImplementation(function (this: PassList, record, object, order) {
          if (object.children.length > 0) add.call(this, record, object, order);
        });
      },
    ],
    [
      'children that are drawn twice',
      ['list', 'casters', 'lights'],
      () => vi.spyOn(PassState.prototype, 'nominate').mockReturnValue(),
    ],
    [
      'lists without lights',
      ['lights'],
      () => {
        const { add } = PassList.prototype;
        return vi.spyOn(PassList.prototype, 'add').mockImplementation(function (this: PassList, record, object, order) {
          if (!('isLight' in object)) add.call(this, record, object, order);
        });
      },
    ],
    ['picks without hits', ['pick'], () => vi.spyOn(Picker.prototype, 'within').mockReturnValue([])],
    ['first hits that are none', ['firstPick'], () => vi.spyOn(Picker.prototype, 'first').mockReturnValue(null)],
    ['children without hits', ['pick'], () => vi.spyOn(ScenePicking.prototype, 'castBelow').mockReturnValue(true)],
    ['candidates that are forgotten', ['pickList'], () => vi.spyOn(RayCandidates.prototype, 'each').mockReturnValue()],
    ['hits of its own that are none', ['indexPick'], () => vi.spyOn(Picker.prototype, 'all').mockReturnValue([])],
    ['what is left behind', ['leftovers'], () => vi.spyOn(Hierarchy.prototype, 'dispose').mockReturnValue()],
    ['problems that it has itself', ['validate'], () => vi.spyOn(EntriesById.prototype, 'remove').mockReturnValue()],
    ['queries', ['queryBox'], () => vi.spyOn(SceneIndex.prototype, 'queryBox').mockReturnValue([])],
    ['places', ['queryPoint'], () => vi.spyOn(SceneIndex.prototype, 'queryPoint').mockReturnValue([])],
    ['distances', ['nearest'], () => vi.spyOn(SceneIndex.prototype, 'nearest').mockReturnValue([])],
    ['cameras', ['cull'], () => vi.spyOn(SceneIndex.prototype, 'cull').mockReturnValue([])],
    [
      'shadows that are missed',
      ['casters'],
      () => vi.spyOn(CasterCulling.prototype, 'narrow').mockReturnValue([Float64Array.of(0, 0, 0, -1)]),
    ],
  ];
  it.each(broken)('find %s', (_label, kinds, breakIt) => {
    breakIt();
    expect(kinds).toContain(firstKind());
  });
});

describe('scene scripts with walls', () => {
  it('go well as long as nothing is broken', () => {
    expect(firstKind(24, hasWalls)).toBe(undefined);
  });

  const broken: [string, () => void][] = [
    [
      'things that are hidden whatever they are',
      () =>
        vi.spyOn(HiddenState.prototype, 'sort').mockImplementation((list, mayHide, others) => {
          mayHide.addAll(list);
          others.length = 0;
        }),
    ],
    [
      'occluders that are drawn larger than they are',
      () => {
        const { prototype } = OcclusionBuffer;
        const { draw } = prototype;
        vi.spyOn(prototype, 'draw').mockImplementation(function (this: OcclusionBuffer, mesh, world, o = 0, side = 1) {
          const larger = Array.from({ length: 16 }, (_, k) => world[o + k] * (k < 12 ? 1.5 : 1));
          return draw.call(this, mesh, larger, 0, side);
        });
      },
    ],
  ];
  it.each(broken)('find %s', (_label, breakIt) => {
    breakIt();
    expect(firstKind(120, hasWalls)).toBe('hidden');
  });
});

describe('a scene script that fails', () => {
  it('is shortened to what makes it fail, and printed as source', () => {
    vi.spyOn(Entries.prototype, 'refresh').mockReturnValue();
    const scripts = Array.from({ length: 25 }, (_, seed) => writeSceneScript(seed, without));
    const script = scripts.find((each) => sceneFailureOf(each, without)?.kind === 'box');
    const short = shrinkSceneScript(script as SceneScript, without);
    expect(short.steps.length).toBeLessThan(4);
    expect(() => runSceneScript(short)).toThrow(/box/);
    const [, steps] = /^\['', '(.*)', \{ structure: '\w+', .* \}\],$/.exec(printSceneScript(short)) ?? [];
    expect(stepsOf(steps)).toEqual(short.steps);
  });
});
