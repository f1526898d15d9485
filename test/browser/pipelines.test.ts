import * as THREE from 'three';
import { MeshletDrawingPipeline } from 'three/addons/pipelines/MeshletDrawingPipeline.js';
import { StandardDrawingPipeline } from 'three/webgpu';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accelerate, report } from '../../src/index.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { random } from '../helpers/random.js';
import { allOf } from '../helpers/scene.js';
import { addGround, addSun } from './stories.js';
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
    scene.add(new THREE.AmbientLight(0xffffff, 0.5));
    addSun(scene);
    addGround(scene);
    const movers = balls(next, 300, scene);
    const glass = new THREE.MeshLambertMaterial({ transparent: true, opacity: 0.5 });
    const box = new THREE.BoxGeometry();
    for (let i = 0; i < 30; i++) {
      const pane = new THREE.Mesh(box, glass);
      strew(next, pane);
      scene.add(pane);
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
});
