import * as THREE from 'three';
import { isKnownText, shaderChunks, type Texts } from '../scene/objects/shaderChunks.js';

/** The shaders of three's that draw batches, and their shadows; none in builds of three without `WebGLRenderer`. */
const KINDS = ['basic', 'lambert', 'phong', 'physical', 'toon', 'matcap', 'normal', 'depth', 'distance'];
const shaders = (THREE as { ShaderLib?: object }).ShaderLib as Readonly<Record<string, Texts>> | undefined;

/**
 * What is another for a draw of a batch than for an object that is drawn by itself. Three's own shaders do with it as batches
 * need, in the few texts that name any of it.
 */
const APART = /\b(model\w*Matrix|normalMatrix|diffuse|vColor|gl_\w+ID)\b|batching/i;

/** A text, and where it is. */
type Place = readonly [of: Texts, name: string, text: string];

let seen = places();
const loaded = textsApart(seen);
const wereOwn = isKnownText(loaded, { 186: 54247, 187: 41587 });
/** True while three's shaders do with all that batches change as three made them, by the last look at them. */
export let areShadersOwn: boolean = wereOwn;

/** Looks at the shaders. To be called in each frame. */
export function lookAtShaders(): void {
  if (seen.every(isAsSeen)) return;
  seen = places();
  areShadersOwn = wereOwn && textsApart(seen) === loaded;
}

function isAsSeen([of, name, text]: Place): boolean {
  return of[name] === text;
}

/** All texts that the shaders are made of. */
function places(): readonly Place[] {
  const found = new Map<string, Place>();
  const take = (of: Texts | undefined, name: string, key = name): void => {
    const text = of?.[name];
    if (of === undefined || text === undefined || found.has(key)) return;
    found.set(key, [of, name, text]);
    for (const [, included] of text.matchAll(/#include +<(.+?)>/g)) take(shaderChunks, included);
  };
  for (const kind of KINDS)
    for (const name of ['vertexShader', 'fragmentShader']) take(shaders?.[kind], name, kind + name);
  return [...found.values()];
}

/** Those that name what is another in batches, but in comments. */
function textsApart(all: readonly Place[]): string {
  const texts = all.map(([, , text]) => text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ''));
  return texts.filter((text) => APART.test(text)).join();
}
