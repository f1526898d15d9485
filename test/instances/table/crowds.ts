import * as THREE from 'three';

/** Materials and geometries of all crowds. */
export const material = new THREE.MeshBasicMaterial();
export const kinds: THREE.BufferGeometry[] = [
  new THREE.BoxGeometry(1, 2, 3),
  new THREE.SphereGeometry(1, 8, 6),
  new THREE.ConeGeometry(0.5, 2, 7).translate(1, 0, 0.5),
];

/** A matrix of any turn, with scales from 0.2 to 3, within a cube of 2 `reach`. */
export function anyMatrix(next: () => number, reach: number): THREE.Matrix4 {
  const place = new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(2 * reach);
  const turn = new THREE.Quaternion().setFromEuler(new THREE.Euler(7 * next(), 7 * next(), 7 * next()));
  const scale = new THREE.Vector3(0.2 + 2.8 * next(), 0.2 + 2.8 * next(), 0.2 + 2.8 * next());
  return new THREE.Matrix4().compose(place, turn, scale);
}

export function instancedCrowd(next: () => number, count: number, reach: number): THREE.InstancedMesh {
  const mesh = new THREE.InstancedMesh(kinds[Math.floor(3 * next())], material, count);
  for (let i = 0; i < count; i++) mesh.setMatrixAt(i, anyMatrix(next, reach));
  return mesh;
}

/** A batch of all kinds, some of its instances hidden or deleted. */
export function batchedCrowd(next: () => number, count: number, reach: number): THREE.BatchedMesh {
  const vertices = kinds.reduce((sum, { attributes }) => sum + attributes.position.count, 0);
  const indices = kinds.reduce((sum, { index }) => sum + (index?.count ?? 0), 0);
  const mesh = new THREE.BatchedMesh(count, vertices, indices, material);
  const ids = kinds.map((geometry) => mesh.addGeometry(geometry));
  for (let i = 0; i < count; i++) {
    const id = mesh.addInstance(ids[Math.floor(3 * next())]);
    mesh.setMatrixAt(id, anyMatrix(next, reach));
    if (next() < 0.1) mesh.setVisibleAt(id, false);
  }
  for (let i = 0; i < count; i++) if (next() < 0.1) mesh.deleteInstance(i);
  return mesh;
}

/** Puts a mesh anywhere, turned and scaled if wanted. */
export function placeAnywhere(
  mesh: THREE.InstancedMesh | THREE.BatchedMesh,
  next: () => number,
  isTurned: boolean,
): void {
  mesh.position.set(20 * next() - 10, 20 * next() - 10, 20 * next() - 10);
  if (isTurned) mesh.quaternion.setFromEuler(new THREE.Euler(7 * next(), 7 * next(), 7 * next()));
  if (isTurned) mesh.scale.set(0.5 + next(), 0.5 + next(), 0.5 + next());
  mesh.updateMatrixWorld();
}

export function anyCamera(next: () => number, reach: number): THREE.Camera {
  const camera =
    next() < 0.7
      ? new THREE.PerspectiveCamera(20 + 80 * next(), 0.5 + next(), 0.1, reach * (0.5 + 3 * next()))
      : new THREE.OrthographicCamera(-reach * next(), reach * next(), reach * next(), -reach * next(), 0.1, 3 * reach);
  camera.position.set(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(4 * reach * next());
  camera.lookAt(reach * (next() - 0.5), reach * (next() - 0.5), reach * (next() - 0.5));
  camera.updateMatrixWorld();
  return camera;
}

/** Does something to an instance of a batch, which may have been deleted; what comes of it is of no use then. */
export function ifPresent<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** The instances that are drawn, told by their rows. */
export function idsOf(mesh: THREE.InstancedMesh, drawn: THREE.InstancedMesh | undefined): number[] {
  if (drawn === undefined) return [];
  const rows = new Map<string, number>();
  for (let i = 0; i < mesh.count; i++) rows.set(rowOf(mesh, i), i);
  return Array.from({ length: drawn.count }, (_, i) => rows.get(rowOf(drawn, i)) ?? -1);
}

function rowOf({ instanceMatrix, instanceColor }: THREE.InstancedMesh, i: number): string {
  const color = instanceColor?.array.slice(3 * i, 3 * i + 3) ?? [];
  return [...instanceMatrix.array.slice(16 * i, 16 * i + 16), ...color].join();
}
