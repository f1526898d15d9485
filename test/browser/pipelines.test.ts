import * as THREE from 'three';
import { MeshletDrawingPipeline } from 'three/addons/pipelines/MeshletDrawingPipeline.js';
import { BundleGroup, ClippingGroup, StandardDrawingPipeline } from 'three/webgpu';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accelerate, explain, report } from '../../src/index.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { random } from '../helpers/random.js';
import { allOf } from '../helpers/scene.js';
import { addGround } from './stories.js';
import { BACKENDS, expectSameFrames, WebGPUPictures } from './webgpuPictures.js';

/** Frames until the pipeline has made clusters of each geometry, one a frame, and has measured what it draws. */
const WARM = 14;

/** A pipeline that notes what it is told to draw. */
class Witness extends MeshletDrawingPipeline {
  readonly drawn = new Set<THREE.Object3D>();

  override pushRenderItem(...given: Parameters<MeshletDrawingPipeline['pushRenderItem']>): void {
    this.drawn.add(given[1]);
    super.pushRenderItem(...given);
  }
}

/** A camera among the objects that turns to and fro, a round in 16 frames. */
function rocking(): { camera: THREE.PerspectiveCamera; turn(frame: number): void } {
  const camera = new THREE.PerspectiveCamera(35, 1, 0.5, 80);
  return {
    camera,
    turn(frame) {
      camera.position.set(0, 4, 0);
      camera.rotation.y = 0.4 * Math.sin((frame * Math.PI) / 8);
    },
  };
}

const BALL = new THREE.SphereGeometry(0.8, 16, 12);

function strew(next: () => number, object: THREE.Object3D): void {
  object.position.set(100 * next() - 50, 6 * next() + 1, 100 * next() - 50);
}

function balls(next: () => number, count: number, parent: THREE.Object3D): THREE.Mesh[] {
  const materials = [0xff3311, 0x22cc44, 0x3355ff].map((color) => new THREE.MeshLambertMaterial({ color }));
  return Array.from({ length: count }, (_, i) => {
    const mesh = new THREE.Mesh(BALL, materials[i % 3]);
    strew(next, mesh);
    mesh.castShadow = mesh.receiveShadow = true;
    parent.add(mesh);
    return mesh;
  });
}

describe.skipIf(BACKENDS[0].isMissing)('with MeshletDrawingPipeline', () => {
  let pictures: WebGPUPictures;
  beforeAll(async () => {
    pictures = await WebGPUPictures.make(false);
    pictures.renderer.shadowMap.enabled = true;
    await loadBatching();
  });
  afterAll(() => pictures?.dispose());

  /** A scene with some of each that pipeline and index treat in their own way. */
  function garden(): { scene: THREE.Scene; movers: THREE.Mesh[] } {
    const next = random(5);
    const scene = new THREE.Scene();
    const sun = new THREE.DirectionalLight(0xffffff, 2);
    sun.position.set(-20, 30, 10);
    sun.castShadow = true;
    sun.shadow.mapSize.set(128, 128);
    Object.assign(sun.shadow.camera, { left: -25, right: 25, top: 25, bottom: -25, near: 1, far: 90 });
    scene.add(new THREE.AmbientLight(0xffffff, 0.5), sun);
    addGround(scene);
    const movers = balls(next, 300, scene);
    const still = Object.assign(new BundleGroup(), { static: true });
    const cut = Object.assign(new ClippingGroup(), {
      clippingPlanes: [new THREE.Plane(new THREE.Vector3(0, 1, 0), -3)],
    });
    const last = Object.assign(new THREE.Group(), { renderOrder: 2 });
    for (const group of [still, cut, last]) balls(next, 20, group);
    scene.add(still, cut, last);
    const glass = new THREE.MeshLambertMaterial({ transparent: true, opacity: 0.5 });
    const box = new THREE.BoxGeometry();
    for (let i = 0; i < 30; i++) {
      const lod = new THREE.LOD();
      lod.addLevel(new THREE.Mesh(BALL, movers[0].material), 0);
      lod.addLevel(new THREE.Mesh(box, movers[1].material), 20);
      const pane = new THREE.Mesh(box, glass);
      for (const object of [lod, pane]) strew(next, object);
      scene.add(lod, pane);
    }
    const swarm = new THREE.InstancedMesh(box, movers[2].material, 400);
    const place = new THREE.Object3D();
    for (let i = 0; i < swarm.count; i++) {
      strew(next, place);
      place.updateMatrix();
      swarm.setMatrixAt(i, place.matrix);
    }
    scene.add(swarm);
    return { scene, movers };
  }

  test('pictures are those of plain three, of the objects themselves', async () => {
    const { renderer } = pictures;
    const run = async (isFast: boolean): Promise<Uint8Array[]> => {
      const { scene, movers } = garden();
      const own = new Set(allOf(scene));
      const pipeline = new Witness();
      renderer.drawingPipeline = pipeline;
      const index = isFast ? accelerate(scene, { batch: { atLeast: 4 } }) : null;
      const { camera, turn } = rocking();
      for (let frame = 0; frame < WARM; frame++) {
        turn(frame);
        await pictures.take(scene, camera);
      }
      const taken: Uint8Array[] = [];
      for (let frame = 0; frame < 8; frame++) {
        turn(frame);
        movers[frame].position.y += 1;
        if (frame === 5) for (const mover of movers.slice(20, 40)) mover.removeFromParent();
        taken.push(await pictures.take(scene, camera));
      }
      expect(pipeline.info.clusters).toBeGreaterThan(0);
      expect([...pipeline.drawn].filter((object) => !own.has(object))).toEqual([]);
      if (index !== null) {
        expect(report(index).map(({ reason }) => reason)).toEqual([expect.stringMatching(/drawingPipeline/)]);
        const ray = new THREE.Raycaster(camera.position, camera.getWorldDirection(new THREE.Vector3()));
        expect(ray.intersectObject(scene).map(({ object }) => object.id)).toEqual(
          ray.intersectObjects(scene.children).map(({ object }) => object.id),
        );
        index.dispose();
      }
      pipeline.dispose();
      return taken;
    };
    const plain = await run(false);
    expectSameFrames(await run(true), plain);
    expect(() => expectSameFrames([plain[0]], [plain[4]])).toThrow();
    renderer.drawingPipeline = new StandardDrawingPipeline();
  });

  test('batches come with the standard pipeline, and go again', async () => {
    const { renderer } = pictures;
    const scene = new THREE.Scene().add(new THREE.AmbientLight());
    const [ball] = balls(random(4), 60, scene);
    ball.position.set(0, 4, -20);
    const index = accelerate(scene, { batch: { atLeast: 4 } });
    const { camera, turn } = rocking();
    const says: string[] = [];
    for (const pipeline of [new MeshletDrawingPipeline(), new StandardDrawingPipeline(), new Witness()]) {
      renderer.drawingPipeline = pipeline;
      for (let frame = 0; frame < 4; frame++) {
        turn(0);
        await pictures.take(scene, camera);
      }
      says.push(explain(index, ball, camera).at(-1) as string);
      pipeline.dispose();
    }
    expect(says).toEqual([
      expect.stringMatching(/not in a batch: the drawingPipeline/),
      expect.stringMatching(/in a batch of \d+ draws/),
      expect.stringMatching(/not in a batch: the drawingPipeline/),
    ]);
    index.dispose();
    renderer.drawingPipeline = new StandardDrawingPipeline();
  });
});
