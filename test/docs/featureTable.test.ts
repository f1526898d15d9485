import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { LevelReason } from '../../src/batching/whyNoLevels.js';
import { BATCH_REASONS } from '../../src/explain/batchReasons.js';
import { LEVEL_REASONS } from '../../src/explain/levelReasons.js';
import { OcclusionView } from '../../src/occlusion/OcclusionView.js';
import { SHOTS } from '../helpers/sights.js';

const guide = (name: string): string =>
  readFileSync(new URL(`../../demo/docs/guides/${name}.md`, import.meta.url), 'utf8');

const [, table = ''] = /<!-- features -->\n(.*?)<!-- \/features -->/s.exec(guide('rules')) ?? [];
const rows = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));

/** The cells of the row of a feature. */
function cellsOf(feature: string): { cameras: string; renderers: string; geometries: string } {
  const row = rows.find(([, name = '']) => name.startsWith(feature) || name.startsWith(`[${feature}]`));
  const [, , cameras = '', renderers = '', geometries = ''] = row ?? [];
  return { cameras, renderers, geometries };
}

/** The features that look whether three's shaders are patched, by the file that does. */
const READ_SHADERS: Readonly<Record<string, string>> = {
  'batching/whyNotBatched.ts': 'batches',
  'render/CasterCulling.ts': '`cullCasters`',
  'render/occlusion/occlusionSettings.ts': '`occlusion`',
};

const reasons = Object.keys(BATCH_REASONS);

/** What the table says of geometries in batches, by the reason that keeps others out. */
const BATCHED: Readonly<Record<string, string>> = {
  noVertices: 'with vertices',
  emptyIndex: 'no empty index',
  geometryInstances: 'no instanced',
  morphTargets: 'no morph targets',
  indexRange: 'no index beyond the vertices',
  instanced: 'no instanced or storage attributes',
  storage: 'storage attributes',
  notNumbers: 'arrays of floats, half floats or integers that are in memory',
  onUploadCallback: 'no `onUploadCallback`',
  tooShort: 'no attribute too short',
};

/** What the guide to levels says of what has none, and the table if it is about geometries. */
const LEVELED: Readonly<Record<LevelReason, readonly [inGuide: string, inTable?: string]>> = {
  notAllowed: ['`index.levels(object, false)`'],
  cutout: ['`alphaTest`, `alphaToCoverage`, `alphaHash`'],
  alphaMap: ['`alphaMap`'],
  polygonOffset: ['`polygonOffset`'],
  displacementMap: ['`displacementMap`'],
  shader: ['`batch.accept`'],
  part: ['drawn only in part', 'drawn whole'],
  alone: ['fewer than 2,000 of its triangles'],
  few: ['fewer than 256 triangles', 'at least 256 triangles'],
  notInMemory: ['arrays were freed', 'in memory'],
  restless: ['quarter of a second', 'unchanged for a quarter of a second'],
  failed: ['could not be made'],
  nothingSaved: ['none would save enough'],
  waiting: ['yet to be made'],
  full: ['`batch.maxBytes`'],
  ordered: ['depend on their order'],
};

describe('the table of what each feature takes', () => {
  it('names each rule by which the geometry of a mesh keeps it out of batches', () => {
    const first = reasons.indexOf('noVertices');
    // Reasons are listed by what they are about; those after geometries begin with this one.
    expect(reasons.slice(first, reasons.indexOf('notAllowed')).sort()).toEqual(Object.keys(BATCHED).sort());
    for (const [reason, phrase] of Object.entries(BATCHED))
      expect(cellsOf('batches').geometries, reason).toContain(phrase);
  });

  it('names each rule by which a geometry has no levels, as the guide to levels names all', () => {
    expect(Object.keys(LEVELED).sort()).toEqual(Object.keys(LEVEL_REASONS).sort());
    const [, list = ''] = /^## What has no levels(.*?)^## /ms.exec(guide('levels')) ?? [];
    for (const [reason, [inGuide, inTable = '']] of Object.entries(LEVELED)) {
      expect(list, reason).toContain(inGuide);
      expect(cellsOf('levels of detail').geometries, reason).toContain(inTable);
    }
  });

  it('says which features need the build of three that shows its shaders', () => {
    const src = fileURLToPath(new URL('../../src/', import.meta.url));
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const readers = files.filter((file) => readFileSync(`${src}${file}`, 'utf8').includes('new KnownShaders('));
    expect(readers.sort()).toEqual(Object.keys(READ_SHADERS).sort());
    for (const feature of Object.values(READ_SHADERS)) {
      expect(cellsOf(feature).renderers, feature).toContain('`WebGLRenderer` of the main build');
    }
    expect(cellsOf('levels of detail').renderers).toBe('as batches');
    expect(table.match(/of the main build/g)).toHaveLength(readers.length);
  });

  it('says for which cameras occlusion finds anything', () => {
    expect(cellsOf('`occlusion`').cameras).toMatch(
      /^any with one view.*logarithmic depth buffer, only perspective and orthographic$/,
    );
    for (const [what, make, [viewportWidth, viewportHeight]] of SHOTS) {
      const { projectionMatrix, matrixWorldInverse } = make();
      const view = matrixWorldInverse.elements;
      const shot = { projection: projectionMatrix.elements, view, viewportWidth, viewportHeight };
      const isUsed = (logarithmic: { near: number; far: number } | null): boolean =>
        new OcclusionView().set({ ...shot, logarithmic }, 320, 160);
      expect(isUsed(null), what).toBe(true);
      const isPlain = !/oblique|\bmap\b/.test(what) || what === 'a map without perspective';
      expect(isUsed({ near: 0.5, far: 500 }), what).toBe(isPlain);
    }
  });
});
