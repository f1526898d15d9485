import {
  BackSide,
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  Mesh,
  MeshBasicMaterial,
  Points,
  PointsMaterial,
  SphereGeometry,
  Vector3,
} from 'three';
import { OwnDrawing } from '../../../views/drawings/Drawing.js';

const COUNT = 1800;

/** Black space with invented stars, drawn before everything else. */
export class Stars extends OwnDrawing {
  override readonly object = new Group();
  readonly #dark = new Mesh(
    new SphereGeometry(1, 8, 6),
    new MeshBasicMaterial({ color: '#03060b', side: BackSide, depthTest: false, depthWrite: false, fog: false }),
  );
  readonly #stars = new Points(
    constellations(),
    new PointsMaterial({ size: 1.4, sizeAttenuation: false, vertexColors: true, depthTest: false, depthWrite: false }),
  );

  constructor() {
    super();
    this.#stars.material.fog = false;
    // After the sky of the page, before the globe.
    this.#dark.renderOrder = -9;
    this.#stars.renderOrder = -8;
    for (const part of [this.#dark, this.#stars]) {
      part.frustumCulled = false;
      // Both have the eye in their middle, wherever it is.
      part.onBeforeRender = (_renderer, _scene, camera) => {
        part.matrixWorld.copyPosition(camera.matrixWorld);
        part.modelViewMatrix.multiplyMatrices(camera.matrixWorldInverse, part.matrixWorld);
      };
      this.object.add(part);
    }
  }

  override paint(): void {}
}

/** Directions spread evenly by the golden angle, shaken; few are bright. */
function constellations(): BufferGeometry {
  const places = new Float32Array(3 * COUNT);
  const colours = new Float32Array(3 * COUNT);
  const at = new Vector3();
  const colour = new Color();
  for (let i = 0; i < COUNT; i++) {
    const y = 1 - (2 * (i + noise(i, 1))) / COUNT;
    const around = 2.399963 * i + 3 * noise(i, 2);
    const level = Math.sqrt(Math.max(0, 1 - y * y));
    at.set(level * Math.cos(around), y, level * Math.sin(around)).toArray(places, 3 * i);
    const brightness = 0.08 + 0.75 * noise(i, 3) ** 7;
    colour.setHSL(0.08 + 0.55 * noise(i, 4), 0.35, brightness).toArray(colours, 3 * i);
  }
  return new BufferGeometry()
    .setAttribute('position', new BufferAttribute(places, 3))
    .setAttribute('color', new BufferAttribute(colours, 3));
}

/** The same number from 0 to 1 each time. */
function noise(i: number, salt: number): number {
  const value = Math.sin(i * 127.1 + salt * 311.7) * 43758.5453;
  return value - Math.floor(value);
}
