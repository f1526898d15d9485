import { BackSide, Color, Mesh, ShaderMaterial, SphereGeometry } from 'three';
import type { Palette } from './palette.js';

/** The sky from horizon to zenith, centred on the camera. */
export class SkyDome {
  readonly object: Mesh<SphereGeometry, ShaderMaterial>;

  constructor() {
    const material = new ShaderMaterial({
      side: BackSide,
      depthTest: false,
      depthWrite: false,
      uniforms: { sky: { value: new Color() }, zenith: { value: new Color() } },
      vertexShader,
      fragmentShader,
    });
    this.object = new Mesh(new SphereGeometry(1, 24, 16), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = -10;
    // A ray that hits nothing else hits nothing.
    this.object.raycast = () => {};
  }

  paint({ sky, zenith }: Palette): void {
    const { uniforms } = this.object.material;
    uniforms.sky!.value.copy(sky);
    uniforms.zenith!.value.copy(zenith);
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

const vertexShader = /* glsl */ `
  uniform vec3 sky;
  uniform vec3 zenith;
  varying vec3 tint;

  void main() {
    tint = mix(sky, zenith, pow(clamp(position.y, 0.0, 1.0), 0.7));
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }
`;

const fragmentShader = /* glsl */ `
  varying vec3 tint;

  void main() {
    gl_FragColor = vec4(tint, 1.0);
    #include <colorspace_fragment>
  }
`;
