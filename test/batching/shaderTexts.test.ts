import * as THREE from 'three';
import { afterEach, expect, it, vi } from 'vitest';
import { MaterialGeometryCache } from '../../src/batching/MaterialGeometryCache.js';
import { compiledWithout } from '../../src/three/shaders.js';

const chunks = THREE.ShaderChunk as Record<string, string>;
const shaders = THREE.ShaderLib as unknown as Record<string, { vertexShader: string; fragmentShader: string }>;
const before = { ...chunks };
const WEBGL = { isWebGLRenderer: true };
const WEBGPU = { isWebGPURenderer: true };
const { vertexShader } = shaders.physical;
afterEach(() => {
  Object.assign(chunks, before);
  shaders.physical.vertexShader = vertexShader;
  new MaterialGeometryCache(true, () => {}).nextFrame(WEBGL);
});

/** Why a material that a batch has drawn with is drawn by itself in a new frame. */
function reasonOf(
  material: THREE.Material,
  looks = new MaterialGeometryCache(true, () => {}),
  renderer: object = WEBGL,
): unknown {
  looks.nextFrame(renderer);
  const known = looks.material(material);
  known.draws = 1;
  return known.reason;
}

it.each([
  ['fog_vertex', 'vFogDepth = length((modelMatrix * vec4(transformed, 1.0)).xyz);'],
  ['begin_vertex', 'vec3 transformed = position + normalMatrix * objectNormal;'],
  ['project_vertex', 'gl_Position = projectionMatrix * viewMatrix * vec4(transformed, 1.0);'],
  ['dithering_fragment', 'gl_FragColor.rgb = diffuse;'],
])('a patch of %s that needs what is another in batches keeps meshes out of them', (name, text) => {
  const looks = new MaterialGeometryCache(true, () => {});
  const materials = [new THREE.MeshBasicMaterial(), new THREE.MeshStandardMaterial(), new THREE.MeshNormalMaterial()];
  for (const material of materials) expect(reasonOf(material, looks)).toBe(null);
  chunks[name] = text;
  for (const material of materials) expect(reasonOf(material, looks)).toBe('shaderChunk');
  for (const material of materials) expect(reasonOf(material, looks, WEBGPU)).toBe(null);
  for (const material of materials) expect(reasonOf(material, looks)).toBe('shaderChunk');
  chunks[name] = before[name];
  for (const material of materials) expect(reasonOf(material, looks)).toBe(null);
});

it('a patch of what includes another chunk counts, and of a shader as a whole', () => {
  chunks.swing = 'transformed += (modelMatrix * vec4(0.0, 0.0, 0.0, 1.0)).xyz;';
  expect(reasonOf(new THREE.MeshStandardMaterial())).toBe(null);
  chunks.begin_vertex = `${before.begin_vertex}\n#include <swing>`;
  expect(reasonOf(new THREE.MeshStandardMaterial())).not.toBe(null);
  chunks.begin_vertex = before.begin_vertex;
  shaders.physical.vertexShader = vertexShader.replace('#include <begin_vertex>', '$&\n#include <swing>');
  expect(reasonOf(new THREE.MeshStandardMaterial())).not.toBe(null);
  delete chunks.swing;
});

it('other patches do not', () => {
  chunks.fog_fragment = 'gl_FragColor.rgb *= 0.5; // of modelMatrix nothing';
  chunks.shadowmap_pars_fragment = 'float soft = 1.0;';
  expect(reasonOf(new THREE.MeshStandardMaterial())).toBe(null);
});

/** Patches as of a library that draws instances of its own, by a program that defines a name of its own. */
function patchForInstances(chunks: Record<string, string>): void {
  const own = (text: string): string => `#ifdef USE_INSTANCING_OWN\r\n${text}\r\n#endif`;
  chunks.own_pars_vertex = own('uniform sampler2D ownMatrices; mat4 ownMatrix() { return mat4(gl_InstanceID); }');
  chunks.own_vertex = own('mat4 instanceMatrix = ownMatrix();\n#ifdef USE_OWN_COLOR\nvColor = ownColor();\n#endif');
  chunks.batching_pars_vertex += '\n#include <own_pars_vertex>';
  chunks.batching_vertex += '\n#include <own_vertex>';
  for (const name of ['project_vertex', 'worldpos_vertex', 'defaultnormal_vertex']) {
    chunks[name] = chunks[name].replace(
      '#ifdef USE_INSTANCING',
      '#if defined USE_INSTANCING || defined USE_INSTANCING_OWN',
    );
  }
  chunks.skinning_pars_vertex = '#ifdef USE_SKINNING\nmat4 getBoneMatrix(float i) { return modelMatrix; }\n#endif';
}

