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
