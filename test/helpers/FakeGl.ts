import type { Camera, InstancedMesh, Scene } from 'three';
// Private modules of three: what uploads attributes, and when.
// @ts-expect-error They have no types.
import { WebGLAttributes } from '../../node_modules/three/src/renderers/webgl/WebGLAttributes.js';
// @ts-expect-error
import { WebGLObjects } from '../../node_modules/three/src/renderers/webgl/WebGLObjects.js';
import { cameraPass, frustumOf, withinRender } from './passes.js';

interface Buffer {
  data: Float32Array | null;
}

/** Rows that a draw call finds in the buffers of a graphics card: the matrix and colour of each instance. */
export type Rows = string[];

/** A WebGLRenderer without a graphics card: three's own modules upload to buffers in memory, which can be looked at. */
export class FakeGl {
  readonly isWebGLRenderer = true;
  readonly sortObjects = true;
  readonly #info = { render: { frame: 0 } };
  readonly #attributes;
  readonly #objects;
  #bound: Buffer = { data: null };

  constructor() {
    const gl = {
      createBuffer: (): Buffer => ({ data: null }),
      deleteBuffer: (buffer: Buffer) => {
        buffer.data = null;
      },
      bindBuffer: (_target: number, buffer: Buffer) => {
        this.#bound = buffer;
      },
      bufferData: (_target: number, array: Float32Array) => {
        this.#bound.data = array.slice();
      },
      bufferSubData: (_target: number, offset: number, array: Float32Array, start = 0, count = array.length) => {
        this.#bound.data?.set(array.subarray(start, start + count), offset / array.BYTES_PER_ELEMENT);
      },
    };
    this.#attributes = WebGLAttributes(gl);
    const geometries = { get: (_object: unknown, geometry: unknown) => geometry, update() {} };
    this.#objects = WebGLObjects(gl, geometries, this.#attributes, { releaseStatesOfObject() {} }, this.#info);
  }

  /**
   * Makes a picture as r187 does: lists what is in view, uploads it, and then draws.
   * @param within Done before the drawing: pictures within this one.
   * @returns the rows of each instanced mesh that is drawn, by its name.
   */
  render(scene: Scene, camera: Camera, within: () => void = () => {}): Map<string, Rows> {
    scene.updateMatrixWorld();
    return withinRender(this, scene, camera, () => {
      this.#info.render.frame++;
      const listed: InstancedMesh[] = [];
      for (const { object } of cameraPass(scene, camera, frustumOf(camera)).drawn) {
        this.#objects.update(object);
        if ('isInstancedMesh' in object) listed.push(object as InstancedMesh);
      }
      within();
      return new Map(listed.map((object) => [object.name, this.#rowsOf(object)]));
    });
  }

  #rowsOf({ count, instanceMatrix, instanceColor }: InstancedMesh): Rows {
    const [matrices, colours] = [instanceMatrix, instanceColor].map((attribute) => {
      return attribute === null ? null : (this.#attributes.get(attribute)?.buffer as Buffer | undefined)?.data;
    });
    return Array.from({ length: count }, (_, i) => {
      return [
        ...(matrices?.subarray(16 * i, 16 * i + 16) ?? []),
        ...(colours?.subarray(3 * i, 3 * i + 3) ?? []),
      ].join();
    });
  }
}
