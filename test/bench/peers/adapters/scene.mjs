// What follows the meshes of a scene, by the name of a library. Each is imported where it is asked for alone.
import { Box3 } from 'three';

export async function create([library, ...options]) {
  return LIBRARIES[library](...options);
}

const byDistance = (hits) => hits.sort((a, b) => a.distance - b.distance);

const LIBRARIES = {
  /** three.js alone: all matrices anew, and walks over the scene. */
  three() {
    let scene;
    return {
      build(given) {
        scene = given;
        scene.updateMatrixWorld(true);
      },
      follow: () => scene.updateMatrixWorld(),
      cull({ frustum }) {
        const seen = [];
        scene.traverse((object) => {
          if (object.isMesh && object.intersectsFrustum(frustum)) seen.push(object);
        });
        return seen;
      },
      pick: (raycaster) => raycaster.intersectObject(scene),
    };
  },

  /** The scene accelerated, or an index beside it. */
  async ours(isApart, file = '../library.mjs') {
    const { accelerate, createIndex, enableSimd, SceneIndex } = await import(file);
    enableSimd(process.env.SIMD !== '0');
    const seen = [];
    let scene;
    let index;
    return {
      counters: () => index.counters,
      build(given) {
        scene = given;
        const options = { structure: createIndex('packed') };
        index = isApart ? new SceneIndex(scene, options) : accelerate(scene, options);
      },
      follow: () => (isApart ? index.update() : scene.updateMatrixWorld()),
      cull: (camera) => index.cull(camera, seen),
      pick: (raycaster) => (isApart ? index.raycast(raycaster) : raycaster.intersectObject(scene)),
    };
  },

  async 'three-mesh-bvh'() {
    const { ObjectBVH } = await import('three-mesh-bvh');
    const { classifyPlanes } = await import('./three-mesh-bvh.mjs');
    let scene;
    let bvh;
    return {
      build(given) {
        scene = given;
        bvh = new ObjectBVH(scene);
      },
      follow() {
        scene.updateMatrixWorld();
        bvh.refit();
      },
      cull(camera) {
        const seen = [];
        bvh.shapecast({
          intersectsBounds: (box) => classifyPlanes(box, camera),
          intersectsObject(mesh, _instance, isContained) {
            if (isContained || mesh.intersectsFrustum(camera.frustum)) seen.push(mesh);
          },
        });
        return seen;
      },
      pick: (raycaster) => byDistance(bvh.raycast(raycaster, [])),
    };
  },

  /** Made once of the bounds of all meshes. */
  async 'bvh.js'() {
    const { BVH, HybridBuilder } = await import('bvh.js');
    let bvh;
    return {
      build(_scene, meshes) {
        const bounds = new Box3();
        const boxes = meshes.map((mesh) => {
          const { min, max } = bounds.setFromObject(mesh);
          return Float64Array.of(min.x, max.x, min.y, max.y, min.z, max.z);
        });
        bvh = new BVH(new HybridBuilder(true));
        bvh.createFromArray(meshes, boxes, () => {}, 0);
      },
      pick(raycaster) {
        const hits = [];
        const { direction, origin } = raycaster.ray;
        bvh.rayIntersections(direction.toArray(), origin.toArray(), (mesh) => {
          mesh.raycast(raycaster, hits);
        });
        return byDistance(hits);
      },
    };
  },
};
