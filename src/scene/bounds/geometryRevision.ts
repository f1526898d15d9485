import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three';

export type Attribute = BufferAttribute | InterleavedBufferAttribute;

/** What the shape of a geometry was made of at the last look, and how often it had changed by then. */
interface Look {
  position: Attribute | undefined;
  version: number;
  start: number;
  count: number;
  index: BufferAttribute | null;
  revision: number;
}

const looks = new WeakMap<BufferGeometry, Look>();

/** The number of changes of an attribute's data, as far as `needsUpdate` was set. */
export function versionOf(attribute: Attribute): number {
  return 'data' in attribute ? attribute.data.version : attribute.version;
}

/**
 * A number that grows with each change of what a geometry draws: another position attribute, `needsUpdate` of it or of
 * morph targets, another `drawRange`, and, where that draws a part of an index, the index. Throws what getters throw.
 */
export function revisionOf(geometry: BufferGeometry): number {
  const position = geometry.attributes.position as Attribute | undefined;
  const version = position === undefined ? 0 : vertexVersion(position, geometry);
  const { start, count } = geometry.drawRange;
  const index = isWhole(geometry) ? null : geometry.index;
  const total = version + (index === null ? 0 : 1 + index.version);
  const look = looks.get(geometry);
  if (look === undefined) {
    looks.set(geometry, { position, version: total, start, count, index, revision: 0 });
    return 0;
  }
  const isSame = look.position === position && look.version === total && look.index === index;
  if (isSame && look.start === start && look.count === count) return look.revision;
  look.position = position;
  look.version = total;
  look.start = start;
  look.count = count;
  look.index = index;
  return ++look.revision;
}

/** True when `drawRange` has all vertices drawn. */
export function isWhole({ drawRange }: BufferGeometry): boolean {
  return drawRange.start <= 0 && drawRange.count === Number.POSITIVE_INFINITY;
}

/** A number that grows with each change of positions or morph targets. */
export function vertexVersion(position: Attribute, { morphAttributes }: BufferGeometry): number {
  let version = versionOf(position);
  const targets = morphAttributes?.position as Attribute[] | undefined;
  // Each counts one more, so that the number changes when targets come or go.
  if (targets !== undefined) for (const target of targets) version += 1 + versionOf(target);
  return version;
}
