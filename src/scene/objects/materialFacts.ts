import {
  DoubleSide,
  EqualDepth,
  KeepStencilOp,
  LessDepth,
  LessEqualDepth,
  Material,
  NeverDepth,
  NoBlending,
  NormalBlending,
  type NormalMapTypes,
  ObjectSpaceNormalMap,
  type Texture,
} from 'three';
import * as FACTS from './facts.js';

type AnyMaterial = Material & {
  readonly isMaterial?: boolean;
  readonly isNodeMaterial?: boolean;
  readonly transmission?: number;
  readonly wireframe?: boolean;
  readonly displacementMap?: object | null;
  readonly normalMap?: Texture | null;
  readonly normalMapType?: NormalMapTypes;
};

/** Materials of three whose shaders put vertices where matrices say, and know batches, if nothing else is against it. */
const KNOWN = /^Mesh(Basic|Lambert|Phong|Standard|Physical|Toon|Matcap|Normal)(Node)?Material$/;

/** Nodes of a material that decide where its fragments lie. Others colour them. */
const MOVING = ['positionNode', 'vertexNode', 'geometryNode', 'depthNode', 'fragmentNode', 'outputNode'] as const;

/**
 * The facts of a material as it is now. Most may change without a new version: who asks often asks once a picture. Nearly
 * all materials have none, so each line is a comparison.
 */
export function materialFacts(material: Material): number {
  const m = material as AnyMaterial;
  const { transparent, alphaHash } = m;
  let facts = orderFacts(m);
  if (m.isMaterial !== true) facts |= FACTS.missing;
  if (!m.visible) facts |= FACTS.invisible;
  if (!KNOWN.test(m.type)) facts |= FACTS.otherShader;
  if (m.isNodeMaterial) facts |= FACTS.ofNodes;
  if (m.onBeforeCompile !== Material.prototype.onBeforeCompile) facts |= FACTS.onBeforeCompile;
  if (m.onBeforeRender !== Material.prototype.onBeforeRender) facts |= FACTS.onBeforeRender;
  if (nodeOf(m) !== null) facts |= FACTS.nodes | (MOVING.some((name) => m[name as never]) ? FACTS.movingNodes : 0);
  if (m.displacementMap) facts |= FACTS.displaced;
  if (m.wireframe) facts |= FACTS.wireframe;
  if (m.normalMap && m.normalMapType === ObjectSpaceNormalMap) facts |= FACTS.objectNormals;
  if (transparent) {
    facts |= FACTS.transparent;
    if (m.side === DoubleSide && !m.forceSinglePass) facts |= FACTS.drawnTwice;
  }
  if (m.transmission) facts |= FACTS.transmits;
  if (alphaHash) facts |= FACTS.alphaHash;
  if (m.alphaTest > 0 || alphaHash || m.alphaToCoverage) facts |= FACTS.cutout;
  if (m.polygonOffset) facts |= FACTS.polygonOffset;
  return facts;
}

/** The facts by which the order of draws may count. */
export function orderFacts(m: Material): number {
  const { blending, depthFunc, depthTest, depthWrite, stencilWrite } = m;
  let facts = 0;
  if (blending !== NormalBlending) facts |= FACTS.blending | (blending === NoBlending ? 0 : FACTS.blended);
  if (!m.colorWrite) facts |= FACTS.noColor;
  if (!depthWrite) facts |= FACTS.noDepthWrite;
  if (!depthTest) facts |= FACTS.noDepthTest;
  // By these the nearest wins.
  if (depthFunc !== LessEqualDepth && depthFunc !== LessDepth) {
    const isKept = depthFunc === EqualDepth || depthFunc === NeverDepth;
    facts |= FACTS.depthFunc | (depthWrite && depthTest && !isKept ? FACTS.fartherDepth : 0);
  }
  if (stencilWrite) {
    facts |= FACTS.stencil;
    if (!keepsStencil(m)) facts |= FACTS.stencilWrite | (depthTest ? FACTS.stencilByDepth : 0);
  }
  return facts;
}

/** Facts that are in the way of something, and why: a word or a sentence. */
export type FactRule<Why extends string = string> = readonly [facts: number, why: Why];

/** The reason of the first rule that does not hold; null when all do. */
export function firstBroken<T, Why extends string>(
  rules: readonly (readonly [holds: (subject: T) => boolean, why: Why])[],
  subject: T,
): Why | null {
  for (const [holds, why] of rules) if (!holds(subject)) return why;
  return null;
}

/** What the first rule says that a material breaks by its facts; null for none. */
export function firstBrokenBy<Why extends string>(facts: number, rules: readonly FactRule<Why>[]): Why | null {
  for (const [against, why] of rules) if ((facts & against) !== 0) return why;
  return null;
}

function keepsStencil({ stencilFail, stencilZFail, stencilZPass }: Material): boolean {
  return stencilFail === KeepStencilOp && stencilZFail === KeepStencilOp && stencilZPass === KeepStencilOp;
}

/** By material the version in which no node was found. */
const withoutNodes = new WeakMap<Material, number>();

/**
 * The name of the first node of a material; null where it has none. WebGPURenderer takes nodes of all materials; where
 * none are expected they are searched for once in each version.
 */
export function nodeOf(material: Material & { isNodeMaterial?: boolean }): string | null {
  if (withoutNodes.get(material) === material.version) return null;
  for (const name in material) if (name.endsWith('Node') && material[name as never]) return name;
  if (!material.isNodeMaterial) withoutNodes.set(material, material.version);
  return null;
}
