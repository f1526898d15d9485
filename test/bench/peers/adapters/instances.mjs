// Instances of one mesh, by the name of a library. Each is imported where it is asked for alone.
import { BatchedMesh, BoxGeometry, Matrix4, MeshBasicMaterial, Scene, WebGLCoordinateSystem } from 'three';
import { accelerate, enableSimd } from '../library.mjs';

export async function create([library, options = {}]) {
  return LIBRARIES[library](options);
}

function batchOf(geometry, matrices, isSorted) {
  const { attributes, index } = geometry;
  const mesh = new BatchedMesh(matrices.length, attributes.position.count, index.count, new MeshBasicMaterial());
  const shape = mesh.addGeometry(geometry);
  for (const matrix of matrices) mesh.setMatrixAt(mesh.addInstance(shape), matrix);
  mesh.sortObjects = isSorted;
  return mesh;
}

/** A BatchedMesh, to which a library does something once it is filled. */
function batched(prepare) {
  let mesh;
  return {
    build(...given) {
      mesh = batchOf(...given);
      prepare(mesh);
    },
    /** The instances that a pass of a camera draws, as WebGLRenderer asks for them. */
    list(camera) {
      mesh.onBeforeRender({}, null, camera, mesh.geometry, mesh.material, null);
      return { ids: mesh._indirectTexture.image.data, length: mesh._multiDrawCount };
    },
    hits: (raycaster) => raycaster.intersectObject(mesh),
  };
}

const LIBRARIES = {
  three: () => batched(() => {}),

  async ours() {
    enableSimd(process.env.SIMD !== '0');
    // The code that draws it is loaded when the first one comes.
    const first = batchOf(new BoxGeometry(), [new Matrix4()], false);
    const scene = new Scene().add(first);
    accelerate(scene);
    while (!Object.hasOwn(first, '_updateDrawParameters')) {
      scene.updateMatrixWorld();
      await new Promise((resolve) => setTimeout(resolve));
    }
    return batched((mesh) => {
      const scene = new Scene().add(mesh);
      accelerate(scene);
      // No time passes, so its index is built in one update.
      performance.now = () => 0;
      scene.updateMatrixWorld();
      Reflect.deleteProperty(performance, 'now');
    });
  },

  async 'batched-mesh-extensions'({ radix = false }) {
    const { createRadixSort, extendBatchedMeshPrototype } = await import('@three.ez/batched-mesh-extensions');
    extendBatchedMeshPrototype();
    return batched((mesh) => {
      if (radix) mesh.customSort = createRadixSort(mesh);
      mesh.computeBVH(WebGLCoordinateSystem);
    });
  },

  async InstancedMesh2({ bvh = false, radix = false }) {
    const { createRadixSort, InstancedMesh2 } = await import('@three.ez/instanced-mesh');
    let mesh;
    return {
      build(geometry, matrices, isSorted) {
        mesh = new InstancedMesh2(geometry, new MeshBasicMaterial(), { capacity: matrices.length });
        mesh.addInstances(matrices.length, ({ matrix }, id) => matrix.copy(matrices[id]));
        for (const [id, matrix] of matrices.entries()) mesh.setMatrixAt(id, matrix);
        // What a renderer would make; it is never uploaded.
        mesh.instanceIndex ??= { array: Uint32Array.from(matrices.keys()) };
        mesh.sortObjects = isSorted;
        if (radix) mesh.customSort = createRadixSort(mesh);
        if (bvh) mesh.computeBVH();
      },
      list(camera) {
        mesh.performFrustumCulling(camera);
        return { ids: mesh.instanceIndex.array, length: mesh.count };
      },
      hits: (raycaster) => raycaster.intersectObject(mesh),
    };
  },
};
