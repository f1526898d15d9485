import * as THREE from 'three';
import { Reflector } from 'three/addons/objects/Reflector.js';
import { EffectComposer } from 'three/addons/postprocessing/EffectComposer.js';
import { GTAOPass } from 'three/addons/postprocessing/GTAOPass.js';
import { OutlinePass } from 'three/addons/postprocessing/OutlinePass.js';
import { OutputPass } from 'three/addons/postprocessing/OutputPass.js';
import type { Pass } from 'three/addons/postprocessing/Pass.js';
import { RenderPass } from 'three/addons/postprocessing/RenderPass.js';
import { SSAOPass } from 'three/addons/postprocessing/SSAOPass.js';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { random } from '../helpers/random.js';
import { batchedMesh, instancedMesh } from '../helpers/scene.js';
import { validateScene } from '../helpers/validateScene.js';
import { addGround, addSun, addWorld, box, colour, expectSameStory, eye, fill, renderer, SIZE } from './stories.js';

// Shadow maps in software take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
afterEach(() => {
  renderer.shadowMap.enabled = false;
  renderer.autoClear = true;
  renderer.setScissorTest(false);
  renderer.setViewport(0, 0, SIZE, SIZE);
  renderer.setRenderTarget(null);
});
afterAll(() => renderer.dispose());

const painted = (geometry: THREE.BufferGeometry, color: THREE.ColorRepresentation): THREE.Mesh =>
  new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color }));

