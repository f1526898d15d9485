import {
  AmbientLight,
  BoxGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DirectionalLight,
  Mesh,
  MeshDepthMaterial,
  MeshLambertMaterial,
  MeshNormalMaterial,
  PerspectiveCamera,
  Raycaster,
  Scene,
  SphereGeometry,
  Vector3,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { AnaglyphEffect } from 'three/addons/effects/AnaglyphEffect.js';
import { random } from '../../helpers/random.js';

/** Half the edge of the cube in which the meshes lie. */
const HALF = 20;
const GEOMETRIES = [
  new BoxGeometry(),
  new ConeGeometry(1, 3, 6),
  new CylinderGeometry(0.2, 0.3, 2, 5),
  new SphereGeometry(1, 8, 6),
];
const DOWN = new Vector3(0, -1, 0);

/** What a frame does, its number given. The camera turns or sways in each, so that no view is seen twice. */
export type Frame = (number: number) => void;

/** Meshes of four shapes in a cube, lit by a sun, and a camera. The same for the same arguments. */
export class Crowd {
  readonly scene: Scene = new Scene();
  readonly meshes: Mesh[] = [];
  readonly camera: PerspectiveCamera = new PerspectiveCamera(60, 4 / 3, 0.1, 500);

  /** @param kinds Materials that the meshes share in turns; as many as meshes for one each. */
  constructor(count: number, kinds = 4) {
    const next = random(7);
    const materials = Array.from({ length: kinds }, (_, i) => {
      return new MeshLambertMaterial({ color: new Color().setHSL(i / kinds, 0.6, 0.5) });
    });
    for (let i = 0; i < count; i++) {
      const mesh = new Mesh(GEOMETRIES[i % 4], materials[kinds < count ? (i >> 2) % kinds : i % kinds]);
      mesh.position
        .set(next(), next(), next())
        .subScalar(0.5)
        .multiplyScalar(2 * HALF);
      mesh.rotation.y = 6 * next();
      this.meshes.push(mesh);
    }
    const sun = new DirectionalLight('#fff', 2);
    sun.position.set(30, 60, 20);
    this.scene.add(sun, new AmbientLight('#456'), ...this.meshes);
    this.camera.position.z = 4 * HALF;
  }

  /** Sees all of the cube. */
  sway(frame: number): void {
    this.camera.position.x = Math.sin(frame / 50);
  }

  /** Sees a tenth of the meshes, from its middle. */
  lookAround(frame: number): void {
    this.camera.position.z = 0;
    this.camera.rotation.y = frame / 200;
    if (this.camera.far === HALF) return;
    this.camera.far = HALF;
    this.camera.updateProjectionMatrix();
  }

  /** Moves each mesh, or one of `step`, to and fro. */
  move(frame: number, step = 1): void {
    const way = frame % 2 === 0 ? 0.05 : -0.05;
    for (let i = 0; i < this.meshes.length; i += step) {
      this.meshes[i].position.x += way;
      this.meshes[i].position.y -= way;
    }
  }
}

/** What a frame of each scene does with a crowd. */
const FRAMES: { [scene: string]: (crowd: Crowd, renderer: WebGLRenderer) => Frame } = {
  rest: (crowd, renderer) => (frame) => {
    crowd.sway(frame);
    renderer.render(crowd.scene, crowd.camera);
  },
  moving: (crowd, renderer) => (frame) => {
    crowd.move(frame);
    renderer.render(crowd.scene, crowd.camera);
  },
  few: (crowd, renderer) => (frame) => {
    crowd.lookAround(frame);
    renderer.render(crowd.scene, crowd.camera);
  },
  'few-tenth': (crowd, renderer) => (frame) => {
    crowd.lookAround(frame);
    crowd.move(frame, 10);
    renderer.render(crowd.scene, crowd.camera);
  },
  'few-moving': (crowd, renderer) => (frame) => {
    crowd.lookAround(frame);
    crowd.move(frame);
    renderer.render(crowd.scene, crowd.camera);
  },
  passes(crowd, renderer) {
    const passes = [null, new MeshNormalMaterial(), new MeshDepthMaterial()].map((material) => {
      return { material, target: new WebGLRenderTarget(4, 3) };
    });
    return (frame) => {
      crowd.move(frame);
      for (const { material, target } of passes) {
        crowd.scene.overrideMaterial = material;
        renderer.setRenderTarget(target);
        renderer.render(crowd.scene, crowd.camera);
      }
    };
  },
  anaglyph(crowd, renderer) {
    const effect = new AnaglyphEffect(renderer, 4, 3);
    return (frame) => {
      crowd.move(frame);
      crowd.sway(frame);
      effect.render(crowd.scene, crowd.camera);
    };
  },
  ray(crowd, renderer) {
    const raycaster = new Raycaster();
    raycaster.far = 10;
    return (frame) => {
      crowd.sway(frame);
      raycaster.set(crowd.camera.position, DOWN);
      raycaster.intersectObjects(crowd.meshes, false);
      renderer.render(crowd.scene, crowd.camera);
    };
  },
};
FRAMES.materials = FRAMES.kinds = FRAMES.rest;

/** A scene with so many meshes: see rows.mjs. */
export function makeScene(name: string, count: number, renderer: WebGLRenderer): { scene: Scene; frame: Frame } {
  const crowd = new Crowd(count, name === 'materials' || name === 'kinds' ? count : 4);
  if (name === 'kinds') {
    for (const [i, { material }] of crowd.meshes.entries()) (material as MeshLambertMaterial).emissive.setHex(i);
  }
  return { scene: crowd.scene, frame: FRAMES[name](crowd, renderer) };
}
