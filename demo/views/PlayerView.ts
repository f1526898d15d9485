import { type Box3, DirectionalLight, Fog, HemisphereLight, PerspectiveCamera, Scene, Sphere } from 'three';
import type { FrameResult } from '../measure/FrameResult.js';
import type { Drawing } from './drawings/Drawing.js';
import type { Palette } from './stage/palette.js';
import { SkyDome } from './stage/SkyDome.js';

/** The world through the player's eyes: true colours, fading into the sky where the view ends. */
export class PlayerView {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(60, 1, 0.1, 100);
  readonly #fog = new Fog(0);
  readonly #sun = new DirectionalLight('#fff2dc');
  readonly #sky = new HemisphereLight();
  readonly #dome = new SkyDome();
  #drawing: Drawing | null = null;

  constructor() {
    this.#sun.position.set(0.55, 0.8, 0.45);
    this.scene.add(this.#sun, this.#sky, this.#dome.object);
    this.scene.fog = this.#fog;
    this.scene.updateMatrixWorld();
    // The index updates the matrices of the listed objects.
    this.scene.matrixWorldAutoUpdate = false;
  }

  /** Has the sun throw the shadows of everything in a box; null: none. */
  castShadows(bounds: Box3 | null): void {
    const { shadow, target } = this.#sun;
    this.#sun.castShadow = bounds !== null;
    if (bounds === null) return;
    const { center, radius } = bounds.getBoundingSphere(new Sphere());
    this.#sun.position
      .set(0.55, 0.8, 0.45)
      .setLength(2 * radius)
      .add(center);
    this.scene.add(target);
    target.position.copy(center);
    Object.assign(shadow.camera, { left: -radius, right: radius, top: radius, bottom: -radius, far: 3 * radius });
    shadow.camera.updateProjectionMatrix();
    shadow.mapSize.set(2048, 2048);
    shadow.normalBias = 0.3;
  }

  /** Sets the drawing of the world. */
  use(drawing: Drawing): void {
    // One that stays keeps its batches and its levels.
    if (this.#drawing?.object !== drawing.object) this.#drawing?.object.removeFromParent();
    this.#drawing = drawing;
  }

  paint(palette: Palette, far: number): void {
    this.#fog.color.copy(palette.sky);
    this.#fog.near = 0.45 * far;
    this.#fog.far = 0.97 * far;
    this.#sun.intensity = palette.sun;
    this.#sky.intensity = palette.ambient;
    this.#sky.color.set('#dfeaf2');
    this.#sky.groundColor.set('#5b5a4c');
    this.#dome.paint(palette);
  }

  lens(fov: number, near: number, far: number): void {
    this.camera.near = near;
    this.camera.fov = fov;
    this.camera.far = far;
    this.camera.updateProjectionMatrix();
  }

  /** @param result Null for a view without a drawing. */
  show(result: FrameResult | null): void {
    if (result) this.#drawing?.show(result);
    // Views may share a drawing: it moves to the one that draws.
    if (this.#drawing && this.#drawing.object.parent !== this.scene) this.scene.add(this.#drawing.object);
    this.#dome.object.position.copy(this.camera.position);
    this.#dome.object.updateMatrixWorld();
  }
}
