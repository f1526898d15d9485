import * as THREE from 'three';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { accelerate, explain } from '../../src/index.js';
import { endRenderer, otherPixels, readPicture, renewContext } from '../helpers/pictures.js';
import { type Draw, drawOnce, Plaza, PlazaTwin, rest, shadowRenderer, times, walk } from './plaza.js';
import { grey, holes, TRAPS } from './shadowTraps.js';

let renderers: [THREE.WebGLRenderer, THREE.WebGLRenderer];
let twin: PlazaTwin | null = null;
/** The addon for cascades replaces some for good, also for the tests of other files. */
const chunks = { ...THREE.ShaderChunk };
beforeAll(() => {
  renderers = [shadowRenderer(), shadowRenderer()];
});
afterEach(() => {
  twin?.dispose();
  twin = null;
  vi.restoreAllMocks();
  Object.assign(THREE.ShaderChunk, chunks);
  for (const renderer of renderers) {
    Object.assign(renderer.shadowMap, { autoUpdate: true, needsUpdate: false, type: THREE.PCFShadowMap });
    renderer.sortObjects = true;
    expect(renderer.getContext().getError()).toBe(0);
  }
});
afterAll(() => {
  for (const renderer of renderers) endRenderer(renderer);
});

describe('maps that are kept look the same as others', () => {
  test.each(Object.entries(TRAPS))('with %s', async (_, { setup = rest, draw, edits }) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    twin = new PlazaTwin(renderers, draw as Draw);
    for (const plaza of twin.both) setup(plaza as never);
    await twin.tell(...(edits as ((plaza: Plaza) => unknown)[]));
    expect(twin.changes).toBeGreaterThan(0);
  });

  test('after a texture is written on the GPU, which nobody sees, once a new map is asked for', async () => {
    twin = new PlazaTwin(renderers);
    const textures = new Map(twin.both.map((plaza) => [plaza, grey(255)]));
    for (const plaza of twin.both) plaza.meshes[4].material = holes(textures.get(plaza) as THREE.Texture);
    await twin.settle();
    await twin.frame((plaza) => plaza.renderer.copyTextureToTexture(grey(0), textures.get(plaza) as THREE.Texture));
    await twin.tell(({ sun, lamp }) => {
      sun.shadow.needsUpdate = lamp.shadow.needsUpdate = true;
    }, rest);
  });

  test('with a shader of all materials that moves what it draws', async () => {
    const own: typeof renderers = [shadowRenderer(), shadowRenderer()];
    const wind = { value: 0 };
    const patch = (shader: THREE.WebGLProgramParametersWithUniforms): void => {
      shader.uniforms.uWind = wind;
      const moved = '#include <begin_vertex>\ntransformed.x += uWind;';
      shader.vertexShader = `uniform float uWind;\n${shader.vertexShader.replace('#include <begin_vertex>', moved)}`;
    };
    vi.spyOn(THREE.Material.prototype, 'onBeforeCompile').mockImplementation(patch);
    twin = new PlazaTwin(own);
    // Faces of a cube have borders amid the casters, which move out of their bounds.
    for (const { lamp } of twin.both) lamp.castShadow = false;
    await twin.settle();
    for (let picture = 0; picture < 3; picture++) {
      wind.value += 0.3;
      await twin.tell(rest);
    }
    expect(twin.changes).toBe(3);
    twin.dispose();
    for (const renderer of own) endRenderer(renderer);
  });

  test('in batches, where a picture with one material for all comes first', async () => {
    const one = new THREE.MeshNormalMaterial();
    twin = new PlazaTwin(
      renderers,
      ({ renderer, scene, camera }) => {
        scene.overrideMaterial = one;
        renderer.render(scene, camera);
        scene.overrideMaterial = null;
        renderer.render(scene, camera);
      },
      { batch: true },
    );
    const index = accelerate(twin.plain.scene, { batch: true });
    await index.ready;
    await twin.settle();
    await twin.tell(...times(6, walk), rest, rest);
    expect(twin.calls.kept).toBeLessThan(twin.calls.plain);
    index.dispose();
  });

  test('in two scenes whose lights share a map', async () => {
    twin = new PlazaTwin(renderers, ({ renderer, scene, camera }) => {
      renderer.render((scene.userData.other as Plaza).scene, camera);
      renderer.render(scene, camera);
    });
    const others = twin.both.map((plaza) => {
      const other = new Plaza(30);
      plaza.scene.userData.other = other;
      return other;
    });
    const index = accelerate(others[1].scene, { keepShadows: true });
    await twin.settle();
    const share = (plaza: Plaza): void => {
      const { sun } = plaza.scene.userData.other as Plaza;
      sun.shadow.map?.dispose();
      sun.shadow.map = plaza.sun.shadow.map;
    };
    const walkOther = ({ scene }: Plaza): void => walk(scene.userData.other as Plaza);
    await twin.tell(share, rest, walk, rest, walkOther, rest, walk);
    index.dispose();
  });

  test.each([1, 4])('in two renderers, the second of which draws each picture of %i', async (each) => {
    const third = shadowRenderer();
    let picture = 0;
    const seen: number[] = [];
    twin = new PlazaTwin(renderers, (plaza) => {
      if (plaza.index && ++picture % each === 0) {
        third.render(plaza.scene, plaza.camera);
        seen.push(otherPixels(readPicture(third), readPicture(renderers[0])));
      }
      drawOnce(plaza);
    });
    await twin.settle();
    await twin.tell(...times(8, walk), rest, rest);
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.filter((pixels) => pixels > 0)).toEqual([]);
    twin.dispose();
    endRenderer(third);
  });

  test('with depths that are reversed', async () => {
    const reversed: typeof renderers = [
      shadowRenderer({ reversedDepthBuffer: true }),
      shadowRenderer({ reversedDepthBuffer: true }),
    ];
    twin = new PlazaTwin(reversed);
    await twin.settle();
    await twin.tell(...times(8, walk), rest);
    for (const renderer of reversed) endRenderer(renderer);
  });

  test('with a context that is lost and comes back, as often as it likes; its layers count no more', async () => {
    const own: typeof renderers = [renderers[0], shadowRenderer()];
    twin = new PlazaTwin(own);
    for (const { sun } of twin.both) sun.shadow.mapSize.set(2048, 2048);
    for (let time = 0; time < 5; time++) {
      await twin.settle();
      await twin.tell(...times(3, walk));
      const { kept, index } = twin;
      expect(explain(index, kept.sun, kept.camera).join(' ')).toContain('casters came from a layer (16 MB)');
      await renewContext(own[1], () => drawOnce(kept));
    }
    twin.dispose();
    endRenderer(own[1]);
  });

  test('once the index is disposed, and where the scene is accelerated again', async () => {
    twin = new PlazaTwin(renderers);
    const { shadowMap } = renderers[1];
    const before = Object.getOwnPropertyDescriptor(shadowMap, 'render');
    await twin.settle();
    expect(shadowMap.render).not.toBe(before?.value);
    twin.index.dispose();
    expect(Object.getOwnPropertyDescriptor(shadowMap, 'render')).toEqual(before);
    await twin.tell(rest, walk, rest);
    expect(twin.calls.kept).toBe(twin.calls.plain);
    const again = accelerate(twin.kept.scene, { keepShadows: true });
    await again.ready;
    await twin.tell(rest, walk, rest, rest, rest);
    expect(twin.calls.kept).toBeLessThan(twin.calls.plain);
    again.dispose();
    expect(Object.getOwnPropertyDescriptor(shadowMap, 'render')).toEqual(before);
  });

  test.each(['before', 'after'])('where other code has replaced shadowMap.render %s', async (when) => {
    const { shadowMap } = renderers[1];
    const three = shadowMap.render;
    const lights: number[] = [];
    const replace = (): void => {
      const under = shadowMap.render;
      shadowMap.render = (some, scene, camera) => {
        lights.push(some.length);
        under.call(shadowMap, some, scene, camera);
      };
    };
    if (when === 'before') replace();
    twin = new PlazaTwin(renderers);
    await twin.tell(rest);
    if (when === 'after') replace();
    const { render } = shadowMap;
    await twin.tell(rest, walk, rest, rest, rest);
    expect(lights.length).toBeGreaterThan(when === 'after' ? 4 : 1);
    expect(lights.at(-1)).toBe(when === 'after' ? 2 : 1);
    expect(twin.calls.kept).toBeLessThan(twin.calls.plain);
    twin.index.dispose();
    await twin.tell(rest, walk);
    expect(twin.calls.kept).toBe(twin.calls.plain);
    if (when === 'after') expect(shadowMap.render).toBe(render);
    shadowMap.render = three;
  });

  test('scenes of the same renderer that are not accelerated are drawn as before', async () => {
    twin = new PlazaTwin(renderers);
    await twin.settle();
    const other = new Plaza(30);
    const draw = (renderer: THREE.WebGLRenderer): [Uint8Array, number] => {
      renderer.render(other.scene, other.camera);
      return [readPicture(renderer), renderer.info.render.calls];
    };
    const expected = draw(renderers[0]);
    other.sun.shadow.dispose();
    other.lamp.shadow.dispose();
    for (let time = 0; time < 3; time++) expect(draw(renderers[1])).toEqual(expected);
    other.dispose();
  });

  test('an error of a callback of the page passes through, and the next picture is right', async () => {
    twin = new PlazaTwin(renderers);
    await twin.settle();
    const { kept } = twin;
    const error = new Error('of the page');
    kept.meshes[0].onBeforeShadow = () => {
      throw error;
    };
    for (let time = 0; time < 2; time++) {
      walk(kept);
      walk(twin.plain);
      expect(() => drawOnce(kept)).toThrow(error);
    }
    kept.meshes[0].onBeforeShadow = rest;
    await twin.tell(walk, rest, rest, rest);
  });
});
