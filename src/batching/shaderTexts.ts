import * as THREE from 'three';
import { isKnownText, shaderChunks, type Texts, versionOf } from '../scene/objects/shaderChunks.js';

/** three's shaders that draw batches and their shadows. Builds of three without `WebGLRenderer` have none. */
const KINDS = ['basic', 'lambert', 'phong', 'physical', 'toon', 'matcap', 'normal', 'depth', 'distance'];
const shaders = (THREE as { ShaderLib?: object }).ShaderLib as Readonly<Record<string, Texts>> | undefined;

/**
 * What differs between a draw of a batch and an object drawn alone. three's own shaders handle it, in the few texts
 * that name any of it.
 */
const DIFFERENT = /\b(model\w*Matrix|normalMatrix|diffuse|vColor|gl_\w+ID)\b|batching/i;

/** A text, and the property that holds it. */
type Place = readonly [of: Texts, name: string, text: string];

let version = versionOf(shaderChunks);
let seen = places();
const loaded = textsForBatches(seen);
const wereOwn = isKnownText(loaded, { 186: 54247, 187: 41587 });
/** False while those texts are patched, by the last look at the shaders. */
export let areShadersOwn: boolean = wereOwn;

/** Looks for patches. Call it in each frame. */
export function compareShaders(): void {
  const now = versionOf(shaderChunks);
  if (now === version && seen.every(isAsSeen)) return;
  version = now;
  seen = places();
  areShadersOwn = wereOwn && textsForBatches(seen) === loaded;
}

function isAsSeen([of, name, text]: Place): boolean {
  return of === shaderChunks || of[name] === text;
}

/** All texts of the shaders, with the chunks that they include. */
function places(): readonly Place[] {
  const found = new Map<string, Place>();
  const add = (of: Texts | undefined, name: string, key = name): void => {
    const text = of?.[name];
    if (of === undefined || text === undefined || found.has(key)) return;
    found.set(key, [of, name, text]);
    for (const [, included] of text.matchAll(/#include +<(.+?)>/g)) add(shaderChunks, included);
  };
  for (const kind of KINDS)
    for (const name of ['vertexShader', 'fragmentShader']) add(shaders?.[kind], name, kind + name);
  return [...found.values()];
}

/** The texts that name what is different in batches, without their comments. */
function textsForBatches(all: readonly Place[]): string {
  const texts = all.map(([, , text]) => text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ''));
  return texts.filter((text) => DIFFERENT.test(text)).join();
}
