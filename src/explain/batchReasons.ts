import type { Material, Mesh, Object3D } from 'three';
import type { BatchedMeshState, MeshStatus } from '../batching/BatchedMeshState.js';
import { badPartOf } from '../batching/KnownGeometry.js';
import type { AloneReason, ApartReason } from '../batching/whyNotBatched.js';
import { inWords } from '../core/options.js';
import { type Flags, isAggregate } from '../three/kinds.js';
import { nodeOf } from '../three/materials.js';
import { labelOf } from './reasons.js';

/** Why an object is in no batch: the property in the way, or how near it is to joining one. */
type BatchReason = AloneReason | ApartReason | Exclude<MeshStatus, 'alone' | 'batched'> | 'aside' | 'inside' | 'unseen';

type Subject = Mesh & Flags;
/** A sentence about an object, and its material if that is in the way. */
type Sentence = string | ((object: Subject, material: Material) => string);

type Row = readonly [sentence: Sentence, advice: string];

/** Names a property of the object, with its value. */
function has(name: string): Sentence {
  return (object) => `it has ${name}: ${inShort(object, name)}`;
}

function materialHas(name: string): Sentence {
  return (_, material) => `its material has ${name}: ${inShort(material, name)}`;
}

/** Names a property of the material that makes the order of its draws count. */
function ordered(name: string, advice: string): Row {
  return [materialHas(name), `${advice}: its place in the order counts.`];
}

/** Names an attribute of the geometry, or its index. */
function partIs(how: string): Sentence {
  return ({ geometry }) => `its ${badPartOf(geometry)?.part ?? 'geometry'} ${how}`;
}

/** A value in words; a material is named by its type. */
function inShort(subject: object, name: string): string {
  const value: unknown = subject[name as never];
  return (value as { type?: string } | null)?.type ?? inWords(value);
}

const DELETE_METHOD = 'Delete that method, and do its work once a frame.';
const DELETE_MATERIAL = "Delete it where three's own shadows will do.";
const ONE_CALL_ALREADY = 'Nothing: its instances are one draw call already.';
const PLAIN_SHADER = "Use a plain material of three's, or vouch for its shader with the option batch.accept.";
const DRAWS_NOTHING = 'Remove it: it draws nothing.';
const TYPED_ARRAYS = 'Give it typed arrays with numbers for each vertex.';
const SOON = 'Nothing: this is decided within the next frames.';

