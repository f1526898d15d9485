import {
  type BufferGeometry,
  InstancedMesh,
  LessDepth,
  LessEqualDepth,
  Line,
  Material,
  Mesh,
  Object3D,
  Points,
  type Skeleton,
  SkinnedMesh,
  type Sphere,
  type Texture,
} from 'three';
import type { BatchGroup } from '../../batching/BatchGroup.js';
import { EMPTY_ARRAY, getOrMake, memoized } from '../../core/arrays.js';
import { drawFacts } from '../../scene/facts/DrawFacts.js';
import { LastValues } from '../../scene/facts/LastValues.js';
import { isLookedAt, look, takeStamp } from '../../scene/facts/looks.js';
import type { ObjectRecord } from '../../scene/objects/ObjectRecord.js';
import { type Flags, isAggregate } from '../../three/kinds.js';

/** Bit of an object that casts a shadow. */
export const CASTS = 1;
/** Bit of an object that receives shadows, which counts as casting in maps of variances. */
export const RECEIVES = 2;

/** Facts of a geometry, material or other thing that casters share, with the stamp of their last visible change. */
class SharedFacts {
  readonly thing: object;
  readonly values = new LastValues();
  stamp = 0;
  lookedIn = 0;
  /** The reason why the thing may change unseen; null when it cannot. */
  unseen: string | null = null;

  constructor(thing: object) {
    this.thing = thing;
  }
}

/** Makes the reader of one kind of facts, which are read at most once in a look. Each change gets a new stamp. */
function factsBy<T extends object>(
  read: (thing: T, facts: SharedFacts) => void,
): (thing: T, known?: SharedFacts | null) => SharedFacts {
  const of = memoized((thing: T) => new SharedFacts(thing));
  return (thing, known) => {
    // Callers keep the facts, as the lookup takes longer than all the rest.
    const facts = known?.thing === thing ? known : of(thing);
    if (isLookedAt(facts.lookedIn)) return facts;
    facts.unseen = null;
    facts.values.beginRow();
    read(thing, facts);
    if (!facts.values.takeSame()) facts.stamp = takeStamp();
    facts.lookedIn = look;
    return facts;
  };
}

type TextureKinds = Partial<
  Record<`is${'Video' | 'RenderTarget' | 'Framebuffer' | 'External' | 'HTML'}Texture`, boolean>
>;

const textureFacts = factsBy((texture: Texture & TextureKinds, facts) => {
  const { values } = facts;
  const { source, offset, repeat, center } = texture;
  const { isVideoTexture, isRenderTargetTexture, isFramebufferTexture, isExternalTexture, isHTMLTexture } = texture;
  const isWritten =
    isVideoTexture || isRenderTargetTexture || isFramebufferTexture || isExternalTexture || isHTMLTexture;
  const image = texture.image as { complete?: boolean } | null | undefined;
  if (isWritten) facts.unseen = 'a texture that is written elsewhere';
  // The image is uploaded without a new version once it has loaded.
  else if (image?.complete === false || source?.dataReady === false) facts.unseen = 'an image that has not come yet';
  values.compareAll([texture.version, source?.version, texture.channel, texture.rotation]);
  values.compareAll([offset.x, offset.y, repeat.x, repeat.y, center.x, center.y]);
  values.compare(texture.matrixAutoUpdate);
  if (!texture.matrixAutoUpdate) values.compareAll(texture.matrix.elements);
});

function compareTexture(texture: Texture | null | undefined, facts: SharedFacts): void {
  facts.values.compare(texture);
  if (!texture) return;
  const { stamp, unseen } = textureFacts(texture);
  facts.values.compare(stamp);
  facts.unseen ??= unseen;
}

/** Flags and numbers that three copies to depth materials from the material of each caster. */
const TAKEN = [
  'visible',
  'side',
  'wireframe',
  'wireframeLinewidth',
  'linewidth',
  'alphaTest',
  'clipShadows',
  'clipIntersection',
  'displacementScale',
  'displacementBias',
];
const ALL_TAKEN = new Set([...TAKEN, 'map', 'alphaMap', 'displacementMap', 'clippingPlanes']);

