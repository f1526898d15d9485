import {
  BatchedMesh,
  Bone,
  BoxGeometry,
  BufferGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  LineSegments,
  LOD,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Points,
  PointsMaterial,
  Scene,
  Skeleton,
  SkinnedMesh,
  SphereGeometry,
  Sprite,
  SpriteMaterial,
  TorusGeometry,
  Uint16BufferAttribute,
} from 'three';

const material = new MeshBasicMaterial({ side: DoubleSide });
const box = new BoxGeometry(1, 1, 1);
const shapes = [box, new SphereGeometry(0.7, 8, 6), new TorusGeometry(0.6, 0.2, 6, 8)];

export function boxMesh(x = 0, y = 0, z = 0, size = 1): Mesh {
  const mesh = new Mesh(box, material);
  mesh.position.set(x, y, z);
  mesh.scale.setScalar(size);
  return mesh;
}

/** Boxes of edge 1 along x, in a scene. */
export function rowOfBoxes(count: number, step = 2): Scene {
  return new Scene().add(...Array.from({ length: count }, (_, i) => boxMesh(step * i)));
}

/** An object and all below it, in the order of the walk. */
export function allOf(top: Object3D): Object3D[] {
  const all: Object3D[] = [];
  top.traverse((object) => all.push(object));
  return all;
}

/** A geometry of points strewn within a cube of edge 2. */
export function strewn(next: () => number, count: number): BufferGeometry {
  const positions = Array.from({ length: 3 * count }, () => next() * 2 - 1);
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(positions, 3));
}

/** A tower of four cubes' height that bends at its middle: two bones, the upper one at height 2. */
export function skinnedTower(): SkinnedMesh {
  const geometry = new BoxGeometry(1, 4, 1, 1, 8, 1).translate(0, 2, 0);
  const { position } = geometry.attributes;
  const indices: number[] = [];
  const weights: number[] = [];
  for (let i = 0; i < position.count; i++) {
    const upper = Math.min(1, Math.max(0, position.getY(i) - 1.5));
    indices.push(0, 1, 0, 0);
    weights.push(1 - upper, upper, 0, 0);
  }
  geometry.setAttribute('skinIndex', new Uint16BufferAttribute(indices, 4));
  geometry.setAttribute('skinWeight', new Float32BufferAttribute(weights, 4));
  const root = new Bone();
  const upper = new Bone();
  upper.position.y = 2;
  root.add(upper);
  const mesh = new SkinnedMesh(geometry, material);
  mesh.add(root);
  mesh.bind(new Skeleton([root, upper]));
  return mesh;
}

/** A mesh that morphs by up to 3 along y. */
export function morphedMesh(): Mesh {
  const geometry = new BoxGeometry(1, 1, 1);
  const target = geometry.attributes.position.clone();
  for (let i = 0; i < target.count; i++) target.setY(i, target.getY(i) + 3);
  geometry.morphAttributes.position = [target];
  return new Mesh(geometry, material);
}

export function instancedMesh(next: () => number, count: number): InstancedMesh {
  const mesh = new InstancedMesh(box, material, count);
  for (let i = 0; i < count; i++)
    mesh.setMatrixAt(i, new Matrix4().makeTranslation(next() * 6, next() * 6, next() * 6));
  return mesh;
}

export function batchedMesh(next: () => number, count: number): BatchedMesh {
  const mesh = new BatchedMesh(count, 200, 500, material);
  const geometry = mesh.addGeometry(box);
  for (let i = 0; i < count; i++) {
    mesh.setMatrixAt(mesh.addInstance(geometry), new Matrix4().makeTranslation(next() * 6, next() * 6, next() * 6));
  }
  return mesh;
}

export function lod(): LOD {
  const object = new LOD();
  object.addLevel(new Mesh(shapes[1], material), 0);
  object.addLevel(new Mesh(box, material), 40);
  return object;
}

/** Objects of every kind, in nested and turned groups. */
export function mixedScene(next: () => number, count: number): Scene {
  const scene = new Scene();
  const parents: Object3D[] = [scene];
  const kinds = [
    () => new Mesh(shapes[Math.floor(next() * 3)], material),
    () => new Mesh(shapes[Math.floor(next() * 3)], [material, material, material, material, material, material]),
    () => new Line(strewn(next, 6), new LineBasicMaterial()),
    () => new LineSegments(strewn(next, 6), new LineBasicMaterial()),
    () => new Points(strewn(next, 12), new PointsMaterial()),
    () => new Sprite(new SpriteMaterial({ rotation: next() })),
    () => instancedMesh(next, 5),
    () => batchedMesh(next, 4),
    skinnedTower,
    morphedMesh,
    lod,
    () => new Group(),
  ];
  for (let i = 0; i < count; i++) {
    const object = kinds[Math.floor(next() * kinds.length)]();
    object.name = `object ${i}`;
    object.position.set(next() * 60 - 30, next() * 60 - 30, next() * 60 - 30);
    object.rotation.set(next() * 6, next() * 6, next() * 6);
    object.scale.set(0.5 + next() * 2, 0.5 + next() * 2, 0.5 + next() * 2);
    const parent = parents[Math.floor(next() * parents.length)];
    parent.add(object);
    if (next() < 0.2 && !(parent as LOD).isLOD) {
      object.position.multiplyScalar(0.2);
      parents.push(object);
    }
  }
  scene.updateMatrixWorld();
  return scene;
}

/** Hides some objects, and gives some layers, culling and orders of their own. */
export function vary(scene: Scene, next: () => number): void {
  scene.traverse((object) => {
    if (object === scene) return;
    if (next() < 0.05) object.visible = false;
    if (next() < 0.1) object.layers.set(1);
    if (next() < 0.05) object.frustumCulled = false;
    if (next() < 0.3) object.renderOrder = Math.floor(next() * 3);
  });
}
