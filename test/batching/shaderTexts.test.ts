import * as THREE from 'three';
import { afterEach, expect, it } from 'vitest';
import { MaterialGeometryCache } from '../../src/batching/MaterialGeometryCache.js';

const chunks = THREE.ShaderChunk as Record<string, string>;
const shaders = THREE.ShaderLib as unknown as Record<string, { vertexShader: string; fragmentShader: string }>;
const before = { ...chunks };
const { vertexShader } = shaders.physical;
afterEach(() => {
  Object.assign(chunks, before);
  shaders.physical.vertexShader = vertexShader;
  new MaterialGeometryCache(true).nextFrame();
});

/** Why a material that a batch has drawn with is drawn by itself in a new frame. */
function reasonOf(material: THREE.Material, looks = new MaterialGeometryCache(true)): unknown {
  looks.nextFrame();
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
  const looks = new MaterialGeometryCache(true);
  const materials = [new THREE.MeshBasicMaterial(), new THREE.MeshStandardMaterial(), new THREE.MeshNormalMaterial()];
  for (const material of materials) expect(reasonOf(material, looks)).toBe(null);
  chunks[name] = text;
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
