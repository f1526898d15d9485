import * as THREE from 'three';
import { type Next, pick } from '../scene/numbers.js';

/** Opaque materials of every kind that may hide others. */
const OPAQUE: readonly ((color: THREE.Color) => THREE.Material)[] = [
  (color) => new THREE.MeshBasicMaterial({ color }),
  (color) => new THREE.MeshLambertMaterial({ color }),
  (color) => new THREE.MeshPhongMaterial({ color }),
  (color) => new THREE.MeshStandardMaterial({ color }),
  (color) => new THREE.MeshPhysicalMaterial({ color }),
  (color) => new THREE.MeshToonMaterial({ color }),
  (color) => new THREE.MeshMatcapMaterial({ color }),
  () => new THREE.MeshNormalMaterial(),
  (color) => new THREE.MeshBasicMaterial({ color, side: THREE.BackSide }),
  (color) => new THREE.MeshLambertMaterial({ color, side: THREE.DoubleSide }),
  (color) => new THREE.MeshLambertMaterial({ color, flatShading: true, depthFunc: THREE.LessDepth }),
];

/** A pattern of holes. */
function holes(): THREE.DataTexture {
  const size = 8;
  const data = new Uint8Array(4 * size * size);
  for (let i = 0; i < size * size; i++) data.fill((i + (i >> 3)) % 3 === 0 ? 0 : 255, 4 * i, 4 * i + 4);
  const texture = new THREE.DataTexture(data, size, size);
  texture.needsUpdate = true;
  return texture;
}

/** A shader that moves vertices. */
function swaying(color: THREE.Color): THREE.Material {
  const material = new THREE.MeshBasicMaterial({ color });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace(
      '#include <begin_vertex>',
      'vec3 transformed = position + vec3(0.4 * sin(9.0 * position.y), 0.7, 0.0);',
    );
  };
  return material;
}

function bumpy(color: THREE.Color): THREE.Material {
  const map = holes();
  return new THREE.MeshStandardMaterial({ color, displacementMap: map, displacementScale: 0.6 });
}

/** Materials of meshes that hide nothing, or are never hidden, or both. */
const SPECIAL: readonly ((color: THREE.Color) => THREE.Material)[] = [
  (color) => new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.5 }),
  (color) => new THREE.MeshLambertMaterial({ color, transparent: true, depthWrite: false, opacity: 0.6 }),
  (color) => new THREE.MeshBasicMaterial({ color, alphaTest: 0.5, alphaMap: holes() }),
  (color) => new THREE.MeshBasicMaterial({ color, alphaHash: true, opacity: 0.4 }),
  (color) => new THREE.MeshBasicMaterial({ color, wireframe: true }),
  (color) => new THREE.MeshBasicMaterial({ color, depthWrite: false }),
  (color) => new THREE.MeshBasicMaterial({ color, colorWrite: false }),
  (color) => new THREE.MeshBasicMaterial({ color, depthTest: false }),
  (color) => new THREE.MeshBasicMaterial({ color, depthFunc: THREE.GreaterDepth }),
  (color) => new THREE.MeshBasicMaterial({ color, depthFunc: THREE.AlwaysDepth }),
  (color) => new THREE.MeshBasicMaterial({ color, depthFunc: THREE.EqualDepth }),
  (color) =>
    new THREE.MeshBasicMaterial({ color, polygonOffset: true, polygonOffsetFactor: -40, polygonOffsetUnits: -4000 }),
  (color) => new THREE.MeshBasicMaterial({ color, blending: THREE.AdditiveBlending }),
  (color) =>
    new THREE.MeshBasicMaterial({
      color,
      blending: THREE.MultiplyBlending,
      transparent: true,
      premultipliedAlpha: true,
    }),
  (color) => new THREE.MeshBasicMaterial({ color, visible: false }),
  (color) =>
    new THREE.MeshBasicMaterial({
      color,
      clippingPlanes: [new THREE.Plane(new THREE.Vector3(0.3, 1, 0).normalize(), -0.4)],
    }),
  (color) =>
    new THREE.MeshBasicMaterial({
      color,
      clipIntersection: true,
      clippingPlanes: [new THREE.Plane(new THREE.Vector3(1, 0, 0), 0), new THREE.Plane(new THREE.Vector3(0, 0, 1), 0)],
    }),
  swaying,
  bumpy,
  (color) =>
    new THREE.ShaderMaterial({
      uniforms: { color: { value: color } },
      vertexShader: 'void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position * 1.5, 1.0); }',
      fragmentShader: 'uniform vec3 color; void main() { gl_FragColor = vec4(color, 1.0); }',
    }),
];

/** Materials after whose first draw nothing is as the depth says. */
const DISTURBING: readonly ((color: THREE.Color) => THREE.Material)[] = [
  (color) => new THREE.MeshBasicMaterial({ color, stencilWrite: true, stencilZFail: THREE.IncrementStencilOp }),
  (color) =>
    new THREE.MeshBasicMaterial({ color, stencilWrite: true, stencilRef: 1, stencilFunc: THREE.EqualStencilFunc }),
  (color) => new THREE.MeshPhysicalMaterial({ color, transmission: 0.8, roughness: 0.1 }),
];

/** @param kinds As a rule opaque; seldom disturbing, so that most pictures have something hidden. */
export function makeMaterial(next: Next, isDisturbed: boolean): THREE.Material {
  const color = new THREE.Color().setHSL(next(), 0.8, 0.5);
  const kind = next();
  const make =
    kind < 0.72 ? pick(next, OPAQUE) : kind < 0.97 || !isDisturbed ? pick(next, SPECIAL) : pick(next, DISTURBING);
  return make(color);
}

export function makeOpaque(next: Next): THREE.Material {
  return pick(next, OPAQUE)(new THREE.Color().setHSL(next(), 0.7, 0.4));
}
