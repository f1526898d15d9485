import type { Object3D } from 'three';
import { ownNames } from '../../helpers/scene.js';
import { Difference, type Frame } from './Frame.js';
import type { Side } from './Side.js';

/** Fails unless everyone else finds the same objects in the same places of the tree. */
export function checkTree({ plain, fast }: Frame): void {
  const tell = (side: Side, scene: Object3D): string => {
    const names: string[] = [];
    scene.traverse((object) => {
      names.push(`${nameOf(side, object)} in ${object.parent === null ? '' : nameOf(side, object.parent)}`);
    });
    return names.join(', ');
  };
  plain.scenes.forEach((scene, i) => {
    const [wanted, found] = [tell(plain, scene), tell(fast, fast.scenes[i])];
    if (wanted !== found) throw new Difference('tree', `must be ${wanted}, is ${found}`);
  });
}

function nameOf(side: Side, object: Object3D): string {
  if (object === side.camera) return 'camera';
  return side.numbers.has(object) ? object.name : `${object.name}, which nobody knows`;
}

/** Fails unless all indices, once disposed, have left objects with the properties that they have without. */
export function checkLeftovers({ plain, fast }: { plain: Side; fast: Side }): void {
  const tell = (object: Object3D): string =>
    ownNames(object)
      .map((name) => [name, Object.getOwnPropertyDescriptor(object, name) as PropertyDescriptor] as const)
      .map(([name, { get, enumerable }]) => `${name}${get ? ' by a getter' : ''}${enumerable ? '' : ' hidden'}`)
      .sort()
      .join() + (typeof object.matrixWorldNeedsUpdate === 'boolean' ? '' : ' flag');
  [...plain.scenes, ...plain.objects].forEach((object, i) => {
    const other = [...fast.scenes, ...fast.objects][i];
    const [wanted, found] = [tell(object), tell(other)];
    if (wanted !== found) throw new Difference('leftovers', `${object.name} must have ${wanted}, has ${found}`);
    if (Object.keys(object.layers).join() !== Object.keys(other.layers).join()) {
      throw new Difference('leftovers', `on the layers of ${object.name}: ${Object.keys(other.layers)}`);
    }
  });
}
