import * as THREE from 'three';
import { readPicture } from '../../helpers/pictures.js';

/** The objects that a renderer draws in a picture. */
export function drawnIn(renderer: THREE.WebGLRenderer, draw: () => void): Set<THREE.Object3D> {
  const drawn = new Set<THREE.Object3D>();
  const { renderBufferDirect } = renderer;
  renderer.renderBufferDirect = (...given) => {
    drawn.add(given[4]);
    renderBufferDirect.apply(renderer, given);
  };
  draw();
  renderer.renderBufferDirect = renderBufferDirect;
  return drawn;
}

/**
 * Whether two pictures differ where a camera has any of some objects that one of them left out, seen through all else.
 *
 * Elsewhere it cannot matter that they were left out, and yet pictures of plain three differ there too: those of a box a
 * finger's breadth before a wall, in SwiftShader, by whether something far outside of the view is drawn between the two.
 */
export function differWhere(
  leftOut: ReadonlySet<THREE.Object3D>,
  [one, other]: readonly Uint8Array[],
  renderer: THREE.WebGLRenderer,
  scene: THREE.Scene,
  camera: THREE.Camera,
): boolean {
  const masks = new Map<THREE.Object3D, number>();
  const show = (isShown: (object: THREE.Object3D) => boolean): Uint8Array => {
    scene.traverse((object) => {
      object.layers.mask = isShown(object) ? (masks.get(object) as number) : 0;
    });
    renderer.render(scene, camera);
    return readPicture(renderer);
  };
  scene.traverse((object) => masks.set(object, object.layers.mask));
  scene.overrideMaterial = new THREE.MeshBasicMaterial({
    color: 0xffffff,
    side: THREE.DoubleSide,
    depthTest: false,
    fog: false,
  });
  const [theirs, none] = [show((object) => leftOut.has(object)), show(() => false)];
  scene.overrideMaterial = null;
  for (const [object, mask] of masks) object.layers.mask = mask;
  return one.some((level, i) => level !== other[i] && theirs[i] !== none[i]);
}
