import {
  DoubleSide,
  EqualDepth,
  KeepStencilOp,
  LessDepth,
  LessEqualDepth,
  Material,
  type MeshPhysicalMaterial,
  NeverDepth,
  NoBlending,
  NormalBlending,
  ObjectSpaceNormalMap,
} from 'three';
import * as FACTS from './materialBits.js';

export type AnyMaterial = Material &
  Partial<
    Pick<MeshPhysicalMaterial, 'transmission' | 'wireframe' | 'displacementMap' | 'normalMap' | 'normalMapType'>
  > & {
    readonly [flag in 'isMaterial' | 'isNodeMaterial' | 'isShaderMaterial']?: boolean;
  };

/** Materials of three whose shaders know batches and move vertices by matrices alone, if no other fact forbids it. */
const KNOWN = /^Mesh(Basic|Lambert|Phong|Standard|Physical|Toon|Matcap|Normal)(Node)?Material$/;

/** Nodes that may move vertices or depths, or replace all that a material draws. Other nodes colour its fragments. */
const MOVING = ['positionNode', 'vertexNode', 'geometryNode', 'depthNode', 'fragmentNode', 'outputNode'] as const;

/** The bits of all facts but nodes. Most materials have no bit set, so each line only compares. */
export function materialBitsOf(material: Material): number {
  const m = material as AnyMaterial;
  const { transparent, alphaHash } = m;
  let facts = orderBits(m);
  if (m.isMaterial !== true) facts |= FACTS.missing;
  if (!m.visible) facts |= FACTS.invisible;
  if (!KNOWN.test(m.type)) facts |= FACTS.otherShader;
  if (m.isNodeMaterial) facts |= FACTS.ofNodes;
  if (m.onBeforeCompile !== Material.prototype.onBeforeCompile) facts |= FACTS.onBeforeCompile;
  if (m.onBeforeRender !== Material.prototype.onBeforeRender) facts |= FACTS.onBeforeRender;
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

/** The bits of facts by which the order of draws may matter. */
export function orderBits(m: Material): number {
  const { blending, depthFunc, depthTest, depthWrite, stencilWrite } = m;
  let facts = 0;
  if (blending !== NormalBlending) facts |= FACTS.blending | (blending === NoBlending ? 0 : FACTS.blended);
  if (!m.colorWrite) facts |= FACTS.noColor;
  if (!depthWrite) facts |= FACTS.noDepthWrite;
  if (!depthTest) facts |= FACTS.noDepthTest;
  // By `LessEqualDepth` and `LessDepth` the nearest fragment wins.
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

function keepsStencil({ stencilFail, stencilZFail, stencilZPass }: Material): boolean {
  return stencilFail === KeepStencilOp && stencilZFail === KeepStencilOp && stencilZPass === KeepStencilOp;
}

/** The name of the first node of a material; null if it has none. */
export function nodeOf(material: Material): string | null {
  for (const name in material) if (name.endsWith('Node') && material[name as never]) return name;
  return null;
}

/** The bits for the nodes of a material: `WebGPURenderer` reads nodes of all kinds of materials. */
export function nodeBits(material: Material): number {
  if (nodeOf(material) === null) return 0;
  return FACTS.nodes | (MOVING.some((name) => material[name as never]) ? FACTS.movingNodes : 0);
}
