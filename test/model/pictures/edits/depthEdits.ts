import * as THREE from 'three';
import { allOf } from '../../../helpers/scene.js';
import { oneOf, pick } from '../../scene/numbers.js';
import { isPlainMesh } from '../makeObject.js';
import type { Edits, PictureSide } from '../PictureSide.js';

const STENCILS = [
  { stencilZFail: THREE.IncrementStencilOp },
  { stencilRef: 1, stencilFunc: THREE.EqualStencilFunc },
  { stencilZPass: THREE.IncrementStencilOp },
];
const FUNCTIONS = [THREE.AlwaysDepth, THREE.GreaterDepth, THREE.EqualDepth, THREE.LessDepth, THREE.LessEqualDepth];

/** Materials whose programs place vertices by themselves. */
const MOVING: readonly (() => THREE.Material)[] = [
  () =>
    Object.assign(new THREE.MeshBasicMaterial({ color: '#f80' }), {
      onBeforeCompile(shader: { vertexShader: string }) {
        shader.vertexShader = shader.vertexShader.replace(
          '#include <begin_vertex>',
          'vec3 transformed = position + vec3(0.4 * sin(9.0 * position.y), 0.7, 0.0);',
        );
      },
    }),
  () =>
    new THREE.ShaderMaterial({
      vertexShader: 'void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position * 1.5, 1.0); }',
      fragmentShader: 'void main() { gl_FragColor = vec4(0.9, 0.4, 0.1, 1.0); }',
    }),
];

const PEACEFUL = { stencilWrite: false, depthFunc: THREE.LessEqualDepth, transmission: 0 };
const SOLID = {
  ...{ visible: true, colorWrite: true, depthWrite: true, depthTest: true, blending: THREE.NormalBlending },
  ...{
    transparent: false,
    wireframe: false,
    alphaHash: false,
    alphaTest: 0,
    polygonOffset: false,
    clippingPlanes: null,
  },
};

function withoutCallbacks(object: THREE.Object3D): void {
  Reflect.deleteProperty(object, 'onBeforeRender');
  Reflect.deleteProperty(object, 'onAfterRender');
}

const meshOf = (side: PictureSide, next: () => number) => side.any(next, isPlainMesh) as THREE.Mesh | null;

/** What lets something be seen behind others, or beside its bounds, or changes depths within a picture. */
export const DEPTH_EDITS: Edits = {
  stencil(side, next) {
    const material = pick(next, side.materials);
    Object.assign(material, { stencilWrite: next() < 0.5 }, pick(next, STENCILS));
  },
  depthFunc(side, next) {
    pick(next, side.materials).depthFunc = pick(next, FUNCTIONS);
  },
  clipIntersection(side, next) {
    const material = pick(next, side.materials);
    Object.assign(material, { clippingPlanes: side.planes.slice(0, 2), clipIntersection: next() < 0.7 });
    material.needsUpdate = true;
  },
  ownShader(side, next) {
    const mesh = meshOf(side, next);
    const material = pick(next, MOVING)();
    if (mesh !== null) mesh.material = next() < 0.7 ? material : pick(next, side.materials);
  },
  callback(side, next) {
    const mesh = meshOf(side, next);
    if (mesh === null) return;
    oneOf(
      next,
      // Behind all else, as its place among others of its order is nobody's choice.
      () => Object.assign(mesh, { onBeforeRender: (by: THREE.WebGLRenderer) => by.clearDepth(), renderOrder: 9 }),
      () => Object.assign(mesh, { onAfterRender: () => {} }),
      () => withoutCallbacks(mesh),
    );
  },
  /** Ends what keeps all else from being hidden, and makes walls solid again. */
  calm(side) {
    side.scene.overrideMaterial = null;
    // Wide lines have callbacks.
    for (const object of allOf(side.scene)) if ('isLineSegments2' in object) object.removeFromParent();
    for (const object of side.objects.filter(isPlainMesh)) {
      withoutCallbacks(object);
      for (const material of [object.material].flat()) Object.assign(material, PEACEFUL, { needsUpdate: true });
    }
    for (const material of side.materials.slice(0, 4)) Object.assign(material, SOLID);
    if (side.ended.delete(0)) side.begin(0);
  },
};
