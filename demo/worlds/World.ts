import type { Box3, Object3D, Ray, Vector3 } from 'three';
import type { SceneIndex } from '../../src/index.js';
import type { WorldName } from '../state/Settings.js';
import type { Drawing } from '../views/Drawing.js';

/** What can be told about an object: its title, where it belongs, and further facts. */
export interface Description {
  title: string;
  where: string;
  facts: [name: string, value: string][];
}

export interface Pose {
  eye: Vector3;
  target: Vector3;
}

/** Where the autopilot flies: a closed curve, at an even pace. */
export interface Route {
  eyes: Vector3[];
  seconds: number;
  /** Looks at this point, or else ahead along the curve, this share of it, and down by so much. */
  lookAt?: Vector3;
  ahead?: number;
  dip?: number;
}

/** A scene to be indexed, and how both views draw it. */
export interface World {
  readonly name: WorldName;
  /** What the index follows. */
  readonly root: Object3D;
  /** Subtrees at rest, declared static. */
  readonly resting: readonly Object3D[];
  /** Moves what moves by itself. */
  readonly animate: (seconds: number) => void;
  readonly route: Route;
  /** The first look from above; from where the player starts, if it follows. */
  readonly overview: Pose;
  /** Whether the view from above travels with the player. */
  readonly follow: boolean;
  readonly bounds: Box3;
  /** Units a second. */
  readonly speed: number;
  readonly near: number;
  /** Height of the ground where no object is hit. */
  readonly ground: number;
  readonly above: Drawing;
  /** Whose data it is, where that must be said. */
  readonly credit: string;

  /** For the player's view: in true colours, or in those of the classes. */
  playerDrawing(classColours: boolean): Drawing;
  describe(object: Object3D): Description;
  /** The object meant where a ray hits nothing: places thinner than a pixel need it. `tolerance`: angle per pixel. */
  nearRay?(index: SceneIndex, ray: Ray, tolerance: number): Object3D | null;
  /** Adds a new object standing on the point. */
  place(point: Vector3): Object3D;
  take(object: Object3D): void;
  dispose(): void;
}
