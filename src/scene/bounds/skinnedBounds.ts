import { Box3, type BufferAttribute, Matrix4, type SkinnedMesh, Vector3, Vector4 } from 'three';
import { hasVertices, isInMemory } from '../objects/attributes.js';
import { boundsOf, declaredBox, type GeometryBounds, morphReach, versionOf } from './geometryBounds.js';
import { makeEmpty, transformBox, widen } from './transformBox.js';

/** For each bone of a skinned mesh the box of the vertices it moves, in the bone's rest space. */
interface BoneBoxes {
  /** What the boxes were made from. */
  shape: GeometryBounds;
  skinIndex: BufferAttribute;
  skinWeight: BufferAttribute;
  skinVersion: number;
  boneInverses: Matrix4[];
  /** three replaces all inverses at once, in the same list. */
  firstInverse: Matrix4 | undefined;
  bindMatrix: Matrix4;
  boxes: Box3[];
}

const known = new WeakMap<object, BoneBoxes>();
const matrix = new Matrix4();
const toWorld = new Matrix4();
const part = new Float64Array(6);

/**
 * World bounds of a skinned mesh in its present pose, into `out`.
 *
 * Skinning puts a vertex at a weighted mean of the places to which its bones carry it. So in any pose it lies in the
 * box around the boxes that the bones carry along: never too small, seldom much too large. Where vertices or weights exist
 * only on the GPU, and were not measured before, it lies in the bounds by which three culls it.
 */
export function skinnedBounds(mesh: SkinnedMesh, out: Float64Array): void {
  const { skeleton } = mesh;
  const boxes = boneBoxes(mesh);
  if (boxes === null) {
    transformBox(
      declaredBox(mesh, 'its vertices exist only on the GPU: set its boundingSphere'),
      mesh.matrixWorld,
      out,
    );
    return;
  }
  toWorld.multiplyMatrices(mesh.matrixWorld, mesh.bindMatrixInverse);
  makeEmpty(out);
  boxes.forEach((box, i) => {
    const bone = skeleton.bones[i];
    if (box.isEmpty() || bone === undefined) return;
    transformBox(box, matrix.multiplyMatrices(toWorld, bone.matrixWorld), part);
    widen(out, part);
  });
}

/** Null where they cannot be measured. */
function boneBoxes(mesh: SkinnedMesh): Box3[] | null {
  const { geometry, skeleton, bindMatrix } = mesh;
  const { position, skinIndex, skinWeight } = geometry.attributes as { [name: string]: BufferAttribute };
  const { boneInverses } = skeleton;
  const shape = boundsOf(geometry);
  const skinVersion = versionOf(skinIndex) + versionOf(skinWeight);
  const kept = known.get(mesh);
  // biome-ignore format: one line for each thing
  if (kept !== undefined && kept.shape === shape
   && kept.skinIndex === skinIndex && kept.skinWeight === skinWeight && kept.skinVersion === skinVersion
   && kept.boneInverses === boneInverses && kept.firstInverse === boneInverses[0]
   && kept.bindMatrix.equals(bindMatrix)) return kept.boxes;
  if (!hasVertices(geometry) || !isInMemory(skinIndex) || !isInMemory(skinWeight)) return null;
  const boxes = skeleton.bones.map(() => new Box3());
  const reach = morphReach(geometry);
  const vertex = new Vector3();
  const around = new Box3();
  const bones = new Vector4();
  const weights = new Vector4();
  const atRest = boneInverses.map((inverse) => new Matrix4().multiplyMatrices(inverse, bindMatrix));
  for (let i = 0; i < position.count; i++) {
    vertex.fromBufferAttribute(position, i);
    bones.fromBufferAttribute(skinIndex, i);
    weights.fromBufferAttribute(skinWeight, i);
    for (let c = 0; c < 4; c++) {
      const bone = bones.getComponent(c);
      if (weights.getComponent(c) === 0 || boxes[bone] === undefined) continue;
      around.min.copy(vertex).add(reach.min);
      around.max.copy(vertex).add(reach.max);
      boxes[bone].union(around.applyMatrix4(atRest[bone]));
    }
  }
  known.set(mesh, {
    shape,
    skinIndex,
    skinWeight,
    skinVersion,
    boneInverses,
    firstInverse: boneInverses[0],
    bindMatrix: bindMatrix.clone(),
    boxes,
  });
  return boxes;
}
