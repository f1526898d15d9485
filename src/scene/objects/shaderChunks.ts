import * as THREE from 'three';

export type Texts = Readonly<Record<string, string>>;

/** The chunks of three's shaders. Builds of three without `WebGLRenderer` have none. */
export const shaderChunks: Texts = (THREE as { ShaderChunk?: Texts }).ShaderChunk ?? {};

/** True for a text with the digest known for this revision of three, and for any text in other revisions. */
export function isKnownText(text: string, digests: Readonly<Record<string, number>>): boolean {
  let digest = 0;
  // Some builds drop comments and white space.
  for (const letter of text.replace(/\/\/.*|\s/g, '')) {
    digest = (31 * digest + letter.charCodeAt(0)) % 65521;
  }
  return (digests[THREE.REVISION] ?? digest) === digest;
}

const known: string[] = [];
let version = 0;

/**
 * A number that grows with each change of the chunks. What is enumerated is read by its place in the object, in a tenth
 * of the time that computed names take.
 */
export function versionOf(chunks: typeof shaderChunks): number {
  let count = 0;
  let isSame = true;
  for (const name in chunks) {
    const text = chunks[name];
    isSame &&= known[count] === text;
    known[count++] = text;
  }
  if (!isSame || known.length > count) version++;
  known.length = count;
  return version;
}
