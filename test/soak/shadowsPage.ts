import type { WebGLRenderer } from 'three';
import { makeShadowRenderer, runShadows, type ShadowScript, type TypeName } from '../model/shadows/runShadows.js';

const renderers = new Map<TypeName, WebGLRenderer>();

/** What is called from outside of the page, whose shaders are compiled once. */
Object.assign(globalThis, {
  runShadows(script: ShadowScript) {
    const renderer = renderers.get(script.type) ?? makeShadowRenderer(script.type);
    renderers.set(script.type, renderer);
    return runShadows(script, renderer);
  },
});
