import {
  DirectionalLight,
  Fog,
  HemisphereLight,
  MathUtils,
  type Object3D,
  type PerspectiveCamera,
  Vector3,
} from 'three';
import type { Palette } from '../../views/stage/palette.js';
import { SkyDome } from '../../views/stage/SkyDome.js';

/** Half an edge of the square on which shadows fall, in metres, and pixels of its map along an edge. */
const REACH = 64;
const MAP = 2048;
const HEIGHT = 220;
/** The map moves in whole steps, because edges of shadows would shimmer otherwise. */
const STEP = (16 * 2 * REACH) / MAP;
const AZIMUTH = 2.2;

const ahead = new Vector3();

/** Sun, sky and haze. The shadow map covers the ground ahead of the camera. */
export class Daylight {
  readonly fog = new Fog(0);
  readonly sun = new DirectionalLight('#fff0d6');
  readonly #sky = new HemisphereLight('#dfeaf2', '#5b5a4c');
  readonly #dome = new SkyDome();
  readonly #way = new Vector3();

  constructor() {
    const { shadow } = this.sun;
    shadow.mapSize.set(MAP, MAP);
    shadow.normalBias = 0.25;
    shadow.bias = -0.0004;
    Object.assign(shadow.camera, { left: -REACH, right: REACH, top: REACH, bottom: -REACH, near: 1, far: 2 * HEIGHT });
    shadow.camera.updateProjectionMatrix();
    this.rise(45);
  }

  get objects(): Object3D[] {
    return [this.sun, this.sun.target, this.#sky, this.#dome.object];
  }

  /** What is drawn behind everything. */
  get dome(): Object3D {
    return this.#dome.object;
  }

  set castShadow(casts: boolean) {
    this.sun.castShadow = casts;
  }

  /** Puts the sun so many degrees above the horizon. */
  rise(degrees: number): void {
    const height = MathUtils.degToRad(degrees);
    this.#way.setFromSphericalCoords(HEIGHT, Math.PI / 2 - height, AZIMUTH);
  }

  paint(palette: Palette, far: number): void {
    this.fog.color.copy(palette.sky);
    this.fog.near = 0.4 * far;
    this.fog.far = 0.97 * far;
    this.sun.intensity = 1.15 * palette.sun;
    this.#sky.intensity = 0.8 * palette.ambient;
    this.#dome.paint(palette);
  }

  /** Moves sun and sky with the camera. */
  follow(camera: PerspectiveCamera, ground: (x: number, z: number) => number): void {
    camera.getWorldDirection(ahead).setY(0).normalize();
    const { target } = this.sun;
    target.position.copy(camera.position).addScaledVector(ahead, 0.8 * REACH);
    target.position.x = STEP * Math.round(target.position.x / STEP);
    target.position.z = STEP * Math.round(target.position.z / STEP);
    target.position.y = STEP * Math.round(ground(target.position.x, target.position.z) / STEP);
    this.sun.position.copy(target.position).add(this.#way);
    this.#dome.object.position.copy(camera.position);
  }

  dispose(): void {
    this.sun.dispose();
    this.#dome.dispose();
  }
}
