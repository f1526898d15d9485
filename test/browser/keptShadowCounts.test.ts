import * as THREE from 'three';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { explain, report } from '../../src/index.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { endRenderer, otherPixels, readPicture } from '../helpers/pictures.js';
import { drawOnce, type Plaza, PlazaTwin, rest, shadowRenderer, times, walk } from './plaza.js';

let renderers: [THREE.WebGLRenderer, THREE.WebGLRenderer];
let twin: PlazaTwin;
beforeAll(() => {
  renderers = [shadowRenderer(), shadowRenderer()];
});
afterEach(() => {
  twin.dispose();
  vi.restoreAllMocks();
});
afterAll(() => {
  for (const renderer of renderers) endRenderer(renderer);
});

/** Draw calls of the camera's pass alone. */
function viewCalls({ renderer, scene, camera }: Plaza): number {
  const { shadowMap } = renderer;
  shadowMap.autoUpdate = false;
  renderer.render(scene, camera);
  shadowMap.autoUpdate = true;
  return renderer.info.render.calls;
}

/** Draw calls of maps in the next picture, after an edit. */
async function mapCalls(edit: (plaza: Plaza) => unknown = rest): Promise<number> {
  await twin.tell(edit);
  const { kept } = twin.calls;
  return kept - viewCalls(twin.kept);
}

describe('draws of maps that are kept', () => {
  test('at rest are none from the fourth picture on', async () => {
    twin = new PlazaTwin(renderers);
    await twin.tell(rest, rest, rest);
    for (let picture = 0; picture < 3; picture++) expect(await mapCalls()).toBe(0);
  });

  test('of one walker among 1,000 are at most two for the sun, and one for each face of a lamp', async () => {
    twin = new PlazaTwin(renderers, drawOnce, {}, 1000);
    for (const { lamp } of twin.both) lamp.castShadow = false;
    await twin.settle();
    await twin.tell(...times(3, walk));
    for (let picture = 0; picture < 3; picture++) expect(await mapCalls(walk)).toBeLessThanOrEqual(2);
    for (const { lamp, sun } of twin.both) [lamp.castShadow, sun.castShadow] = [true, false];
    await twin.settle();
    await twin.tell(...times(3, walk));
    for (let picture = 0; picture < 3; picture++) expect(await mapCalls(walk)).toBeLessThanOrEqual(6);
  });

  test('are none for a camera that moves while the sun rests', async () => {
    twin = new PlazaTwin(renderers);
    await twin.settle();
    const go = ({ camera }: Plaza): void => {
      camera.position.x += 0.3;
    };
    for (let picture = 0; picture < 4; picture++) expect(await mapCalls(go)).toBe(0);
  });

  test('are spared in 36 of 42 faces where a cube camera shows what moves, too', async () => {
    const cube = new THREE.CubeCamera(0.1, 50, new THREE.WebGLCubeRenderTarget(16));
    twin = new PlazaTwin(renderers, (plaza) => {
      cube.update(plaza.renderer, plaza.scene);
      drawOnce(plaza);
    });
    for (const { sun } of twin.both) sun.castShadow = false;
    await twin.settle();
    const { renderer, lamp } = twin.kept;
    const targets = vi.spyOn(renderer, 'setRenderTarget');
    for (let picture = 0; picture < 3; picture++) {
      targets.mockClear();
      await twin.tell(walk);
      const faces = targets.mock.calls.filter(([target]) => target === lamp.shadow.map);
      expect(faces.length).toBeLessThanOrEqual(6);
    }
  });

  test('are as many as in plain three where all moves', async () => {
    twin = new PlazaTwin(renderers, drawOnce, {}, 200);
    const all = ({ scene }: Plaza): void => {
      for (const child of scene.children) if (child.castShadow && 'isMesh' in child) child.position.x += 0.01;
    };
    await twin.settle();
    for (let picture = 0; picture < 4; picture++) {
      await twin.tell(all);
      expect(twin.calls.kept).toBeLessThanOrEqual(twin.calls.plain);
      expect(twin.calls.kept).toBeGreaterThan(0.9 * twin.calls.plain);
    }
  });

  test('call the callbacks of a caster as often as plain three does', async () => {
    twin = new PlazaTwin(renderers);
    const calls = twin.both.map(({ meshes }) => {
      const spies = [vi.fn(), vi.fn()];
      [meshes[1].onBeforeShadow, meshes[1].onAfterShadow] = spies;
      return spies;
    });
    await twin.settle();
    await twin.tell(...times(4, walk), rest, rest);
    const counts = calls.map((spies) => spies.map(({ mock }) => mock.calls.length));
    expect(counts[0][0]).toBeGreaterThan(10);
    expect(counts[1]).toEqual(counts[0]);
  });
});

