import * as THREE from 'three';
import { CSM } from 'three/addons/csm/CSM.js';
import { SunLight } from 'three/addons/lights/SunLight.js';
import { Reflector } from 'three/addons/objects/Reflector.js';
import { accelerate } from '../../src/index.js';
import { drawOnce, type Plaza, rest, times, walk } from './plaza.js';

type Mutable = Plaza & { [name: string]: unknown };

const LATE = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="4" height="8" fill="#fff"/></svg>`;
export const holes = (alphaMap: THREE.Texture): THREE.Material =>
  new THREE.MeshBasicMaterial({ alphaMap, alphaTest: 0.5 });
export const grey = (value: number): THREE.DataTexture => {
  const texture = new THREE.DataTexture(new Uint8Array(64).fill(value), 4, 4);
  texture.needsUpdate = true;
  return texture;
};

export interface Trap {
  readonly setup?: (plaza: Mutable) => void;
  readonly draw?: (plaza: Mutable) => void;
  readonly edits: ((plaza: Mutable) => unknown)[];
}

const up = ({ meshes }: Plaza): void => {
  meshes[0].position.y += 0.3;
};
const rests = (count: number) => times(count, rest);

/** Stories of a plaza that tempt to keep a map that three would draw anew. */
export const TRAPS: { readonly [name: string]: Trap } = {
  'an image that comes late': {
    setup(plaza) {
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(LATE)}`;
      const texture = new THREE.Texture(image);
      texture.needsUpdate = true;
      // The first picture is drawn before it has been decoded.
      Object.defineProperty(image, 'complete', { configurable: true, value: false });
      plaza.late = image;
      plaza.meshes[4].material = holes(texture);
    },
    edits: [
      ...rests(6),
      async ({ late }) => {
        await (late as HTMLImageElement).decode();
        Reflect.deleteProperty(late as object, 'complete');
      },
      ...rests(4),
    ],
  },
  'a render target as a map of holes': {
    setup(plaza) {
      plaza.target = new THREE.WebGLRenderTarget(4, 4);
      plaza.meshes[4].material = holes((plaza.target as THREE.RenderTarget).texture);
    },
    edits: Array.from({ length: 6 }, (_, i) => ({ renderer, target }: Mutable) => {
      renderer.setRenderTarget(target as THREE.WebGLRenderTarget);
      renderer.setClearColor(i % 2 ? 0xffffff : 0x000000, 1);
      renderer.clear();
      renderer.setClearColor(0x000000, 1);
    }),
  },
  'two roots that share a light': {
    setup(plaza) {
      const part = new THREE.Group();
      plaza.scene.add(part.add(plaza.sun, plaza.meshes[0], plaza.meshes[1], plaza.floor));
      plaza.part = part;
    },
    draw({ renderer, part, scene, camera }) {
      renderer.render(part as THREE.Group, camera);
      renderer.render(scene, camera);
    },
    edits: [...rests(5), walk, ...rests(2)],
  },
  'a camera after one of several views, whose viewport is left': {
    setup(plaza) {
      const { width, height } = plaza.renderer.domElement;
      const eyes = [0, 1].map((i) =>
        Object.assign(plaza.camera.clone(), { viewport: new THREE.Vector4((i * width) / 2, 0, width / 2, height) }),
      );
      plaza.eyes = new THREE.ArrayCamera(eyes);
    },
    draw({ renderer, scene, camera, eyes }) {
      renderer.render(scene, eyes as THREE.ArrayCamera);
      renderer.render(scene, camera);
    },
    edits: [...rests(6), walk, ...rests(2)],
  },
  'two cameras with other layers in turns': {
    setup(plaza) {
      plaza.meshes[3].layers.set(1);
      const second = plaza.camera.clone();
      second.layers.enable(1);
      plaza.sun.layers.enable(1);
      plaza.second = second;
    },
    draw({ renderer, scene, camera, second }) {
      renderer.render(scene, second as THREE.Camera);
      renderer.render(scene, camera);
    },
    edits: [...rests(5), walk, rest],
  },
  'a mirror': {
    setup({ scene }) {
      const mirror = new Reflector(new THREE.PlaneGeometry(8, 4), { textureWidth: 64, textureHeight: 48 });
      mirror.position.set(0, 2, -4);
      scene.add(mirror);
    },
    edits: [...rests(4), up, rest, up],
  },
  'a cube camera': {
    setup(plaza) {
      const target = new THREE.WebGLCubeRenderTarget(16);
      plaza.cube = new THREE.CubeCamera(0.1, 50, target);
      plaza.sky = target.texture;
    },
    draw(plaza) {
      plaza.scene.background = null;
      (plaza.cube as THREE.CubeCamera).update(plaza.renderer, plaza.scene);
      plaza.scene.background = plaza.sky as THREE.Texture;
      drawOnce(plaza);
    },
    edits: [rest, up, up, rest],
  },
  'cascades, the camera at rest and moving': {
    setup(plaza) {
      plaza.sun.castShadow = false;
      const lightDirection = new THREE.Vector3(-1, -2, -1);
      const csm = new CSM({
        maxFar: 30,
        cascades: 3,
        shadowMapSize: 128,
        lightDirection,
        camera: plaza.camera,
        parent: plaza.scene,
      });
      csm.setupMaterial(plaza.floor.material);
      plaza.csm = csm;
    },
    draw(plaza) {
      plaza.camera.updateMatrixWorld();
      (plaza.csm as CSM).update();
      drawOnce(plaza);
    },
    edits: [
      ...rests(5),
      ...times(4, ({ camera }) => {
        camera.position.x += 0.11;
      }),
      rest,
      walk,
      rest,
    ],
  },
  'a light whose maps follow the camera': {
    setup(plaza) {
      plaza.sun.castShadow = false;
      const sun = new SunLight(0xffffff, 1);
      sun.position.set(3, 8, 2);
      sun.castShadow = true;
      sun.shadow.mapSize.set(128, 128);
      plaza.scene.add(sun);
    },
    edits: [
      ...rests(5),
      walk,
      ...times(2, ({ camera }) => {
        camera.position.x += 0.2;
      }),
      rest,
    ],
  },
  'another type of maps': {
    edits: [THREE.BasicShadowMap, THREE.PCFShadowMap].flatMap((type) => [
      ({ renderer }: Plaza) => {
        renderer.shadowMap.type = type;
      },
      ...rests(3),
      walk,
      ({ meshes }: Plaza) => {
        meshes[0].castShadow = !meshes[0].castShadow;
      },
    ]),
  },
  'variances, and back': {
    setup: ({ lamp }) => {
      lamp.castShadow = false;
    },
    edits: [
      ({ renderer }) => {
        renderer.shadowMap.type = THREE.VSMShadowMap;
      },
      ...times(6, walk),
      ({ sun }) => {
        sun.shadow.radius = 6;
      },
      ({ sun }) => {
        sun.shadow.blurSamples = 5;
      },
      ({ meshes }) => {
        meshes[1].receiveShadow = false;
      },
      ...rests(2),
      ({ renderer }) => {
        renderer.shadowMap.type = THREE.PCFShadowMap;
      },
      ...rests(2),
    ],
  },
  'a callback of a caster that renders the scene': {
    setup(plaza) {
      const target = new THREE.WebGLRenderTarget(16, 16);
      const camera = plaza.camera.clone();
      plaza.meshes[2].onBeforeShadow = (renderer: THREE.WebGLRenderer) => {
        const { shadowMap } = renderer;
        const [before, face] = [renderer.getRenderTarget(), renderer.getActiveCubeFace()];
        shadowMap.autoUpdate = false;
        renderer.setRenderTarget(target);
        renderer.render(plaza.scene, camera);
        renderer.setRenderTarget(before, face);
        shadowMap.autoUpdate = true;
      };
    },
    edits: [...rests(4), ...times(5, walk), ...rests(2)],
  },
  'edits in callbacks of the scene': {
    setup(plaza) {
      const { scene } = plaza;
      const { onBeforeRender } = scene;
      plaza.own = plaza.box.clone();
      plaza.meshes[1].geometry = plaza.own as THREE.BufferGeometry;
      scene.onBeforeRender = (...given) => {
        onBeforeRender.apply(scene, given);
        (plaza.edit as (() => void) | undefined)?.();
      };
    },
    edits: [
      ...rests(4),
      (plaza) => {
        plaza.edit = () => {
          plaza.meshes[0].castShadow = false;
        };
      },
      (plaza) => {
        plaza.edit = () => (plaza.own as THREE.BufferGeometry).translate(0, 0.4, 0);
      },
      (plaza) => {
        plaza.edit = undefined;
      },
      rest,
    ],
  },
  'vertices that a map moves into the light, once three does not cull': {
    setup({ meshes: [, , , , , mesh], lamp }) {
      lamp.castShadow = false;
      mesh.geometry = new THREE.SphereGeometry(1, 24, 16);
      const displacementMap = grey(255);
      const invisible = { colorWrite: false, depthWrite: false, shadowSide: THREE.DoubleSide };
      mesh.material = new THREE.MeshLambertMaterial({ displacementMap, displacementScale: 11, ...invisible });
      mesh.position.set(14, 3, 0);
    },
    edits: [
      ...rests(5),
      ({ meshes }) => {
        meshes[5].frustumCulled = false;
      },
      ...rests(2),
    ],
  },
  'objects that cannot be listened to': {
    setup(plaza) {
      const sealed = new THREE.Mesh(plaza.box, plaza.paint);
      sealed.position.set(1, 3, 1);
      sealed.castShadow = true;
      Object.seal(sealed);
      plaza.sealed = sealed;
      plaza.scene.add(sealed);
    },
    edits: [
      ...rests(5),
      ({ sealed }) => {
        (sealed as THREE.Mesh).position.x += 0.5;
      },
      ({ sealed }) => {
        (sealed as THREE.Mesh).visible = false;
      },
      ...rests(4),
      ({ sealed }) => {
        (sealed as THREE.Mesh).visible = true;
      },
      ...rests(2),
    ],
  },
  'no order of what is drawn': {
    setup: ({ renderer }) => {
      renderer.sortObjects = false;
    },
    edits: [...rests(4), ...times(5, walk), ...rests(2)],
  },
  'a scene within the scene': {
    setup(plaza) {
      const inner = new THREE.Scene();
      inner.add(plaza.meshes[0], plaza.meshes[1]);
      plaza.scene.add(inner);
      if (plaza.index) plaza.inner = accelerate(inner, { keepShadows: true });
    },
    edits: [...rests(4), ...times(4, walk), ...rests(2)],
  },
};