/** Facts of a material that decide the result of three's depth materials for a caster. */
const depthFacts = factsBy((material: Material, facts) => {
  const { values } = facts;
  const m = material as Material &
    Partial<Record<'map' | 'alphaMap' | 'displacementMap', Texture | null>> &
    Record<string, unknown>;
  for (const name of TAKEN) values.compare(m[name]);
  values.compare(m.shadowSide);
  values.compare(m.alphaToCoverage);
  for (const { normal, constant } of m.clippingPlanes ?? [])
    values.compareAll([normal.x, normal.y, normal.z, constant]);
  // Without an alpha test these textures have no effect.
  if (m.alphaTest > 0 || m.alphaToCoverage) {
    compareTexture(m.map, facts);
    compareTexture(m.alphaMap, facts);
  }
  if (m.displacementMap) compareTexture(m.displacementMap, facts);
});

/** Facts that a depth material of the page decides by itself. */
const customFacts = factsBy((material: Material, facts) => {
  const { isShaderMaterial, isNodeMaterial } = material as { isShaderMaterial?: boolean; isNodeMaterial?: boolean };
  const isPatched = material.onBeforeCompile !== Material.prototype.onBeforeCompile;
  if (material.alphaHash) facts.unseen = 'a depth material with holes by the textures of other materials';
  if (isShaderMaterial || isNodeMaterial || isPatched) facts.unseen = 'a depth material with a shader of its own';
  // The value behind an accessor has the accessor's name with an underscore before it.
  for (const [name, value] of Object.entries(material))
    if (!ALL_TAKEN.has(name.replace(/^_/, ''))) facts.values.compare(value);
});

/** The triangles that a geometry draws, and its sphere, by which three culls it. */
const shapeFacts = factsBy((geometry: BufferGeometry, facts) => {
  const drawn = drawFacts(geometry);
  facts.values.compare(drawn.lookAt());
  facts.values.compare(geometry.morphTargetsRelative);
  compareSphere(geometry.boundingSphere, facts.values);
  if (drawn.isUnseen) facts.unseen = 'it has buffers of WebGL';
});

/** three culls an object in a face by its sphere, which pages may set. */
function compareSphere(sphere: Sphere | null, values: LastValues): void {
  values.compare(sphere?.radius);
  values.compare(sphere?.center.x);
  values.compare(sphere?.center.y);
  values.compare(sphere?.center.z);
}

const skeletonFacts = factsBy(({ bones, boneInverses }: Skeleton, { values }) => {
  for (const bone of bones) {
    values.compare(bone?.id);
    if (bone) values.compareAll(bone.matrixWorld.elements);
  }
  for (const { elements } of boneInverses) values.compareAll(elements);
});

const stock = Mesh.prototype;
const STOCK_TESTS = new Set(
  [Mesh, SkinnedMesh, InstancedMesh, Line, Points, Object3D].map(({ prototype }) => prototype.intersectsFrustum),
);

/** All facts of an object that a shadow pass reads, as last compared. */
export class CasterFacts {
  readonly record: ObjectRecord | undefined;
  readonly object: Mesh;
  /** {@link CASTS} and {@link RECEIVES}; 0 for an object that no shadow pass draws. */
  bits = 0;
  /** The reason why the object may change unseen, and is drawn in each picture; null when it cannot. */
  unseen: string | null = null;
  /** The object's depths depend on the order of draws: a map with it has no layer. */
  isOdd = false;
  /** Number of times that the object was the first caster for which a map was drawn anew. */
  redraws = 0;
  /** The last look that found a change; the look in which the object came does not count. */
  movedIn: number = Number.NEGATIVE_INFINITY;
  // The fields down to `#materialStamp` decide for most casters, and are compared for each caster in each picture.
  #group: BatchGroup | null | undefined = null;
  #mask = 0;
  #isCulled = true;
  #changed = -1;
  #shape: SharedFacts | null = null;
  #shapeStamp = 0;
  #material: SharedFacts | null = null;
  #materialStamp = 0;
  /** All other facts, which few casters have. */
  readonly #values = new LastValues();
  readonly #isDrawn: boolean;
  readonly #isKind: boolean;
  readonly #recordOf: (object: Object3D) => ObjectRecord | undefined;
  /** The facts of each child of an aggregate, or of a part of one; null for other objects. */
  readonly #parts: Map<Object3D, CasterFacts> | null;
  /** The children of the object when they were compared last. */
  readonly #children = new LastValues();

