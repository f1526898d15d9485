import { Box3, Mesh, Object3D, PerspectiveCamera, Scene, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { accelerate, cullOutlines } from '../../src/index.js';
import { passRegions } from '../../src/passes/Pass.js';
import { coverPlanes, seeBox } from '../../src/render/cullOutlines.js';

it('cullOutlines refuses what is no outline pass, and an index that was disposed', () => {
  const index = accelerate(new Scene());
  for (const wrong of [null, undefined, 3, {}, new Mesh(), { selectedObjects: [] }]) {
    expect(() => cullOutlines(index, wrong as never)).toThrow(/^cullOutlines.outlines: must be an OutlinePass/);
  }
  const parts = { _renderTargetDepthBuffer: {}, _renderTargetMaskBuffer: {} };
  const outlines = { selectedObjects: [new Object3D()], scene: new Scene(), ...parts };
  expect(() => cullOutlines(index, outlines)()).not.toThrow();
  index.dispose();
  expect(() => cullOutlines(index, outlines)).toThrow('cullOutlines: the index was disposed');
});

it('an outline pass that throws leaves the scene and its shadows as they were', () => {
  const scene = new Scene();
  const pass = {
    selectedObjects: [],
    renderScene: scene,
    renderTargetDepthBuffer: { width: 9, height: 9 },
    renderTargetMaskBuffer: { width: 9, height: 9 },
    _changeVisibilityOfNonSelectedObjects() {},
    render(_renderer: object) {
      Object.assign(passRegions.get(this.renderTargetDepthBuffer) as object, { wasListed: true });
      this._changeVisibilityOfNonSelectedObjects();
      throw new Error('mine');
    },
  };
  cullOutlines(accelerate(scene), pass);
  const shadowMap = { autoUpdate: true };
  expect(() => pass.render({ shadowMap })).toThrow('mine');
  expect([scene.matrixWorldAutoUpdate, shadowMap.autoUpdate]).toEqual([true, true]);
});

describe('what may cover a box', () => {
  const camera = new PerspectiveCamera(50, 1, 0.5, 100);
  camera.position.z = 20;
  camera.updateMatrixWorld();
  const holds = (planes: Float64Array, { x, y, z }: Vector3): boolean =>
    [0, 4, 8, 12, 16, 20].every((p) => planes[p] * x + planes[p + 1] * y + planes[p + 2] * z + planes[p + 3] >= 0);
  const coversOf = (box: number[]): Float64Array => {
    const seen = new Box3();
    seeBox(camera, box, seen);
    return coverPlanes(camera, seen, { width: 1000, height: 1000 }, true);
  };

  it('lies before it and in it, not beside or behind it', () => {
    const planes = coversOf([-1, -1, -1, 1, 1, 1]);
    const cases: [x: number, y: number, z: number, isIn: boolean][] = [
      [0, 0, 10, true],
      [0.9, 0.9, 0.9, true],
      [0, 0, -0.9, true],
      [0, 0, -5, false],
      [2, 0, 0, false],
      [0, -2, 0, false],
      [0.9, 0, 18, false],
      [0, 0, 21, false],
    ];
    for (const [x, y, z, isIn] of cases) expect(holds(planes, new Vector3(x, y, z)), `${[x, y, z]}`).toBe(isIn);
  });

  it('is all that is seen where the eye is in it', () => {
    const planes = coversOf([-1, -1, 15, 1, 1, 25]);
    for (const z of [19, 0, -70]) expect(holds(planes, new Vector3(0.3 * (20 - z), 0, z))).toBe(true);
  });
});
