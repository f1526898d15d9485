import { type BatchedMesh, type BufferGeometry, type Camera, type Material, type Scene, WebGLRenderer } from 'three';

type Draw = (
  camera: Camera,
  scene: Scene,
  geometry: BufferGeometry,
  material: Material,
  object: object,
  group: unknown,
) => void;

/**
 * Where there is no `WEBGL_multi_draw`, as in Firefox, renderers draw what is in a batch one by one. Tests count draw calls: a
 * batch counts as one here, as in Chromium.
 */
Object.defineProperty(WebGLRenderer.prototype, 'renderBufferDirect', {
  set(this: WebGLRenderer, draw: Draw) {
    const counting: Draw = (...given) => {
      const { render } = this.info;
      const before = render.calls;
      draw(...given);
      if ((given[4] as BatchedMesh).isBatchedMesh) render.calls = Math.min(render.calls, before + 1);
    };
    Object.defineProperty(this, 'renderBufferDirect', { value: counting, writable: true });
  },
});