it('patches that programs of batches do not compile do not count, whenever they are made', async () => {
  patchForInstances(chunks);
  expect(chunks.project_vertex).toContain('USE_INSTANCING_OWN');
  expect(reasonOf(new THREE.MeshStandardMaterial())).toBe(null);
  vi.resetModules();
  const { MeshStandardMaterial, ShaderChunk } = await import('three');
  if (ShaderChunk !== THREE.ShaderChunk) patchForInstances(ShaderChunk as Record<string, string>);
  const fresh = await import('../../src/batching/MaterialGeometryCache.js');
  expect(reasonOf(new MeshStandardMaterial(), new fresh.MaterialGeometryCache(true, () => {}))).toBe(null);
  chunks.batching_vertex += '\nvec4 own = modelMatrix[0];';
  if (ShaderChunk !== THREE.ShaderChunk) Object.assign(ShaderChunk, { batching_vertex: chunks.batching_vertex });
  expect(reasonOf(new THREE.MeshStandardMaterial())).toBe('shaderChunk');
  expect(reasonOf(new MeshStandardMaterial(), new fresh.MaterialGeometryCache(true, () => {}))).toBe('shaderChunk');
  for (const name of ['own_pars_vertex', 'own_vertex']) delete chunks[name];
});

it('patches under a name that a page gives some of its materials count for these alone', async () => {
  const patch = '\n#if defined( MY_WIND ) || defined( USE_SWAY )\n  transformed += modelMatrix[0].xyz;\n#endif\n';
  chunks.begin_vertex += patch;
  vi.resetModules();
  const { MeshStandardMaterial, ShaderChunk } = await import('three');
  if (ShaderChunk !== THREE.ShaderChunk) ShaderChunk.begin_vertex += patch;
  const fresh = await import('../../src/batching/MaterialGeometryCache.js');
  const later = new fresh.MaterialGeometryCache(true, () => {});
  const expectBoth = (defines: object | undefined, reason: string | null): void => {
    const materials = [new THREE.MeshStandardMaterial(), new MeshStandardMaterial()];
    if (defines) for (const material of materials) Object.assign(material, { defines });
    expect(reasonOf(materials[0])).toBe(reason);
    expect(reasonOf(materials[1], later)).toBe(reason);
  };
  for (const defines of [undefined, { STANDARD: '' }, { STANDARD: '', OTHER: 1 }]) expectBoth(defines, null);
  for (const name of ['MY_WIND', 'USE_SWAY']) expectBoth({ STANDARD: '', [name]: '' }, 'shaderChunk');
  const windy = Object.assign(new THREE.MeshStandardMaterial(), { defines: { MY_WIND: '' } });
  expect(reasonOf(windy, undefined, WEBGPU)).toBe(null);
  chunks.common = `#define MY_WIND\n${before.common}`;
  expect(reasonOf(new THREE.MeshStandardMaterial())).toBe('shaderChunk');
});

it.each([
  ['a', 'a'],
  ['#ifdef NO\na\n#endif\nb', 'b'],
  ['#ifdef NO\na\n#else\nb\n#endif', 'b'],
  ['#ifndef NO\na\n#else\nb\n#endif', 'a'],
  ['#ifdef A\na\n#else\nb\n#endif', '#if defined A\na\n#else\nb\n#endif'],
  ['#ifndef A\na\n#endif', '#if !defined A\na\n#endif'],
  ['#if defined( A ) || defined( NO )\na\n#endif', '#if defined A\na\n#endif'],
  ['#if defined NO && defined A\na\n#elif defined B\nb\n#else\nc\n#endif', '#if defined B\nb\n#else\nc\n#endif'],
  ['#if defined A\na\n#elif defined NO\nb\n#else\nc\n#endif', '#if defined A\na\n#else\nc\n#endif'],
  ['#ifdef NO\n#ifdef A\na\n#else\nb\n#endif\n#else\n#ifdef A\nc\n#endif\n#endif', '#if defined A\nc\n#endif'],
  ['#if ( NO > 1 )\na\n#endif', '#if ( NO > 1 )\na\n#endif'],
  ['#if ! defined( NO )\na\n#endif', '#if ! defined( NO )\na\n#endif'],
])('what is compiled of %j without NO', (text, expected) => {
  const bare = (lines: string): string => lines.replace(/[\s()]/g, '');
  expect(bare(compiledWithout((name) => name === 'NO', text))).toBe(bare(expected));
});
