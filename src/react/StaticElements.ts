import type { Instance } from '@react-three/fiber';
import type { Object3D } from 'three';
import type { AcceleratedScene } from '../render/accelerate.js';

/** Frames in which a changed element is looked at: effects of its component may come after the first. */
const SETTLING = 2;

/**
 * The elements of React at and below a static object. Finds those that came, went or got other props since the last frame,
 * and touches their objects.
 *
 * fiber keeps a tree of instances, one for each element, geometries and materials included. An instance that got other
 * props has another object of props, or the same one in fiber before 9.7, which calls `onUpdate` then. So a look is a walk
 * over this tree that compares references.
 */
export class StaticElements {
  readonly #index: AcceleratedScene;
  readonly #top: Object3D;
  /** The instances in the order of the walk, with the props of each, and the object that shows it. */
  #instances: Instance[] = [];
  #props: unknown[] = [];
  #objects: (Object3D | null)[] = [];
  /** Place of the walk. */
  #at = 0;
  /** Objects that changed, with the frames in which each is still to be touched. */
  readonly #unsettled = new Map<Object3D, number>();
  #isOver = false;

  constructor(index: AcceleratedScene, top: Object3D) {
    this.#index = index;
    this.#top = top;
    this.#list();
    this.#unsettled.clear();
  }

  /** Touches what changed. Call it once a frame, before the picture. */
  look(): void {
    const top = instanceOf(this.#top);
    this.#at = 0;
    if (top === undefined || !this.#visit(top) || this.#at < this.#instances.length) this.#list();
    for (const [object, frames] of this.#unsettled) {
      this.#index.touch(object);
      if (frames > 1) this.#unsettled.set(object, frames - 1);
      else this.#unsettled.delete(object);
    }
  }

  end(): void {
    this.#isOver = true;
    this.#unsettled.clear();
  }

  /** Finds other props at and below an instance; false when instances came or went. */
  #visit(instance: Instance): boolean {
    const at = this.#at++;
    if (this.#instances[at] !== instance) return false;
    if (this.#props[at] !== instance.props) {
      this.#props[at] = this.#watch(instance);
      this.#unsettle(this.#objects[at]);
    }
    for (const child of instance.children) if (!this.#visit(child)) return false;
    return true;
  }

  /** Lists all instances anew; finds those that came, went or got other props. */
  #list(): void {
    const known = new Map(this.#instances.map((instance, at) => [instance, at]));
    const [props, objects] = [this.#props, this.#objects];
    this.#instances = [];
    this.#props = [];
    this.#objects = [];
    const add = (instance: Instance): void => {
      const at = known.get(instance);
      known.delete(instance);
      const object = objectOf(instance);
      const isSame = at !== undefined && props[at] === instance.props;
      if (!isSame) this.#unsettle(object);
      this.#instances.push(instance);
      this.#props.push(isSame ? instance.props : this.#watch(instance));
      this.#objects.push(object);
      for (const child of instance.children) add(child);
    };
    const top = instanceOf(this.#top);
    if (top !== undefined) add(top);
    // Something may have lost its geometry.
    for (const at of known.values()) this.#unsettle(objects[at]);
  }

  /** Has fiber before 9.7 tell of other props, after it told the user; returns the props of the instance. */
  #watch({ props }: Instance): unknown {
    const own = props.onUpdate as OnUpdate | undefined;
    const note: OnUpdate = (updated) => {
      own?.(updated);
      const instance = instanceOf(updated);
      if (instance !== undefined) this.#unsettle(objectOf(instance));
    };
    props.onUpdate = note;
    return props;
  }

  #unsettle(object: Object3D | null): void {
    if (object !== null && !this.#isOver) this.#unsettled.set(object, SETTLING);
  }
}

type OnUpdate = (updated: object) => void;

function instanceOf(object: object): Instance | undefined {
  return (object as { __r3f?: Instance }).__r3f;
}

/** The object of an instance; of a geometry or material, that which has it. */
function objectOf(instance: Instance): Object3D | null {
  for (let i: Instance | null = instance; i !== null; i = i.parent) if (i.object?.isObject3D) return i.object;
  return null;
}
