import * as THREE from 'three';
import { afterAll, describe, expect, test } from 'vitest';
import { accelerate } from '../../src/index.js';

import { loadBatching } from '../helpers/loadBatching.js';
import { makeRenderer, otherPixels, readPicture } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { eyeAt } from './batching.js';

const SIZE = 128;
const renderer = makeRenderer(SIZE, SIZE, { stencil: true });
renderer.localClippingEnabled = true;
afterAll(() => renderer.dispose());

/** Pixels that may differ, of 16,384: by rounding, at edges. */
const FEW = 16;
/** By so many levels they may differ anyway: soft shadows make some of a rounding. */
const LEVELS = 8;

interface Setting {
  readonly scene: THREE.Scene;
  readonly camera?: THREE.Camera;
  draw?(scene: THREE.Scene, camera: THREE.Camera): void;
  /** Whether the meshes are drawn in batches; as a rule they are. */
  readonly isBatched?: boolean;
}

const next = random(5);
const box = new THREE.BoxGeometry();
const ball = new THREE.SphereGeometry(0.6, 12, 8);

/** Meshes all around. */
function crowd(
  materials: (THREE.Material | THREE.Material[])[] = lambert(),
  geometries: THREE.BufferGeometry[] = [box, ball],
  count = 120,
): THREE.Scene {
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x223344);
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(20, 40, 10);
  scene.add(sun, new THREE.HemisphereLight(0xffffff, 0x445566, 1));
  for (let i = 0; i < count; i++) {
    const mesh = new THREE.Mesh(geometries[i % geometries.length], materials[i % materials.length] as THREE.Material);
    mesh.position.set(next() * 16 - 8, next() * 10 - 5, next() * 16 - 8);
    mesh.rotation.set(next() * 6, next() * 6, next() * 6);
    mesh.scale.setScalar(0.6 + next());
    mesh.castShadow = mesh.receiveShadow = true;
    scene.add(mesh);
  }
  return scene;
}

function checkers(): THREE.DataTexture {
  const data = new Uint8Array(4 * 16).map((_, i) => (i % 4 === 3 ? 255 : ((i >> 2) + (i >> 4)) % 2 ? 255 : 60));
  const texture = new THREE.DataTexture(data, 4, 4);
  texture.needsUpdate = true;
  return texture;
}

const colors = (make: (color: THREE.Color) => THREE.Material): THREE.Material[] =>
  [0, 0.3, 0.7].map((hue) => make(new THREE.Color().setHSL(hue, 0.7, 0.5)));

const lambert = (properties: THREE.MeshLambertMaterialParameters = {}): THREE.Material[] =>
  colors((color) => new THREE.MeshLambertMaterial({ color, ...properties }));

const meshesOf = (scene: THREE.Scene): THREE.Mesh[] => scene.children.filter((one) => one instanceof THREE.Mesh);

const blue = (): THREE.Material =>
  new THREE.ShaderMaterial({
    vertexShader: 'void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
    fragmentShader: 'void main() { gl_FragColor = vec4(0.2, 0.6, 0.9, 1.0); }',
  });

/** Surfaces that lie in each other. */
function inOnePlane(shapes: THREE.BufferGeometry[], count: number): THREE.Scene {
  const scene = crowd(
    colors((color) => new THREE.MeshBasicMaterial({ color })),
    shapes,
    count,
  );
  for (const mesh of meshesOf(scene)) {
    mesh.rotation.set(0, 0, 0);
    mesh.position.z = 0;
  }
  return scene;
}

function shadowed(light: THREE.PointLight | THREE.SpotLight, type: THREE.ShadowMapType = THREE.PCFShadowMap): Setting {
  light.position.set(3, 14, 3);
  light.castShadow = true;
  light.shadow.mapSize.set(128, 128);
  return {
    scene: crowd().add(light),
    draw(scene, camera) {
      Object.assign(renderer.shadowMap, { enabled: true, type });
      renderer.render(scene, camera);
      renderer.shadowMap.enabled = false;
    },
  };
}