describe('layers', () => {
  /** Renderbuffers that are there, with those that were made since. */
  function countLayers(renderer: THREE.WebGLRenderer): { made: number; alive: number } {
    const gl = renderer.getContext();
    const count = { made: 0, alive: 0 };
    const { createRenderbuffer, deleteRenderbuffer } = gl;
    vi.spyOn(gl, 'createRenderbuffer').mockImplementation(() => {
      count.made++;
      count.alive++;
      return createRenderbuffer.call(gl);
    });
    vi.spyOn(gl, 'deleteRenderbuffer').mockImplementation((buffer) => {
      count.alive--;
      deleteRenderbuffer.call(gl, buffer);
    });
    return count;
  }

  test('come with the third picture of a map by one key, and go with the map, its depths, a new size or the index', async () => {
    twin = new PlazaTwin(renderers);
    for (const { lamp } of twin.both) lamp.castShadow = false;
    const layers = countLayers(renderers[1]);
    await twin.tell(rest, walk, walk);
    expect(layers.alive).toBe(0);
    const shadow = () => twin.kept.sun.shadow;
    const ends: ((plaza: Plaza) => void)[] = [
      ({ sun }) => sun.shadow.map?.dispose(),
      ({ sun }) => sun.shadow.mapSize.set(256, 256),
      ({ sun }) => {
        sun.shadow.dispose();
        sun.shadow.map = null;
      },
    ];
    for (const end of ends) {
      await twin.tell(walk, walk, walk, walk);
      expect(layers.alive).toBe(1);
      await twin.tell(end);
      expect(layers.alive).toBe(0);
    }
    await twin.tell(walk, walk, walk, walk);
    expect(layers.alive).toBe(1);
    expect(shadow().map).not.toBeNull();
    twin.index.dispose();
    expect(layers).toEqual({ made: 4, alive: 0 });
  });

  test('take 64 MB at most, and none holds fewer than 64 casters', async () => {
    twin = new PlazaTwin(renderers);
    const layers = countLayers(renderers[1]);
    for (const { scene, lamp } of twin.both) {
      lamp.castShadow = false;
      for (let i = 0; i < 5; i++) {
        const sun = new THREE.DirectionalLight(0xffffff, 0.2);
        sun.position.set(i - 2, 8, 2);
        sun.castShadow = true;
        sun.shadow.mapSize.set(2048, 2048);
        Object.assign(sun.shadow.camera, { left: -8, right: 8, top: 8, bottom: -8 });
        scene.add(sun);
      }
      twin.plain.sun.castShadow = twin.kept.sun.castShadow = false;
    }
    await twin.settle();
    await twin.tell(...times(3, walk));
    expect(layers.alive).toBe(4);
    twin.dispose();
    expect(layers.alive).toBe(0);
    twin = new PlazaTwin(renderers, drawOnce, {}, 50);
    await twin.settle();
    await twin.tell(...times(4, walk));
    expect(layers.alive).toBe(0);
  });
});

