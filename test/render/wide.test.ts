import * as THREE from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { Wireframe } from 'three/addons/lines/Wireframe.js';
import { expect, it } from 'vitest';
import { accelerate, explain, SceneIndex } from '../../src/index.js';
import { mainPass, shadowPass } from '../helpers/passes.js';
import { boxMesh } from '../helpers/scene.js';

const ENDS = [new THREE.Vector3(-2, 0, 0), new THREE.Vector3(2, 0, 0)];
const flat = (): THREE.BufferGeometry => new THREE.BufferGeometry().setFromPoints(ENDS);
const numbers = ENDS.flatMap((end) => end.toArray());

/** Objects from -2 to 2 along x, without height: three's sphere around them reaches 2 up and down. */
const WIDE: Record<string, () => THREE.Object3D> = {
  Line: () => new THREE.Line(flat()),
  LineSegments: () => new THREE.LineSegments(flat()),
  LineLoop: () => new THREE.LineLoop(flat()),
  Points: () => new THREE.Points(flat(), new THREE.PointsMaterial({ size: 40, sizeAttenuation: false })),
  Line2: () => new Line2(new LineGeometry().setPositions(numbers), new LineMaterial({ linewidth: 30 })),
  LineSegments2: () => new LineSegments2(new LineSegmentsGeometry().setPositions(numbers), new LineMaterial()),
  Wireframe: () => new Wireframe(new LineSegmentsGeometry().setPositions(numbers), new LineMaterial()),
  'a LOD with a line': () => new THREE.LOD().addLevel(new THREE.Line(flat()), 0),
  'a sprite that keeps its size': () => {
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ sizeAttenuation: false }));
    sprite.scale.setScalar(2);
    return sprite;
  },
};

const camera = new THREE.OrthographicCamera(-10, 10, 10, -10, 0.1, 100);
camera.position.z = 50;

const outOfView = (): THREE.Mesh[] => Array.from({ length: 90 }, (_, i) => boxMesh(100 + 2 * i));

/** What is drawn of a scene with many meshes out of view. */
function drawnWith(object: THREE.Object3D, isFast: boolean): { names: string[]; shadows: string[]; culled: number } {
  const scene = new THREE.Scene().add(object, ...outOfView());
  scene.updateMatrixWorld();
  object.traverse((part) => {
    part.name = 'it';
    part.castShadow = true;
  });
  const index = isFast ? accelerate(scene) : null;
  const names = mainPass(scene, camera).drawn.map((drawn) => drawn.object.name);
  const shadows = shadowPass(scene, camera, camera.layers).map(({ name }) => name);
  const culled = index?.cull(camera).length ?? 0;
  index?.dispose();
  return { names, shadows, culled };
}

it.each(Object.keys(WIDE))('%s at the edge of the view is drawn as in plain three', (kind) => {
  // It is in view; its sphere reaches in; it does not.
  for (const y of [5, 11, 13]) {
    for (const hasSphere of [false, true]) {
      const [plain, fast] = [false, true].map((isFast) => {
        const object = WIDE[kind]().translateY(y);
        const { geometry } = object as THREE.Mesh;
        if (hasSphere && geometry !== undefined) geometry.computeBoundingSphere();
        return drawnWith(object, isFast);
      });
      expect([fast.names, fast.shadows]).toEqual([plain.names, plain.shadows]);
      expect(plain.names).toHaveLength(y === 13 ? 0 : 1);
    }
  }
});

it('cull goes by boxes, and explain says what renderers do', () => {
  const line = WIDE.Line().translateY(11);
  expect(drawnWith(line, true)).toMatchObject({ names: ['it'], culled: 0 });
  const index = new SceneIndex(new THREE.Scene().add(line));
  expect(explain(index, line, camera)).toEqual([
    expect.stringMatching(/its top plane by 1; renderers go by three's sphere/),
  ]);
});

it('a limit of the distance counts for what only a sphere shows', () => {
  const line = WIDE.Line().translateY(11);
  const scene = new THREE.Scene().add(line, ...outOfView());
  accelerate(scene, { maxDistance: 20 });
  expect(mainPass(scene, camera).drawn).toEqual([]);
});
