// The same BatchedMesh in an accelerated scene; the code that draws it is loaded when the first one comes.
import { BoxGeometry, Matrix4, Scene } from 'three';
import { batchOf, listOf } from '../instances/batchOf.mjs';
import { accelerate, enableSimd } from '../library.mjs';

export async function create() {
  enableSimd(process.env.SIMD !== '0');
  const first = batchOf(new BoxGeometry(), [new Matrix4()], false);
  accelerate(new Scene().add(first));
  while (!Object.hasOwn(first, '_updateDrawParameters')) await new Promise((resolve) => setTimeout(resolve));
  let mesh;
  return {
    build(geometry, matrices, isSorted) {
      mesh = batchOf(geometry, matrices, isSorted);
      const scene = new Scene().add(mesh);
      accelerate(scene);
      // No time passes, so its index is built in one update.
      performance.now = () => 0;
      scene.updateMatrixWorld();
      Reflect.deleteProperty(performance, 'now');
    },
    list: (camera) => listOf(mesh, camera),
    hits: (raycaster) => raycaster.intersectObject(mesh),
  };
}