describe('sentences', () => {
  const say = (object: THREE.Object3D): string => explain(twin.index, object, twin.kept.camera).join(' ');

  test('tell how the map of a light was drawn', async () => {
    twin = new PlazaTwin(renderers);
    const { sun } = twin.kept;
    expect(say(sun)).not.toContain('shadow map');
    await twin.tell(rest, rest);
    expect(say(sun)).toContain('Its shadow map was drawn anew, as the light or its map changed.');
    await twin.tell(rest);
    expect(say(sun)).toContain('Its shadow map was drawn anew, as its casters were not known yet.');
    await twin.tell(rest);
    expect(say(sun)).toContain('Its shadow map was kept for 1 picture.');
    await twin.tell(rest);
    expect(say(sun)).toContain('Its shadow map was kept for 2 pictures.');
    await twin.tell(walk);
    expect(say(sun)).toMatch(
      /Its shadow map was drawn anew, as Mesh \d+ "large 0" changed; 10\d casters came from a layer \(1 MB\)\./,
    );
    await twin.tell(({ meshes }) => meshes[1].removeFromParent());
    expect(say(sun)).toContain('drawn anew, as a caster has left');
    await twin.tell(({ meshes }) => {
      meshes[2].onBeforeShadow = () => {};
    });
    expect(say(sun)).toMatch(/as Mesh \d+ "large 2" may change unseen \(it has callbacks for shadows\)/);
    await twin.tell(({ scene }) => {
      for (const child of scene.children) if ('isMesh' in child) child.position.y += 0.01;
    });
    expect(say(sun)).toContain('drawn anew, as more than a quarter of all objects changed.');
  });

  test('tell how often the shadow of a caster is drawn', async () => {
    twin = new PlazaTwin(renderers);
    const { meshes, floor } = twin.kept;
    await twin.settle();
    expect(say(meshes[0])).toContain('Its shadow rests.');
    expect(say(floor)).not.toContain('shadow');
    await twin.tell(walk);
    expect(say(meshes[0])).toContain('Its shadow is drawn anew, as it has changed in the last pictures.');
    await twin.tell(...times(8, rest));
    expect(say(meshes[0])).toContain('Its shadow rests.');
    const unseen: [edit: (plaza: Plaza) => void, why: string][] = [
      [({ meshes: [mesh] }) => Object.assign(mesh, { onAfterShadow: () => {} }), 'it has callbacks for shadows'],
      [
        ({ meshes: [, mesh] }) => Object.assign(mesh, { customDepthMaterial: new THREE.ShaderMaterial() }),
        'a depth material with a shader of its own',
      ],
      [
        ({ meshes: [, , mesh] }) => Object.assign(mesh, { intersectsFrustum: () => true }),
        'a method of its own says whether it is in view',
      ],
      [
        ({ meshes: [, , , mesh] }) => {
          const alphaMap = new THREE.FramebufferTexture(4, 4);
          mesh.material = new THREE.MeshBasicMaterial({ alphaMap, alphaTest: 0.5 });
        },
        'a texture that is written elsewhere',
      ],
      [
        ({ meshes: [, , , , mesh] }) => {
          const depth = new THREE.MeshDepthMaterial({ alphaHash: true } as object);
          mesh.customDepthMaterial = depth;
        },
        'a depth material with holes by the textures of other materials',
      ],
    ];
    for (const [i, [edit, why]] of unseen.entries()) {
      edit(twin.kept);
      drawOnce(twin.kept);
      drawOnce(twin.kept);
      expect(say(meshes[i])).toContain(`Its shadow is drawn in each picture: ${why}.`);
    }
  });

  test('report lights, and the casters for which maps are drawn', async () => {
    twin = new PlazaTwin(renderers);
    await twin.settle();
    await twin.tell(walk, walk, ({ meshes }) => meshes[1].translateX(0.1), rest);
    const { shadows } = report(twin.index) as unknown as { shadows?: { reason: string; count: number }[] };
    const text = JSON.stringify(shadows ?? report(twin.index));
    expect(text).toContain('its shadow map was kept for 1 picture');
    expect(text).toMatch(
      /their changes have shadow maps drawn anew: Mesh \d+ ..large 0.. \d+ times, Mesh \d+ ..large 1.. \d+ times/,
    );
  });
});

test('maps of meshes with levels are not drawn at rest, and the picture stays', async () => {
  await loadBatching();
  const levels = true;
  twin = new PlazaTwin(renderers, drawOnce, { batch: { atLeast: 3 }, levels });
  for (const { meshes } of twin.both)
    for (const mesh of meshes) mesh.geometry = new THREE.TorusKnotGeometry(0.5, 0.2, 64, 12);
  const { kept } = twin;
  const take = (): Uint8Array => {
    drawOnce(kept);
    return readPicture(kept.renderer);
  };
  for (let picture = 0; picture < 40; picture++) {
    take();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const first = take();
  for (let picture = 0; picture < 6; picture++) {
    expect(otherPixels(take(), first)).toBe(0);
    const { calls } = kept.renderer.info.render;
    expect(calls).toBe(viewCalls(kept));
  }
  kept.camera.position.z += 4;
  take();
  const { calls } = kept.renderer.info.render;
  expect(calls).toBe(viewCalls(kept));
});
