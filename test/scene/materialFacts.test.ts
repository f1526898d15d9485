import * as THREE from 'three';
import { afterEach, expect, it, vi } from 'vitest';
import { nextLook, resumeLook } from '../../src/scene/facts/looks.js';
import { materialFacts } from '../../src/scene/facts/MaterialFacts.js';
import * as BITS from '../../src/three/materialBits.js';

afterEach(() => resumeLook(0));

/** A material that counts how often it is compared. */
function counted(material: THREE.Material): { material: THREE.Material; reads: () => number } {
  let reads = 0;
  let { opacity } = material;
  Object.defineProperty(material, 'opacity', {
    get: () => {
      reads++;
      return opacity;
    },
    set: (to) => {
      opacity = to;
    },
  });
  return { material, reads: () => reads };
}

it('a material is compared once in a look, however many ask, and whenever it is asked about between looks', () => {
  const { material, reads } = counted(new THREE.MeshStandardMaterial());
  const { stamp } = materialFacts(material);
  const before = reads();
  const look = nextLook();
  resumeLook(look);
  for (let i = 0; i < 5; i++) materialFacts(material);
  const each = reads() - before;
  material.opacity = 0.5;
  expect(materialFacts(material).stamp).toBe(stamp);
  expect(reads() - before).toBe(each);
  // A look within it finds the change, and the one around it goes on.
  resumeLook(nextLook());
  const { stamp: changed } = materialFacts(material);
  expect(changed).toBeGreaterThan(stamp);
  resumeLook(look);
  material.opacity = 0.25;
  expect(materialFacts(material).stamp).toBeGreaterThan(changed);
  resumeLook(0);
  material.opacity = 1;
  const last = materialFacts(material).stamp;
  material.opacity = 0.1;
  expect(materialFacts(material).stamp).toBeGreaterThan(last);
});

it('what only an editor sees, and another colour, give no new stamp', () => {
  const material = new THREE.MeshStandardMaterial();
  const { stamp } = materialFacts(material);
  Object.assign(material, { name: 'steel', userData: { a: 1 } });
  material.color.set(0xff0000);
  expect(materialFacts(material).stamp).toBe(stamp);
});

it.each<[property: string, value: unknown, bits: number]>([
  ['visible', false, BITS.invisible],
  ['opacity', 0.5, 0],
  ['map', new THREE.Texture(), 0],
  ['transparent', true, BITS.transparent],
  ['transmission', 1, BITS.transmits],
  ['displacementMap', new THREE.Texture(), BITS.displaced],
  ['alphaTest', 0.5, BITS.cutout],
  ['alphaHash', true, BITS.alphaHash],
  ['wireframe', true, BITS.wireframe],
  ['polygonOffset', true, BITS.polygonOffset],
  ['depthTest', false, BITS.noDepthTest],
  ['depthWrite', false, BITS.noDepthWrite],
  ['depthFunc', THREE.AlwaysDepth, BITS.depthFunc],
  ['colorWrite', false, BITS.noColor],
  ['stencilWrite', true, BITS.stencil],
  ['blending', THREE.AdditiveBlending, BITS.blended],
  ['onBeforeCompile', () => {}, BITS.onBeforeCompile],
  ['onBeforeRender', () => {}, BITS.onBeforeRender],
  ['customProgramCacheKey', () => 'mine', 0],
])('%s gives a new stamp, and its fact, to materials of each kind', (property, value, expected) => {
  const kinds = [
    THREE.MeshBasicMaterial,
    THREE.MeshLambertMaterial,
    THREE.MeshPhysicalMaterial,
    THREE.MeshToonMaterial,
  ];
  for (const Kind of kinds) {
    const material = new Kind();
    const { stamp, bits } = materialFacts(material);
    expect(bits).toBe(0);
    Object.assign(material, { [property]: value });
    const facts = materialFacts(material);
    expect(facts.stamp).toBeGreaterThan(stamp);
    expect(facts.bits & expected).toBe(expected);
    if (expected === 0) expect(facts.bits).toBe(0);
  }
});

it('a material of any other kind has its facts, too, and nodes are found with a new version', () => {
  const shader = new THREE.ShaderMaterial();
  expect(materialFacts(shader).bits & BITS.otherShader).not.toBe(0);
  const { stamp } = materialFacts(shader);
  shader.depthTest = false;
  expect(materialFacts(shader).bits & BITS.noDepthTest).not.toBe(0);
  expect(materialFacts(shader).stamp).toBeGreaterThan(stamp);
  const basic = new THREE.MeshBasicMaterial();
  expect(materialFacts(basic).bits).toBe(0);
  Object.assign(basic, { colorNode: {} });
  basic.needsUpdate = true;
  expect(materialFacts(basic).bits & BITS.nodes).not.toBe(0);
});

it('materials that draw the same but for their colours share what is remembered of them', () => {
  const alike = [1, 2, 3].map((color) => new THREE.MeshPhongMaterial({ color }));
  const other = new THREE.MeshPhongMaterial({ shininess: 7 });
  const traits = [...alike, other].map((one) => materialFacts(one).traits);
  expect(new Set(traits).size).toBe(2);
  // A value that another keeps from mattering is of no account.
  const [a, b] = [0.1, 0.2].map((clearcoatRoughness) => new THREE.MeshPhysicalMaterial({ clearcoatRoughness }));
  expect(materialFacts(a).traits?.values).toEqual(materialFacts(b).traits?.values);
  for (const one of [a, b]) one.clearcoat = 1;
  expect(materialFacts(a).traits?.values).not.toEqual(materialFacts(b).traits?.values);
});

it('nothing that three warns of is read', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const material = new THREE.MeshPhysicalMaterial({ iridescence: 1 });
  for (const iridescence of [1, 0, 1]) {
    material.iridescence = iridescence;
    expect(materialFacts(material).traits?.values.flat()).toContain('_iridescence');
  }
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});
