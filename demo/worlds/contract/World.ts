import type { Box3, Object3D, Ray, Vector3 } from 'three';
import type { SceneIndex } from '../../../src/index.js';
import type { FrameResult } from '../../measure/FrameResult.js';
import type { Drawing } from '../../views/drawings/Drawing.js';
import type { CustomView } from './CustomView.js';
import type { Report } from './Report.js';

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

/** Where the autopilot goes: a closed curve, at an even pace. */
export interface Route {
  eyes: Vector3[];
  seconds: number;
  /** Looks at this point, or else ahead along the curve, this share of it, and down by so much. */
  lookAt?: Vector3;
  ahead?: number;
  dip?: number;
}

/** A scene to be indexed, and how both views draw it. A new world is named in catalogue.ts. */
export interface World {
  /** What the index follows. */
  readonly root: Object3D;
  /** Subtrees at rest, declared static. */
  readonly staticObjects: readonly Object3D[];
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
  /** Where a ray hits nothing, what appears nearest to the pointer is meant, within so many pixels. */
  readonly tolerance?: number;
  /** The player's view is dark in the light theme, too: it is night there. */
  readonly night?: boolean;
  /** For a player who walks on the ground: how far above and behind it the eye is. Without it, the player flies. */
  readonly boom?: { up: number; back: number };
  readonly above: Drawing;
  /** Whose data it is, where that must be said. */
  readonly credit: string;
  /** Given, it is shown instead of all that is said above. */
  readonly customView?: CustomView;

  /**
   * Moves what moves by itself, on by so many seconds: 0 while time stands still, many at once where a fixed time is asked
   * for. Called each frame before the index follows.
   */
  step?(seconds: number): void;
  /** Asks the index what this world wants to know, each frame after culling. `player`: where the player is, and looks. */
  query?(index: SceneIndex, result: FrameResult, player: PlayerPose): void;
  /** What the instruments tell of it, some times a second. */
  report?(): Report;
  /** A value of its own controls was changed, or one of its buttons pressed. */
  onControlChanged?(control: string): void;
  /** Keeps the player where one can be; without it, above the ground. */
  confine?(position: Vector3): void;

  /** For the player's view: in true colours, or in those of the classes. */
  playerDrawing(classColours: boolean): Drawing;
  describe(object: Object3D): Description;
  /** How far a ray goes before something ends it that is drawn but not indexed. */
  horizon?(ray: Ray): number;
  /** Adds a new object standing on the point; without it, none can be added. */
  add?(point: Vector3): Object3D;
  remove(object: Object3D): void;
  dispose(): void;
}

/** Where the player stands or flies, and the way ahead, one unit long. */
export interface PlayerPose {
  readonly position: Vector3;
  readonly ahead: Vector3;
}
