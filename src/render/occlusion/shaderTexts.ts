import * as THREE from 'three';
import { isKnownText, shaderChunks, type Texts, versionOf } from '../../scene/objects/shaderChunks.js';

/** three's shaders of surfaces. Builds of three without `WebGLRenderer` have none. */
const KINDS = ['basic', 'lambert', 'phong', 'physical', 'toon', 'matcap', 'normal'];
const shaders = (THREE as { ShaderLib?: object }).ShaderLib as Readonly<Record<string, Texts>> | undefined;
/** By these a fragment is left out, or gets another depth. */
const DECIDES = /\bdiscard\b|\bgl_FragDepth\b/;
/** Digests of the texts, by revision of three. */
const DIGESTS: Readonly<Record<string, number>> = { 186: 49516, 187: 6665 };

let version = versionOf(shaderChunks);
let seen = places();
const loaded = textsOf(seen);
const wereOwn = isKnownText(loaded, DIGESTS);
let isOwn = wereOwn;

/**
 * True while three's own shaders place vertices, and decide which fragments of a surface there are, at which depths. To be
 * asked in each picture.
 */
export function areShadersOwn(): boolean {
  const now = versionOf(shaderChunks);
  if (now === version && seen.every(([of, name, text]) => of === shaderChunks || of[name] === text)) return isOwn;
  version = now;
  seen = places();
  isOwn = wereOwn && textsOf(seen) === loaded;
  return isOwn;
}

/** A text, the property that holds it, and whether vertices go through it. */
type Place = readonly [of: Texts, name: string, text: string, isOfVertices: boolean];

function places(): readonly Place[] {
  const found = new Map<string, Place>();
  const take = (of: Texts | undefined, name: string, isOfVertices: boolean, key: string): void => {
    const text = of?.[name];
    if (of === undefined || text === undefined || found.has(key)) return;
    found.set(key, [of, name, text, isOfVertices]);
    for (const [, included] of text.matchAll(/#include +<(.+?)>/g)) {
      take(shaderChunks, included, isOfVertices, `${isOfVertices} ${included}`);
    }
  };
  for (const kind of KINDS) {
    for (const name of ['vertexShader', 'fragmentShader']) {
      take(shaders?.[kind], name, name === 'vertexShader', `${kind} ${name}`);
    }
  }
  return [...found.values()];
}

function textsOf(all: readonly Place[]): string {
  const texts = all.map(([, , text, isOfVertices]) => ({
    text: text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ''),
    isOfVertices,
  }));
  return texts.flatMap(({ text, isOfVertices }) => (isOfVertices || DECIDES.test(text) ? [text] : [])).join();
}
