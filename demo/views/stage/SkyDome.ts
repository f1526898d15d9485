import { BackSide, Color, Float32BufferAttribute, MathUtils, Mesh, MeshBasicMaterial, SphereGeometry } from 'three';
import type { Palette } from './palette.js';

const colour = new Color();

/** The sky from horizon to zenith, centred on the camera. */
export class SkyDome {
  readonly object: Mesh<SphereGeometry, MeshBasicMaterial>;

  constructor() {
    const geometry = new SphereGeometry(1, 24, 16);
    const { count } = geometry.getAttribute('position');
    geometry.setAttribute('color', new Float32BufferAttribute(new Float32Array(3 * count), 3));
    const material = new MeshBasicMaterial({
      vertexColors: true,
      fog: false,
      side: BackSide,
      depthTest: false,
      depthWrite: false,
    });
    this.object = new Mesh(geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = -10;
    // A ray that hits nothing else hits nothing.
    this.object.raycast = () => {};
  }

  paint({ sky, zenith }: Palette): void {
    const { position, color } = this.object.geometry.attributes;
    for (let i = 0; i < color!.count; i++) {
      const height = MathUtils.clamp(position!.getY(i), 0, 1);
      colour.lerpColors(sky, zenith, height ** 0.7);
      color!.setXYZ(i, colour.r, colour.g, colour.b);
    }
    color!.needsUpdate = true;
  }
}