const SETTINGS: Readonly<Record<string, () => THREE.Scene | Setting>> = {
  textures: () => crowd(colors((color) => new THREE.MeshStandardMaterial({ color, map: checkers() }))),
  'one texture': () => {
    const map = checkers();
    return crowd(colors((color) => new THREE.MeshPhongMaterial({ color, map, shininess: 80 })));
  },
  normals: () => crowd([new THREE.MeshNormalMaterial()]),
  wireframe: () => ({ scene: crowd([new THREE.MeshBasicMaterial({ wireframe: true })]), isBatched: false }),
  displacement: () => crowd([new THREE.MeshStandardMaterial({ displacementMap: checkers(), displacementScale: 0.3 })]),
  'alpha test': () => crowd([new THREE.MeshBasicMaterial({ alphaMap: checkers(), alphaTest: 0.5 })]),
  stencil: () => {
    const mask = new THREE.MeshBasicMaterial({
      colorWrite: false,
      depthWrite: false,
      stencilWrite: true,
      stencilRef: 1,
      stencilZPass: THREE.ReplaceStencilOp,
    });
    const seen = lambert({
      stencilWrite: true,
      stencilRef: 1,
      stencilFunc: THREE.EqualStencilFunc,
      stencilZPass: THREE.IncrementWrapStencilOp,
    });
    const scene = crowd(seen);
    const window = new THREE.Mesh(new THREE.PlaneGeometry(8, 8), mask);
    window.position.set(5, 4, 7);
    window.lookAt(10, 8, 14);
    window.renderOrder = -1;
    return { scene: scene.add(window), isBatched: false };
  },
  'several materials': () => crowd([lambert().flatMap((one) => [one, one])], [box]),
  'thousands of small parts, of hundreds of geometries': () => {
    const part = (i: number) => new THREE.BoxGeometry(0.1 + (i % 7) * 0.05, 0.1 + (i % 5) * 0.05, 0.2);
    const paint = (i: number) =>
      new THREE.MeshStandardMaterial({ color: new THREE.Color().setHSL(i / 24, 0.6, 0.5), roughness: i % 2 });
    const numbers = [...Array(200).keys()];
    const scene = crowd(numbers.slice(0, 24).map(paint), numbers.map(part), 3000);
    // Steps of a model, each in a group of its own.
    const meshes = meshesOf(scene);
    for (let i = 0; i < meshes.length; i += 10) scene.add(new THREE.Group().add(...meshes.slice(i, i + 10)));
    return scene;
  },
  'meshes below meshes': () => {
    const scene = crowd();
    const meshes = meshesOf(scene);
    for (const [i, mesh] of meshes.entries()) {
      if (i % 3 !== 0) meshes[i - (i % 3)].add(mesh.translateX(-mesh.position.x + 1));
    }
    return scene;
  },
  'surfaces in one plane': () => {
    const scene = inOnePlane([new THREE.PlaneGeometry(3, 3), new THREE.PlaneGeometry(2, 4)], 120);
    const camera = new THREE.OrthographicCamera(-10, 10, 10, -10, 1, 50);
    camera.position.z = 20;
    return { scene, camera };
  },
  'surfaces in one plane, unsorted': () => {
    const scene = inOnePlane([new THREE.PlaneGeometry(3, 3)], 60);
    return {
      scene,
      draw(scene, camera) {
        renderer.sortObjects = false;
        renderer.render(scene, camera);
        renderer.sortObjects = true;
      },
    };
  },
  'a shader for all': () => ({ scene: Object.assign(crowd(), { overrideMaterial: blue() }), isBatched: false }),
  'a shader of one’s own': () => ({ scene: crowd([blue()]), isBatched: false }),
  'several cameras in one': () => {
    const cameras = [10, -12].map((x, i) => {
      const camera = Object.assign(eyeAt(x, 8, 14), { viewport: new THREE.Vector4((i * SIZE) / 2, 0, SIZE / 2, SIZE) });
      camera.updateMatrixWorld();
      return camera;
    });
    return { scene: crowd(), camera: new THREE.ArrayCamera(cameras) };
  },
  'a cube camera': () => {
    const scene = crowd();
    const target = new THREE.WebGLCubeRenderTarget(32);
    const cube = new THREE.CubeCamera(0.5, 60, target);
    const chrome = new THREE.Mesh(new THREE.SphereGeometry(3), new THREE.MeshBasicMaterial({ envMap: target.texture }));
    scene.add(cube, chrome);
    return {
      scene,
      draw(scene, camera) {
        chrome.visible = false;
        cube.update(renderer, scene);
        chrome.visible = true;
        renderer.render(scene, camera);
      },
    };
  },
  'shadows, point': () => shadowed(new THREE.PointLight(0xffffff, 300)),
  'shadows, spot': () => shadowed(new THREE.SpotLight(0xffffff, 900, 0, 0.7)),
  'shadows, soft': () => shadowed(new THREE.SpotLight(0xffffff, 900, 0, 0.7), THREE.VSMShadowMap),
  'a sheared matrix': () => {
    const scene = crowd();
    for (const mesh of meshesOf(scene)) {
      mesh.updateMatrix();
      mesh.matrix.multiply(new THREE.Matrix4().makeShear(0.3, 0, 0.2, 0, 0.1, 0));
      mesh.matrixAutoUpdate = false;
    }
    return { scene, isBatched: false };
  },
};

function pixelsOf({ scene, camera = eyeAt(10, 8, 14), draw = (s, c) => renderer.render(s, c) }: Setting): Uint8Array {
  draw(scene, camera);
  return readPicture(renderer);
}

// r186 culls by the frustum that the whole camera has of its own, not by those of its parts.
const KNOWN = Object.entries(SETTINGS).filter(
  ([label]) => label !== 'several cameras in one' || Number.parseInt(THREE.REVISION, 10) > 186,
);

describe('a scene drawn in batches is the same picture', () => {
  test.each(KNOWN)('%s', async (_label, make) => {
    const made = make();
    const setting: Setting = made instanceof THREE.Scene ? { scene: made } : made;
    pixelsOf(setting);
    const plain = pixelsOf(setting);
    const { calls } = renderer.info.render;
    expect(new Set(plain).size).toBeGreaterThan(3);
    const index = accelerate(setting.scene, { batch: { atLeast: 4 } });
    await loadBatching();
    for (let frame = 0; frame < 4; frame++) {
      expect(otherPixels(pixelsOf(setting), plain, LEVELS), `frame ${frame}`).toBeLessThanOrEqual(FEW);
    }
    if (setting.isBatched ?? true) expect(renderer.info.render.calls).toBeLessThan(calls / 2);
    else expect(renderer.info.render.calls).toBe(calls);
    index.dispose();
    expect(otherPixels(pixelsOf(setting), plain)).toBe(0);
  });
});