describe('an accelerated scene looks as without', () => {
  test('in several viewports, targets and cameras of one frame', () => {
    const target = new THREE.WebGLRenderTarget(SIZE, SIZE);
    expectSameStory((scene, snap) => {
      const { sun } = addWorld(scene, random(1), 80);
      const map = new THREE.OrthographicCamera(-25, 25, 25, -25, 1, 60);
      map.position.y = 40;
      map.lookAt(0, 0, 0);
      const screen = new THREE.Mesh(
        new THREE.PlaneGeometry(8, 8),
        new THREE.MeshBasicMaterial({ map: target.texture }),
      );
      screen.position.set(0, 5, 0);
      scene.add(screen);
      for (let frame = 0; frame < 4; frame++) {
        const walker = eye(20 - 8 * frame, 6, 18);
        snap(() => {
          renderer.setRenderTarget(target);
          screen.visible = false;
          renderer.render(scene, eye(-20, 8, 6 * frame));
          screen.visible = true;
          renderer.setRenderTarget(null);
          renderer.setScissorTest(true);
          [walker, map, eye(-15, 10, -15), sun.shadow.camera].forEach((camera, i) => {
            const corner = new THREE.Vector2(i % 2, Math.floor(i / 2)).multiplyScalar(SIZE / 2);
            renderer.setViewport(corner.x, corner.y, SIZE / 2, SIZE / 2);
            renderer.setScissor(corner.x, corner.y, SIZE / 2, SIZE / 2);
            renderer.render(scene, camera);
          });
          renderer.setScissorTest(false);
          renderer.setViewport(0, 0, SIZE, SIZE);
        });
      }
    });
    target.dispose();
  });

  test('with mirrors that see each other', () => {
    expectSameStory((scene, snap) => {
      addWorld(scene, random(2));
      const mirrors = [-14, 14].map((z) => {
        const mirror = new Reflector(new THREE.PlaneGeometry(20, 12), { textureWidth: SIZE, textureHeight: SIZE });
        mirror.position.set(0, 5, z);
        mirror.rotation.y = z < 0 ? 0.1 : Math.PI;
        scene.add(mirror);
        return mirror;
      });
      for (const x of [2, -6, 9]) snap(() => renderer.render(scene, eye(x, 5, 12)));
      for (const mirror of mirrors) mirror.dispose();
    });
  });

  type MakePasses = (scene: THREE.Scene, camera: THREE.PerspectiveCamera, meshes: THREE.Mesh[]) => Pass[];
  test.each<[string, MakePasses]>([
    ['with ambient occlusion by normals', (scene, camera) => [new SSAOPass(scene, camera, SIZE, SIZE)]],
    ['with ground truth ambient occlusion', (scene, camera) => [new GTAOPass(scene, camera, SIZE, SIZE)]],
    [
      'with outlines',
      (scene, camera, meshes) => [new OutlinePass(new THREE.Vector2(SIZE, SIZE), scene, camera, meshes.slice(0, 12))],
    ],
  ])('through an EffectComposer, %s', (_label, make) => {
    // These passes strew their samples by chance.
    const { random: chance } = Math;
    try {
      expectSameStory((scene, snap) => {
        Math.random = random(77);
        const meshes = fill(scene, random(3), 60);
        addGround(scene);
        const camera = eye(14, 8, 16);
        const composer = new EffectComposer(renderer);
        composer.setSize(SIZE, SIZE);
        composer.addPass(new RenderPass(scene, camera));
        for (const pass of make(scene, camera, meshes)) composer.addPass(pass);
        composer.addPass(new OutputPass());
        for (const x of [14, 4, -10]) {
          camera.position.x = x;
          camera.lookAt(0, 0, 0);
          snap(() => composer.render(0));
        }
        composer.dispose();
      });
    } finally {
      Math.random = chance;
    }
  });

  test('of levels of detail out of view that cast into it', () => {
    expectSameStory((scene, snap) => {
      addGround(scene);
      scene.add(new THREE.AmbientLight(0xffffff, 0.4));
      addSun(scene);
      for (let x = -24; x <= 0; x += 4) {
        const lod = new THREE.LOD();
        const tall = painted(new THREE.BoxGeometry(1, 30, 8), 0xaa4444);
        const flat = painted(new THREE.SphereGeometry(1.5), 0x44aa44);
        tall.castShadow = flat.castShadow = true;
        lod.addLevel(tall, 0);
        lod.addLevel(flat, 22);
        lod.position.set(x, 1, 0);
        scene.add(lod);
      }
      const camera = new THREE.PerspectiveCamera(30, 1, 0.5, 60);
      camera.position.set(2, 14, 0);
      for (const x of [2, 18, 6]) {
        camera.position.set(x, 14, 0);
        camera.lookAt(x, 0, 0.001);
        snap(() => renderer.render(scene, camera));
      }
    });
  });

  test('with callbacks that throw, in the pictures after them', () => {
    for (const name of [
      'onBeforeRender',
      'onAfterRender',
      'onBeforeShadow',
      'geometry',
      'intersectsFrustum',
    ] as const) {
      expectSameStory((scene, snap, index) => {
        const { meshes } = addWorld(scene, random(5), 50);
        const camera = eye(18, 8, 18);
        snap(() => renderer.render(scene, camera));
        const bad = meshes.find((mesh) => mesh.children.length > 0) as THREE.Mesh;
        const descriptor = Object.getOwnPropertyDescriptor(bad, name);
        const fail = (): never => {
          throw new Error('by the user');
        };
        if (name === 'geometry') Object.defineProperty(bad, name, { configurable: true, get: fail });
        else bad[name] = fail as never;
        expect(() => renderer.render(scene, camera)).toThrow('by the user');
        expect(() => renderer.render(scene, camera)).toThrow('by the user');
        if (descriptor) Object.defineProperty(bad, name, descriptor);
        else delete (bad as Partial<THREE.Mesh>)[name];
        // What a broken render leaves set in the renderer is not the scene's.
        renderer.setRenderTarget(null);
        renderer.resetState();
        snap(() => renderer.render(scene, camera));
        meshes[3].position.x += 2;
        snap(() => renderer.render(scene, eye(-18, 8, 10)));
        expect(bad.children.length).toBeGreaterThan(0);
        expect(index === null ? [] : validateScene(index)).toEqual([]);
      });
    }
  });

  test('with layers that objects share, or get while it is shown', () => {
    expectSameStory((scene, snap) => {
      const next = random(6);
      const meshes = fill(scene, next, 60);
      // Of transparent objects it shows when one is drawn twice.
      for (const { material } of meshes) Object.assign(material, { transparent: true, opacity: 0.5 });
      const shared = new THREE.Layers();
      meshes.forEach((mesh, i) => {
        if (i % 2 === 0) mesh.layers = shared;
      });
      const camera = eye(18, 8, 18);
      snap(() => renderer.render(scene, camera));
      shared.enable(1);
      meshes.forEach((mesh, i) => {
        if (i % 3 === 0) mesh.layers = new THREE.Layers();
      });
      scene.layers = new THREE.Layers();
      snap(() => renderer.render(scene, camera));
      snap(() => renderer.render(scene, eye(-18, 8, 10)));
      shared.set(1);
      snap(() => renderer.render(scene, camera));
    });
  });

  test('with objects that add, remove, move and hide others while they are drawn', () => {
    for (const seed of [1, 2, 3]) {
      expectSameStory((scene, snap) => {
        const next = random(seed);
        const { meshes } = addWorld(scene, next);
        const pick = () => meshes[Math.floor(next() * meshes.length)];
        const isBelow = (mesh: THREE.Object3D, top: THREE.Object3D): boolean =>
          mesh === top || (mesh.parent !== null && isBelow(mesh.parent, top));
        let change = (): void => {};
        meshes[0].frustumCulled = false;
        meshes[0].onBeforeRender = () => change();
        for (let frame = 0; frame < 10; frame++) {
          const [a, b, c] = [pick(), pick(), pick()];
          const added = painted(box, colour(next));
          added.position.set(next() * 10, 4, next() * 10);
          change = () => {
            change = () => {};
            if (a !== meshes[0] && !isBelow(b, a)) b.attach(a);
            c.add(added);
            if (frame % 3 === 0 && b !== meshes[0]) b.visible = !b.visible;
            if (frame % 4 === 3 && c !== meshes[0] && !isBelow(meshes[0], c)) c.removeFromParent();
          };
          snap(() => renderer.render(scene, eye(16 - 3 * frame, 9, 18)));
        }
      });
    }
  });

  test('with what follows a matrix, a vertex or a track, seen by cameras that come once', () => {
    expectSameStory((scene, snap) => {
      const { meshes, sun } = addWorld(scene, random(5));
      const group = new THREE.Group();
      group.position.y = 2;
      group.add(meshes[3], meshes[4], meshes[6]);
      const seen = eye(3, 3, 12, 20);
      const helpers = [new THREE.CameraHelper(seen), new THREE.BoxHelper(meshes[5])];
      scene.add(group, ...helpers, new THREE.DirectionalLightHelper(sun, 4));
      const shared = new THREE.Matrix4();
      const twins = [painted(box, 0xff00ff), painted(box, 0xff00ff)];
      for (const twin of twins) Object.assign(twin, { matrix: shared, matrixAutoUpdate: false, castShadow: true });
      twins[1].matrixWorld = twins[0].matrixWorld;
      const creeping = painted(new THREE.BoxGeometry(), 0x00ffff);
      const { position } = creeping.geometry.attributes;
      (position as THREE.BufferAttribute).setUsage(THREE.DynamicDrawUsage);
      const mixer = new THREE.AnimationMixer(meshes[8]);
      const track = new THREE.NumberKeyframeTrack('.position[x]', [0, 2, 4], [-20, 20, -20]);
      mixer.clipAction(new THREE.AnimationClip('there and back', 4, [track])).play();
      const target = new THREE.WebGLCubeRenderTarget(32);
      const cube = new THREE.CubeCamera(0.1, 50, target);
      const ball = new THREE.Mesh(new THREE.SphereGeometry(3), new THREE.MeshBasicMaterial({ envMap: target.texture }));
      ball.position.set(0, 6, 0);
      scene.add(...twins, creeping, cube, ball);
      for (let frame = 0; frame < 8; frame++) {
        mixer.update(0.4);
        seen.position.x += 1;
        seen.updateMatrixWorld();
        shared.makeTranslation(4 - frame, 3, 2 + frame);
        for (let i = 0; i < position.count; i++) position.setX(i, position.getX(i) + 1.5);
        position.needsUpdate = true;
        if (frame === 2) renderer.compile(scene, eye(50, 9, 18));
        if (frame === 3) renderer.compile(group, eye(50, 9, 18), scene);
        if (frame === 4) creeping.geometry.computeBoundingSphere();
        if (frame === 5) snap(() => renderer.render(group, eye(5, 3, 18)));
        if (frame === 6) {
          scene.matrixWorldAutoUpdate = false;
          scene.updateMatrixWorld();
        }
        if (frame % 2 === 1) cube.update(renderer, scene);
        snap(() => renderer.render(scene, eye(16 - 4 * frame, 9, 18)));
      }
      target.dispose();
    });
  });

  test('with a whole world below its ground, lights and instances at all depths, and an object that decides for itself', () => {
    expectSameStory((scene, snap) => {
      const next = random(8);
      const ground = painted(new THREE.PlaneGeometry(80, 80).rotateX(-Math.PI / 2), 0xccccaa);
      ground.receiveShadow = true;
      scene.add(ground);
      const meshes = fill(ground, next, 40);
      const lamp = new THREE.PointLight(0xffaa66, 300);
      const shade = new THREE.Mesh(new THREE.SphereGeometry(0.6), new THREE.MeshBasicMaterial({ color: 0xffffaa }));
      lamp.add(shade);
      meshes[7].add(lamp);
      const group = new THREE.Group();
      group.renderOrder = 1;
      meshes[2].add(group);
      for (const make of [instancedMesh, batchedMesh]) {
        const many = make(next, 6);
        many.material = new THREE.MeshLambertMaterial({ color: colour(next), transparent: true, opacity: 0.7 });
        group.add(many);
      }
      const free = new THREE.Mesh(box, new THREE.MeshBasicMaterial({ color: 0xff00ff, depthTest: false }));
      free.intersectsFrustum = () => true;
      free.onBeforeRender = (_renderer, _scene, camera) => {
        free.modelViewMatrix.multiplyMatrices(camera.matrixWorldInverse, free.matrixWorld);
      };
      free.position.set(500, 0, 0);
      scene.add(free);
      addSun(scene);
      for (const x of [16, 2, -14]) {
        meshes[2].rotation.y += 0.4;
        snap(() => renderer.render(scene, eye(x, 9, 18)));
      }
      scene.overrideMaterial = new THREE.MeshDepthMaterial();
      snap(() => renderer.render(scene, eye(10, 9, 18)));
    });
  });
});
