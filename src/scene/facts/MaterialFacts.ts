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
import { memoized } from '../../core/arrays.js';
import { isLookedAt, look, takeStamp } from './looks.js';
import { MaterialTraits } from './MaterialTraits.js';
import * as FACTS from './materialBits.js';

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

/** The facts of a material, which are compared with it once in a look. */
export class MaterialFacts {
  readonly material: Material;
  /** The bits of its facts. */
  bits = 0;
  /** The stamp of its last new version, or change of what it draws, but for the colour of {@link traits}. */
  stamp = 0;
  /** Null for a material of a kind that is drawn as one with no others. */
  traits: MaterialTraits | null = null;
  #lookedIn = 0;
  #version = -1;
  /** The version in which no node was found. */
  #withoutNodes = -1;

  constructor(material: Material) {
    this.material = material;
  }

  /** Compares the material with what is known of it, unless that was done in this look. */
  look(): this {
    if (isLookedAt(this.#lookedIn)) return this;
    const { material, traits } = this;
    const isSame = traits?.fits(material) === true;
    // A new version may bring nodes, which no trait tells of.
    if (!isSame || material.version !== this.#version) this.#find(isSame);
    // Last, as a getter may throw.
    this.#lookedIn = look;
    return this;
  }

  #find(isSame: boolean): void {
    const { material } = this;
    const hasNewVersion = material.version !== this.#version;
    const traits = isSame ? this.traits : MaterialTraits.of(material);
    const bits = bitsOf(material) | this.#nodeBits();
    this.#version = material.version;
    if (!hasNewVersion && traits === this.traits && bits === this.bits) return;
    this.traits = traits;
    this.bits = bits;
    this.stamp = takeStamp();
  }

  /** WebGPURenderer takes nodes of all materials; where none are expected they are searched for once in each version. */
  #nodeBits(): number {
    const m = this.material as AnyMaterial;
    if (m.version === this.#withoutNodes) return 0;
    if (nodeOf(m) !== null) return FACTS.nodes | (MOVING.some((name) => m[name as never]) ? FACTS.movingNodes : 0);
    if (!m.isNodeMaterial) this.#withoutNodes = m.version;
    return 0;
  }
}

const factsOf = /* @__PURE__ */ memoized((material: Material) => new MaterialFacts(material));

/** The facts of a material as it is now, or in a look as it was in that. */
export function materialFacts(material: Material): MaterialFacts {
  return factsOf(material).look();
}

/** The bits of all facts but nodes. Nearly all materials have none, so each line is a comparison. */
function bitsOf(material: Material): number {
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

/** The facts by which the order of draws may count. */
export function orderBits(m: Material): number {
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

function keepsStencil({ stencilFail, stencilZFail, stencilZPass }: Material): boolean {
  return stencilFail === KeepStencilOp && stencilZFail === KeepStencilOp && stencilZPass === KeepStencilOp;
}

/** The name of the first node of a material; null where it has none. */
export function nodeOf(material: Material): string | null {
  for (const name in material) if (name.endsWith('Node') && material[name as never]) return name;
  return null;
}
