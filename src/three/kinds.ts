import { BatchedMesh, InstancedMesh, Line, LOD, Mesh, Object3D, Points, SkinnedMesh, Sprite } from 'three';

/** The flags by which three tells kinds of objects apart. Unlike classes they are the same in all copies of three. */
export type Flags = {
  readonly [flag in
    | 'isObject3D'
    | 'isMesh'
    | 'isSkinnedMesh'
    | 'isInstancedMesh'
    | 'isBatchedMesh'
    | 'isLine'
    | 'isLineSegments2'
    | 'isWireframe'
    | 'isPoints'
    | 'isSprite'
    | 'isLOD'
    | 'isBone'
    | 'isLight'
    | 'isGroup'
    | 'isClippingGroup'
    | 'isBundleGroup'
    | 'isSceneIndexHelper']?: boolean;
};

/** True for objects that renderers draw as a whole with their descendants, by rules of their own. */
export function isAggregate(object: Flags): boolean {
  return Boolean(object.isLOD || object.isClippingGroup || object.isBundleGroup);
}

/** True for objects that are drawn wider than their vertices lie: lines and points, and three's wide lines. */
export function isWide(object: Flags): boolean {
  return Boolean(object.isLine || object.isPoints || object.isLineSegments2 || object.isWireframe);
}

/** True for a sprite that has the same size on the screen at any distance. */
export function keepsSize(object: Object3D & Flags): boolean {
  return object.isSprite === true && (object as Partial<Sprite>).material?.sizeAttenuation === false;
}

export function isDrawable(object: Flags): boolean {
  return Boolean(object.isMesh || object.isLine || object.isPoints || object.isSprite || object.isLOD);
}

/** True for an object with the `raycast` that one of three's classes has now: libraries may replace it in the class. */
export function hasStockRaycast({ raycast: method }: Object3D): boolean {
  return (
    method === Mesh.prototype.raycast ||
    method === Object3D.prototype.raycast ||
    method === InstancedMesh.prototype.raycast ||
    method === SkinnedMesh.prototype.raycast ||
    method === BatchedMesh.prototype.raycast ||
    method === Line.prototype.raycast ||
    method === Points.prototype.raycast ||
    method === Sprite.prototype.raycast ||
    method === LOD.prototype.raycast
  );
}

/** How many of an object and its prototypes have a property as their own. */
export function countOwners(object: object, name: string): number {
  let owners = 0;
  for (let o = object; o !== null; o = Object.getPrototypeOf(o)) if (Object.hasOwn(o, name)) owners++;
  return owners;
}

type MatrixHolder = { readonly version: number } | null | undefined;
type InstanceParts = Flags & { readonly instanceMatrix?: MatrixHolder; readonly _matricesTexture?: MatrixHolder };

/** The holder of the matrices of instances. Without the private part: a batch counts as changed at every look. */
export function matricesOf(mesh: InstanceParts): MatrixHolder {
  return mesh.isBatchedMesh ? mesh._matricesTexture : mesh.instanceMatrix;
}

/** True for a batch with geometries measured by three. Without the private part: false, so bounds must be declared. */
export function areMeasured(mesh: object): boolean {
  const { _geometryInfo: infos } = mesh as {
    _geometryInfo?: readonly { active: boolean; boundingBox: object | null; boundingSphere: object | null }[];
  };
  return infos?.every((each) => !each.active || (each.boundingBox && each.boundingSphere)) === true;
}