  /** @param record The record of an entry; undefined for a part of an entry. */
  constructor(
    object: Object3D,
    record: ObjectRecord | undefined,
    recordOf: (object: Object3D) => ObjectRecord | undefined,
  ) {
    const { isMesh, isLine, isPoints, isInstancedMesh, isSkinnedMesh, isBatchedMesh } = object as Flags;
    this.object = object as Mesh;
    this.record = record;
    this.#recordOf = recordOf;
    this.#isDrawn = Boolean(isMesh || isLine || isPoints);
    this.#isKind = Boolean(isInstancedMesh || isSkinnedMesh || isBatchedMesh);
    this.#parts = record === undefined || isAggregate(object) ? new Map() : null;
  }

  /**
   * Compares the object; true when its shadow is unchanged.
   * @param isReached Whether a traversal of the scene reaches the object.
   * @param group The group that draws the object, as each rounds depths in its own way; undefined before it joins one.
   */
  takeSame(isReached: boolean, group: BatchGroup | null | undefined): boolean {
    const { bits, unseen, object } = this;
    this.unseen = group === undefined ? 'it is about to join a batch' : null;
    this.isOdd = false;
    let isSame = true;
    try {
      const isShown = isReached && object.visible;
      this.bits = isShown && this.#isDrawn ? casterBits(object) : 0;
      if (this.bits !== 0) isSame = this.#takeOwn(group);
      if (this.#parts !== null) isSame = this.#takeParts(this.#parts, isShown) && isSame;
    } catch {
      this.bits = CASTS | RECEIVES;
      this.unseen = 'a getter of it throws';
    }
    // It may have changed while changes could not be seen: the first look that sees them again takes it as changed.
    return isSame && bits === this.bits && this.unseen === null && unseen === null;
  }

  #takeParts(parts: Map<Object3D, CasterFacts>, isShown: boolean): boolean {
    let areSame = true;
    this.#children.beginRow();
    for (const child of this.object.children) {
      const part = getOrMake(parts, child, () => new CasterFacts(child, undefined, this.#recordOf));
      this.#children.compare(child);
      areSame = part.takeSame(isShown, null) && areSame;
      this.bits |= part.bits;
      this.unseen ??= part.unseen;
      this.isOdd ||= part.isOdd;
    }
    if (this.#children.takeSame()) return areSame;
    const present = new Set(this.object.children);
    for (const child of parts.keys()) if (!present.has(child)) parts.delete(child);
    return false;
  }

  #takeOwn(group: BatchGroup | null | undefined): boolean {
    const { object } = this;
    const { geometry, material } = object;
    const { mask } = object.layers;
    const isCulled = object.frustumCulled;
    const { changed } = this.record ?? this.#recordOf(object) ?? UNFOLLOWED;
    const shape = shapeFacts(geometry, this.#shape);
    const shapeStamp = shape.stamp;
    const paint = Array.isArray(material) ? null : depthFacts(material, this.#material);
    const paintStamp = paint === null ? 0 : paint.stamp;
    this.unseen ??= shape.unseen;
    if (paint !== null) this.unseen ??= paint.unseen;
    const areOthersSame = !this.#hasOthers(object) || this.#takeOthers(object);
    const isSame =
      group === this.#group &&
      mask === this.#mask &&
      isCulled === this.#isCulled &&
      changed === this.#changed &&
      shape === this.#shape &&
      shapeStamp === this.#shapeStamp &&
      paint === this.#material &&
      paintStamp === this.#materialStamp;
    if (isSame) return areOthersSame;
    this.#group = group;
    this.#mask = mask;
    this.#isCulled = isCulled;
    this.#changed = changed;
    this.#shape = shape;
    this.#shapeStamp = shapeStamp;
    this.#material = paint;
    this.#materialStamp = paintStamp;
    return false;
  }

  /** True for an object with more facts than a plain mesh, now or at the last comparison. */
  #hasOthers(object: Mesh): boolean {
    return (
      this.#isKind ||
      this.record === undefined ||
      !this.#values.isEmpty ||
      object.morphTargetInfluences !== undefined ||
      object.customDepthMaterial !== undefined ||
      object.customDistanceMaterial !== undefined ||
      hasCallbacks(object) ||
      object.intersectsFrustum !== stock.intersectsFrustum ||
      Array.isArray(object.material)
    );
  }

  #takeOthers(object: Mesh): boolean {
    const values = this.#values.beginRow();
    const { material, customDepthMaterial, customDistanceMaterial, morphTargetInfluences } = object;
    if (!this.record && !this.#recordOf(object)) values.compareAll(object.matrixWorld.elements);
    for (const one of Array.isArray(material) ? material : EMPTY_ARRAY) {
      if (one) this.#compareShared(depthFacts(one));
      else values.compare(one);
    }
    if (customDepthMaterial) this.#compareCustom(customDepthMaterial);
    // A word tells the two properties apart, as a page may move one material between them.
    if (customDistanceMaterial) values.compare('distance');
    if (customDistanceMaterial) this.#compareCustom(customDistanceMaterial);
    if (hasCallbacks(object)) this.unseen ??= 'it has callbacks for shadows';
    if (!STOCK_TESTS.has(object.intersectsFrustum)) this.unseen ??= 'a method of its own says whether it is in view';
    if (morphTargetInfluences) values.compareAll(morphTargetInfluences);
    this.#compareKind(object);
    return values.takeSame();
  }

  #compareKind(object: Object3D & Flags): void {
    const values = this.#values;
    const { boundingSphere } = object as Object3D & Partial<InstancedMesh>;
    if (boundingSphere !== undefined) compareSphere(boundingSphere, values);
    if (object.isBatchedMesh) this.unseen ??= 'it is a BatchedMesh';
    if (object.isInstancedMesh) {
      const { count, instanceMatrix, morphTexture } = object as InstancedMesh;
      values.compareAll([count, instanceMatrix.version, morphTexture?.version as number]);
      values.compare(instanceMatrix);
      values.compare(morphTexture);
    }
    if (object.isSkinnedMesh) {
      const { bindMode, skeleton, bindMatrix, bindMatrixInverse } = object as SkinnedMesh;
      values.compare(bindMode);
      this.#compareShared(skeletonFacts(skeleton));
      values.compareAll(bindMatrix.elements);
      values.compareAll(bindMatrixInverse.elements);
    }
  }

  #compareCustom(material: Material): void {
    const { depthTest, depthWrite, depthFunc, stencilWrite } = material;
    this.#compareShared(customFacts(material));
    this.isOdd ||=
      !depthTest || !depthWrite || stencilWrite || (depthFunc !== LessEqualDepth && depthFunc !== LessDepth);
  }

  #compareShared(facts: SharedFacts): void {
    this.#values.compare(facts);
    this.#values.compare(facts.stamp);
    this.unseen ??= facts.unseen;
  }
}

const UNFOLLOWED = { changed: -2 };

function hasCallbacks({ onBeforeShadow, onAfterShadow }: Object3D): boolean {
  return onBeforeShadow !== stock.onBeforeShadow || onAfterShadow !== stock.onAfterShadow;
}

function casterBits({ castShadow, receiveShadow }: Object3D): number {
  return (castShadow ? CASTS : 0) | (receiveShadow ? RECEIVES : 0);
}
