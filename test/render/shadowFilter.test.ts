import { REVISION, ShaderChunk } from 'three';
import { afterEach, expect, it } from 'vitest';
import { shadowShaders } from '../../src/render/CasterCulling.js';
import { isKnownText } from '../../src/three/shaders.js';

const chunks = ShaderChunk as Record<string, string>;
const before = { ...chunks };
const WEBGL = { isWebGLRenderer: true };
afterEach(() => {
  Object.assign(chunks, before);
});

it.each(['shadowmap_pars_fragment', 'shadowmask_pars_fragment', 'shadowmap_vertex', 'lights_fragment_begin'])(
  'is three’s own but while %s is patched',
  (name) => {
    expect(shadowShaders.refresh(WEBGL)).toBe(true);
    chunks[name] = `float soft = 1.0;\n${before[name]}`;
    expect(shadowShaders.refresh(WEBGL)).toBe(false);
    // It compiles nodes.
    expect(shadowShaders.refresh({})).toBe(true);
    expect(shadowShaders.refresh(WEBGL)).toBe(false);
    chunks[name] = before[name];
    expect(shadowShaders.refresh(WEBGL)).toBe(true);
  },
);

it('is three’s own while other chunks are patched', () => {
  chunks.fog_fragment = '';
  expect(shadowShaders.refresh(WEBGL)).toBe(true);
});

it('is known by its digest, but in a three that is not known', () => {
  expect(isKnownText('a', {})).toBe(true);
  expect(isKnownText('a', { 9: 1 })).toBe(true);
  expect(isKnownText('a', { [REVISION]: 1 })).toBe(false);
  expect(isKnownText(' a // b', { [REVISION]: 97 })).toBe(true);
});
