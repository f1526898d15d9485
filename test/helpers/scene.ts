import * as THREE from 'three';

const material = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });
const box = new THREE.BoxGeometry(1, 1, 1);
const shapes = [box, new THREE.SphereGeometry(0.7, 8, 6), new THREE.TorusGeometry(0.6, 0.2, 6, 8)];

export function boxMesh(x = 0, y = 0, z = 0, size = 1): THREE.Mesh {
  const mesh = new THREE.Mesh(box, material);
  mesh.position.set(x, y, z);
  mesh.scale.setScalar(size);
  return mesh;
}

/** Boxes of edge 1 along x, in a scene. */
export function rowOfBoxes(count: number, step = 2): THREE.Scene {
  return new THREE.Scene().add(...Array.from({ length: count }, (_, i) => boxMesh(step * i)));
}

/** An object and all below it, in the order of the walk. */
export function allOf(top: THREE.Object3D): THREE.Object3D[] {
  const all: THREE.Object3D[] = [];
  top.traverse((object) => all.push(object));
  return all;
}

/** Own properties of an object, but for the place of its listeners when there are none, which three does not tell from no place. */
export function ownNames(object: object): string[] {
  const isGone = (name: string): boolean =>
    name === '_listeners' && (object as Record<string, unknown>)[name] === undefined;
  return Object.getOwnPropertyNames(object).filter((name) => !isGone(name));
}

/** A geometry of points strewn within a cube of edge 2. */
export function strewn(next: () => number, count: number): THREE.BufferGeometry {
  const positions = Array.from({ length: 3 * count }, () => next() * 2 - 1);
  return new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
}

/** A tower of four cubes' height that bends at its middle: two bones, the upper one at height 2. */
export function skinnedTower(): THREE.SkinnedMesh {
  const geometry = new THREE.BoxGeometry(1, 4, 1, 1, 8, 1).translate(0, 2, 0);
  const { position } = geometry.attributes;
  const indices: number[] = [];
  const weights: number[] = [];
  for (let i = 0; i < position.count; i++) {
    const upper = Math.min(1, Math.max(0, position.getY(i) - 1.5));
    indices.push(0, 1, 0, 0);
    weights.push(1 - upper, upper, 0, 0);
  }
  geometry.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(indices, 4));
  geometry.setAttribute('skinWeight', new THREE.Float32BufferAttribute(weights, 4));
  const root = new THREE.Bone();
  const upper = new THREE.Bone();
  upper.position.y = 2;
  root.add(upper);
  const mesh = new THREE.SkinnedMesh(geometry, material);
  mesh.add(root);
  mesh.bind(new THREE.Skeleton([root, upper]));
  return mesh;
}

/** A mesh that morphs by up to 3 along y. */
export function morphedMesh(): THREE.Mesh {
  const geometry = new THREE.BoxGeometry(1, 1, 1);
  const target = geometry.attributes.position.clone();
  for (let i = 0; i < target.count; i++) target.setY(i, target.getY(i) + 3);
  geometry.morphAttributes.position = [target];
  return new THREE.Mesh(geometry, material);
}

export function instancedMesh(next: () => number, count: number): THREE.InstancedMesh {
  const mesh = new THREE.InstancedMesh(box, material, count);
  for (let i = 0; i < count; i++)
    mesh.setMatrixAt(i, new THREE.Matrix4().makeTranslation(next() * 6, next() * 6, next() * 6));
  return mesh;
}

export function batchedMesh(next: () => number, count: number): THREE.BatchedMesh {
  const mesh = new THREE.BatchedMesh(count, 200, 500, material);
  const geometry = mesh.addGeometry(box);
  for (let i = 0; i < count; i++) {
    mesh.setMatrixAt(
      mesh.addInstance(geometry),
      new THREE.Matrix4().makeTranslation(next() * 6, next() * 6, next() * 6),
    );
  }
  return mesh;
}

export function lod(): THREE.LOD {
  const object = new THREE.LOD();
  object.addLevel(new THREE.Mesh(shapes[1], material), 0);
  object.addLevel(new THREE.Mesh(box, material), 40);
  return object;
}

/** Objects of every kind, in nested and turned groups. */
export function mixedScene(next: () => number, count: number): THREE.Scene {
  const scene = new THREE.Scene();
  const parents: THREE.Object3D[] = [scene];
  const kinds = [
    () => new THREE.Mesh(shapes[Math.floor(next() * 3)], material),
    () => new THREE.Mesh(shapes[Math.floor(next() * 3)], [material, material, material, material, material, material]),
    () => new THREE.Line(strewn(next, 6), new THREE.LineBasicMaterial()),
    () => new THREE.LineSegments(strewn(next, 6), new THREE.LineBasicMaterial()),
    () => new THREE.Points(strewn(next, 12), new THREE.PointsMaterial()),
    () => new THREE.Sprite(new THREE.SpriteMaterial({ rotation: next() })),
    () => instancedMesh(next, 5),
    () => batchedMesh(next, 4),
    skinnedTower,
    morphedMesh,
    lod,
    () => new THREE.Group(),
  ];
  for (let i = 0; i < count; i++) {
    const object = kinds[Math.floor(next() * kinds.length)]();
    object.name = `object ${i}`;
    object.position.set(next() * 60 - 30, next() * 60 - 30, next() * 60 - 30);
    object.rotation.set(next() * 6, next() * 6, next() * 6);
    object.scale.set(0.5 + next() * 2, 0.5 + next() * 2, 0.5 + next() * 2);
    const parent = parents[Math.floor(next() * parents.length)];
    parent.add(object);
    if (next() < 0.2 && !(parent as THREE.LOD).isLOD) {
      object.position.multiplyScalar(0.2);
      parents.push(object);
    }
  }
  scene.updateMatrixWorld();
  return scene;
}

/** Hides some objects, and gives some layers, culling and orders of their own. */
export function vary(scene: THREE.Scene, next: () => number): void {
  scene.traverse((object) => {
    if (object === scene) return;
    if (next() < 0.05) object.visible = false;
    if (next() < 0.1) object.layers.set(1);
    if (next() < 0.05) object.frustumCulled = false;
    if (next() < 0.3) object.renderOrder = Math.floor(next() * 3);
  });
}
