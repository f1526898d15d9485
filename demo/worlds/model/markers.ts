import { type BufferGeometry, ConeGeometry, CylinderGeometry, Mesh, MeshLambertMaterial } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

let treeShape: BufferGeometry | null = null;
let beaconShape: BufferGeometry | null = null;
const treeMaterial = new MeshLambertMaterial({ color: '#e8735a', flatShading: true });
const beaconMaterial = new MeshLambertMaterial({ color: '#ff8c6b', emissive: '#ff5a3c', emissiveIntensity: 0.6 });
let made = 0;

/** A small tree, standing on its origin. `size`: its height. */
export function makeTree(size: number): Mesh {
  treeShape ??= mergeGeometries([
    new CylinderGeometry(0.05, 0.07, 0.3, 6).translate(0, 0.15, 0),
    new ConeGeometry(0.32, 0.5, 7).translate(0, 0.5, 0),
    new ConeGeometry(0.24, 0.4, 7).translate(0, 0.8, 0),
  ]);
  const tree = new Mesh(treeShape, treeMaterial);
  tree.scale.setScalar(size);
  tree.name = `New tree ${++made}`;
  return tree;
}

export function makeBeacon(): Mesh {
  beaconShape ??= mergeGeometries([
    new ConeGeometry(0.14, 0.5, 6).rotateX(Math.PI).translate(0, 0.25, 0),
    new ConeGeometry(0.14, 0.14, 6).translate(0, 0.57, 0),
  ]);
  const beacon = new Mesh(beaconShape, beaconMaterial);
  beacon.name = `New beacon ${++made}`;
  return beacon;
}
