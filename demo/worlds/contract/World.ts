import type { Box3, Object3D, PerspectiveCamera, Raycaster, Scene, Vector3, WebGLRenderer } from 'three';
import type { AcceleratedScene, SceneIndex } from '../../../src/index.js';
import type { FrameResult } from '../../measure/FrameResult.js';
import type { Mode } from '../../state/Settings.js';
import type { Drawing } from '../../views/drawings/Drawing.js';
import type { Palette } from '../../views/stage/palette.js';
import type { CustomView } from './CustomView.js';
import type { PickAct } from './PickAct.js';
import type { Report } from './Report.js';

/** Facts about an object, for the card. */
export interface Description {
  title: string;
  where: string;
  facts: [name: string, value: string][];
}

/** A colour of a world's own: what it marks, and its name in style/tokens.css. */
export type Colour = readonly [label: string, name: string];

export interface Pose {
  eye: Vector3;
  target: Vector3;
}

/** The route of the autopilot: a closed curve, flown at constant speed. */
export interface Route {
  eyes: Vector3[];
  seconds: number;
  /** The point to look at; without it, a point ahead on the curve by this share of it, lowered by `dip`. */
  lookAt?: Vector3;
  ahead?: number;
  dip?: number;
}

/**
 * A scene to index, and how both views draw it. New worlds are listed in state/catalogue.ts and worlds/loadWorld.ts.
 */
export interface World {
  /** What the index follows. */
  readonly root: Object3D;
  /** Copies of it, which the player's view draws as well, and which neither the index of the page nor the map has. */
  readonly copies?: Object3D;
  /** Subtrees at rest, declared static. */
  readonly staticObjects: readonly Object3D[];
  readonly route: Route;
  /** The first pose of the view from above, relative to the player if `follow`. */
  readonly overview: Pose;
  /** Whether the view from above travels with the player. */
  readonly follow: boolean;
  readonly bounds: Box3;
  /** Units a second. */
  readonly speed: number;
  readonly near: number;
  /** Whether the sun of the player's view throws shadows. */
  readonly hasShadows?: boolean;
  /** Height of the ground where no object is hit. */
  readonly ground: number;
  /** If a pick hits nothing, the object nearest to the pointer counts, within so many pixels. */
  readonly tolerance?: number;
  /** Given for a player who walks: how far the camera is above and behind. Without it the player flies. */
  readonly boom?: { up: number; back: number };
  readonly above: Drawing;
  /** Said in the pane of the view from above. */
  aboveCaption?(): string;
  /** Given where one drawing draws all numbered objects: of how many triangles each, and a sentence that says so. */
  readonly swarm?: { readonly triangles: number; readonly how: string };
  /** Colours of the player's view that it has in place of the page's. */
  readonly palette?: Partial<Palette>;
  /** The colours of both views besides those of the classes. */
  readonly colours?: readonly Colour[];
  /** What both views tell apart in place of the classes. */
  readonly classes?: readonly Colour[];
  /** The index that draws the player's view, of worlds that draw it in ways of their own; null before the first frame. */
  readonly drawingIndex?: AcceleratedScene | null;
  /** Replaces the views that the properties above describe. */
  readonly customView?: CustomView;
  /** Lies over the views; the world takes it away when it is disposed of. */
  readonly overlay?: HTMLElement;

  /**
   * Advances the world by so many seconds: 0 while paused, many at once to reach a given time. Called each frame before
   * the index updates.
   */
  step?(seconds: number): void;
  /** Runs the queries of this world, each frame after culling. */
  query?(index: SceneIndex, result: FrameResult, player: PlayerPose): void;
  /** The report for the instruments, read several times a second. */
  report?(): Report;
  /** Called after one of its controls changed or one of its buttons was pressed. */
  onControlChanged?(control: string): void;
  /** Moves the player back to a legal position; without it the player stays above the ground. */
  confine?(position: Vector3): void;

  /**
   * Draws a frame of the player's view in a way of its own. Without it, all in the frustum is drawn.
   * @param draw Draws the world's drawing, by plain three where the mode says so, and returns its draw calls. It is timed
   * together with `update`.
   */
  drawPlayer?(frame: PlayerFrame, draw: (update?: () => void) => number): number;

  /** The drawing of the player's view, in true colours or in class colours. */
  playerDrawing(classColours: boolean): Drawing;
  describe(object: Object3D): Description;
  /** Finds the first hit of a ray, where this is no object that the index knows. `has` tells whether it is still there. */
  pick?(raycaster: Raycaster): { object: Object3D; distance: number } | null;
  has?(object: Object3D): boolean;
  /** Called when such an object is hidden or shown again. */
  setShown?(object: Object3D, isShown: boolean): void;
  /** Why one cannot do something with the objects of this world; null where one can. */
  whyNot?(act: PickAct): string | null;
  /** Whether an object moves by itself. */
  moves?(object: Object3D): boolean;
  /** Adds a new object standing on the point; without it, none can be added. */
  add?(point: Vector3): Object3D;
  remove(object: Object3D): void;
  dispose(): void;
}

/** A frame of the player's view. */
export interface PlayerFrame {
  /** What is drawn: the world's drawing lies in it from the first frame on. */
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
  readonly renderer: WebGLRenderer;
  readonly result: FrameResult;
  readonly mode: Mode;
}

/** Position of the player, and the unit vector of the view. */
export interface PlayerPose {
  readonly position: Vector3;
  readonly ahead: Vector3;
}
