// What follows the meshes of a scene, by the name of a library. Each is imported where it is asked for alone.
import { Box3 } from 'three';
import { classifyPlanes } from '../classifyPlanes.mjs';
import { accelerate, createIndex, enableSimd, SceneIndex } from '../library.mjs';

export async function create([library, isApart]) {
  return LIBRARIES[library](isApart);
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
      pickFirst: (raycaster) => raycaster.intersectObject(scene).slice(0, 1),
    };
  },

  /** The scene accelerated, or an index beside it. */
  ours(isApart) {
    enableSimd(process.env.SIMD !== '0');
    const seen = [];
    let scene;
    let index;
    return {
      build(given) {
        scene = given;
        const options = { structure: createIndex('packed') };
        index = isApart ? new SceneIndex(scene, options) : accelerate(scene, options);
      },
      follow: () => (isApart ? index.update() : scene.updateMatrixWorld()),
      cull: (camera) => index.cull(camera, seen),
      pick: (raycaster) => (isApart ? index.raycast(raycaster) : raycaster.intersectObject(scene)),
      pickFirst: (raycaster) => [index.raycastFirst(raycaster)].filter(Boolean),
    };
  },

  async 'three-mesh-bvh'() {
    const { ObjectBVH } = await import('three-mesh-bvh');
    let scene;
    let bvh;
    const cast = (raycaster, firstHitOnly) => byDistance(bvh.raycast(Object.assign(raycaster, { firstHitOnly }), []));
    return {
      build(given) {
        scene = given;
        bvh = new ObjectBVH(scene);
      },
      follow() {
        scene.updateMatrixWorld();
        bvh.refit();
      },
      cull({ frustum }) {
        const seen = [];
        const planes = frustum.planes.flatMap(({ normal: { x, y, z }, constant }) => [x, y, z, constant]);
        bvh.shapecast({
          intersectsBounds: (box) => classifyPlanes(box, planes),
          intersectsObject(mesh, _instance, isContained) {
            if (isContained || mesh.intersectsFrustum(frustum)) seen.push(mesh);
          },
        });
        return seen;
      },
      pick: (raycaster) => cast(raycaster, false),
      pickFirst: (raycaster) => cast(raycaster, true),
    };
  },

  /** Made once of the bounds of all meshes. It has no search by distance: for the first hit all are found. */
  async 'bvh.js'() {
    const { BVH, HybridBuilder } = await import('bvh.js');
    let bvh;
    const pick = (raycaster) => {
      const hits = [];
      const { direction, origin } = raycaster.ray;
      bvh.rayIntersections(direction.toArray(), origin.toArray(), (mesh) => {
        mesh.raycast(raycaster, hits);
      });
      return byDistance(hits);
    };
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
      pick,
      pickFirst: (raycaster) => pick(raycaster).slice(0, 1),
    };
  },
};
