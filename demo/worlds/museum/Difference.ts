import { Group, Mesh, PlaneGeometry, Scene, ShaderMaterial, Vector2, WebGLRenderTarget } from 'three';
import { element } from '../../ui/parts/element.js';
import { number } from '../../ui/parts/format.js';
import { asPlain } from '../../views/asPlain.js';
import type { PlayerFrame } from '../contract/World.js';

/** A difference of so little of the full brightness is drawn in full. */
const FULL = 1 / 8;
const SHARE = 0.4;

/** A picture of how the view with levels of detail differs from that of plain three, in a corner of the view. */
export class Difference {
  readonly object = new Group();
  readonly caption = element(
    'p',
    { class: 'caption difference', hidden: '' },
    'Difference from plain three',
    element('span', { class: 'scale' }, '0', element('i'), `${number(100 * FULL, 1)} % or more`),
  );
  readonly #plain = new Scene();
  readonly #targets = [new WebGLRenderTarget(1, 1, { samples: 4 }), new WebGLRenderTarget(1, 1, { samples: 4 })];
  readonly #material = new ShaderMaterial({
    vertexShader,
    fragmentShader,
    depthTest: false,
    depthWrite: false,
    uniforms: {
      a: { value: this.#targets[0]!.texture },
      b: { value: this.#targets[1]!.texture },
      full: { value: FULL },
    },
  });
  readonly #size = new Vector2();

  constructor() {
    const geometry = new PlaneGeometry(2 * SHARE, 2 * SHARE).translate(1 - SHARE, SHARE - 1, 0);
    const picture = new Mesh(geometry, this.#material);
    picture.frustumCulled = false;
    picture.renderOrder = 1000;
    this.object.add(picture);
    this.hide();
  }

  /** Draws the view twice, as it is and by plain three, and compares. */
  draw({ scene, camera, renderer }: PlayerFrame): void {
    renderer.getDrawingBufferSize(this.#size);
    const width = Math.max(1, Math.round(SHARE * this.#size.x));
    const height = Math.max(1, Math.round(width / camera.aspect));
    for (const target of this.#targets) target.setSize(width, height);
    this.object.visible = false;
    const plain = asPlain(scene, this.#plain);
    const scissor = renderer.getScissorTest();
    renderer.setScissorTest(false);
    for (const [i, drawn] of [scene, plain].entries()) {
      renderer.setRenderTarget(this.#targets[i]!);
      renderer.render(drawn, camera);
    }
    renderer.setRenderTarget(null);
    renderer.setScissorTest(scissor);
    this.object.visible = true;
    this.caption.hidden = false;
  }

  hide(): void {
    this.object.visible = false;
    this.caption.hidden = true;
  }

  dispose(): void {
    this.caption.remove();
    for (const target of this.#targets) target.dispose();
    this.#material.dispose();
    (this.object.children[0] as Mesh).geometry.dispose();
  }
}

const vertexShader = /* glsl */ `
  varying vec2 at;

  void main() {
    at = uv;
    gl_Position = vec4(position.xy, 0.0, 1.0);
  }
`;

const fragmentShader = /* glsl */ `
  uniform sampler2D a;
  uniform sampler2D b;
  uniform float full;
  varying vec2 at;

  void main() {
    // As they are on the screen.
    vec3 off = abs(sRGBTransferOETF(texture2D(a, at)).rgb - sRGBTransferOETF(texture2D(b, at)).rgb);
    float most = max(off.r, max(off.g, off.b));
    gl_FragColor = vec4(vec3(most / full), 1.0);
    if (at.x < 0.006 || at.y > 0.99) gl_FragColor = vec4(0.5, 0.5, 0.5, 1.0);
  }
`;
