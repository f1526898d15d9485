import * as THREE from 'three';

export type Texts = Readonly<Record<string, string>>;

/** The chunks of which three's shaders are made; none in builds of three without `WebGLRenderer`. */
export const shaderChunks: Texts = (THREE as { ShaderChunk?: Texts }).ShaderChunk ?? {};

/** True for a text with the digest that is known for the revision of three, and in other revisions. */
export function isKnownText(text: string, digests: Readonly<Record<string, number>>): boolean {
  let digest = 0;
  // Some builds leave out comments and white space.
  for (const letter of text.replace(/\/\/.*|\s/g, '')) {
    digest = (31 * digest + letter.charCodeAt(0)) % 65521;
  }
  return (digests[THREE.REVISION] ?? digest) === digest;
}