/** Each reason why an object is in no batch, in words, and advice. */
export const BATCH_REASONS: Readonly<Record<BatchReason, Row>> = {
  // Reasons of the object.
  notMesh: [({ type }) => `it is of type ${type}`, 'Nothing: lines, points and sprites are drawn one by one.'],
  instances: [(o) => `it is of type ${o.isInstancedMesh ? 'InstancedMesh' : 'BatchedMesh'}`, ONE_CALL_ALREADY],
  skinned: ['it is of type SkinnedMesh', 'Nothing: skinned meshes are drawn one by one.'],
  count: [has('count'), ONE_CALL_ALREADY],
  occlusionTest: [has('occlusionTest'), 'Set occlusionTest to false.'],
  onBeforeRender: ['it has its own onBeforeRender', DELETE_METHOD],
  onAfterRender: ['it has its own onAfterRender', DELETE_METHOD],
  onBeforeShadow: ['it has its own onBeforeShadow', DELETE_METHOD],
  onAfterShadow: ['it has its own onAfterShadow', DELETE_METHOD],
  intersectsFrustum: ['it has its own intersectsFrustum', DELETE_METHOD],
  customDepthMaterial: [has('customDepthMaterial'), DELETE_MATERIAL],
  customDistanceMaterial: [has('customDistanceMaterial'), DELETE_MATERIAL],
  noMaterial: ['it lacks a material', DRAWS_NOTHING],
  noGroups: ['no group of its geometry is drawn with a material of its list', DRAWS_NOTHING],
  shears: ['its world matrix shears', 'Scale its geometry instead: shaders of batches would bend its normals.'],
  // Reasons of its materials.
  shader: [(_, { type }) => `its material is of type ${type}`, PLAIN_SHADER],
  onBeforeCompile: ['its material has its own onBeforeCompile', PLAIN_SHADER],
  nodes: [(_, material) => `its material has its own ${nodeOf(material)}`, PLAIN_SHADER],
  materialCallback: ['its material has its own onBeforeRender', DELETE_METHOD],
  shaderChunk: ['ShaderChunk is patched', 'Patch single materials instead of the shaders of all.'],
  unseenChunks: ["WebGLRenderer is of another build than the imported 'three'", 'Import both from the same build.'],
  wireframe: [materialHas('wireframe'), 'Set it to false, or draw LineSegments with a WireframeGeometry.'],
  normalMapType: [materialHas('normalMapType'), 'Use a normal map in tangent space.'],
  alphaHash: [materialHas('alphaHash'), 'Use alphaTest, or transparent: true. The noise depends on its matrix.'],
  transmission: [materialHas('transmission'), 'Set it to 0, and opacity where plain transparency will do.'],
  forceSinglePass: [
    'its material has transparent: true, side: DoubleSide and forceSinglePass: false',
    'Set forceSinglePass to true, or side to FrontSide: else three draws each mesh twice.',
  ],
  blending: ordered('blending', 'Set transparent to true, or blending to NormalBlending'),
  stencilWrite: ordered('stencilWrite', 'Set stencilWrite to false'),
  colorWrite: ordered('colorWrite', 'Set colorWrite to true, or visible to false'),
  depthFunc: ordered('depthFunc', 'Set depthFunc to LessEqualDepth'),
  depthTest: ordered('depthTest', 'Set depthTest to true, or transparent to true'),
  depthWrite: ordered('depthWrite', 'Set depthWrite to true, or transparent to true'),
  // Reasons of its geometry.
  noVertices: ['it has no vertices', DRAWS_NOTHING],
  emptyIndex: ['its index is empty', DRAWS_NOTHING],
  geometryInstances: ['its geometry has instances', ONE_CALL_ALREADY],
  morphTargets: ['its geometry has morph targets', 'Delete morphAttributes that are not used.'],
  indexRange: ['its index goes beyond its vertices', 'Correct the index, or give its attributes all vertices.'],
  instanced: [partIs('is instanced'), 'Draw it as an InstancedMesh, or without that attribute.'],
  storage: [partIs('may be written by the graphics card'), TYPED_ARRAYS],
  notNumbers: [partIs('has no array in memory that three uploads'), TYPED_ARRAYS],
  onUploadCallback: [
    partIs('has a method onUploadCallback of its own'),
    'Keep its array and delete that method: batches copy it later.',
  ],
  tooShort: [partIs('is too short'), TYPED_ARRAYS],
  // Decisions about the object.
  notAllowed: ['batches are switched off for it or an ancestor', 'Call index.batch(object, true) with that object.'],
  restless: ['its geometry or material changes in most frames', 'Nothing: copying it each time would take longer.'],
  failed: ['drawing it in a batch failed', 'Please report the error that a warning on the console has told.'],
  sameTriangles: [
    'the same triangles are drawn again at its place, in another way',
    'Nothing: in a batch, rounding would make stripes of the two.',
  ],
  drawOrder: [
    'something is drawn between it and its batch whose place in the order counts',
    'Give opaque objects that mask, blend or have an unusual depth test a renderOrder of their own.',
  ],
  farView: ['a render within the last one looked from far away', 'Nothing: batches would be inexact there.'],
  few: ['too few others are similar', 'Share materials, attributes and flags, or lower the option batch.atLeast.'],
  full: ['batches have reached their memory limit (maxBytes)', 'Raise the option batch.maxBytes, or share geometries.'],
  joining: ['it joins in the next frame', SOON],
  new: ['it is checked in the next frame', SOON],
  swapped: ['its material differs from the one it joined with, and may be restored', SOON],
  unseen: ['no frame has shown it yet', 'Nothing: it joins after it was first drawn.'],
  inside: [
    (object) => {
      const whole = wholeAbove(object) as Object3D;
      return `it lies in ${labelOf(whole)}, a ${whole.type}, which is drawn with all that lies in it`;
    },
    'Take it out of there, if it can stand alone.',
  ],
  aside: [
    "the drawingPipeline of the renderer is not three's standard one, and decides how meshes are drawn",
    'Nothing: that pipeline can draw many meshes in one call itself. Batches need StandardDrawingPipeline.',
  ],
};

/** Why batches do not draw an object, as far as passes have seen it; null for an object that they draw. */
export function whyUnbatched(object: Object3D, state: BatchedMeshState | undefined): BatchReason | null {
  if (state === undefined) return wholeAbove(object) === null ? 'unseen' : 'inside';
  if (state.status === 'batched') return state.apartReason;
  return state.status === 'alone' ? state.reason : state.status;
}

export function sentenceOf(reason: BatchReason, object: Object3D, state?: BatchedMeshState): string {
  const [sentence] = BATCH_REASONS[reason];
  if (typeof sentence === 'string') return sentence;
  const subject = object as Subject;
  const known = state?.joined?.materials.find((one) => one.reason === reason);
  // If none is known, the object has got another material since the last frame.
  return sentence(subject, known?.material ?? [subject.material].flat()[0] ?? ({} as Material));
}

/** The nearest ancestor that is drawn as a whole, with its descendants; null for none. */
function wholeAbove({ parent }: Object3D): Object3D | null {
  for (let above = parent; above !== null; above = above.parent) {
    const { isInstancedMesh, isBatchedMesh } = above as Flags;
    if (isAggregate(above) || isInstancedMesh || isBatchedMesh) return above;
  }
  return null;
}
