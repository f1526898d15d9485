import { METHODS, type MethodId } from '../../worlds/collisions/setup/methods.js';
import { SCENES, type SceneName, type Setup } from '../../worlds/collisions/setup/scenes.js';
import { button, choice, range, type Values } from './Control.js';

const scenes = Object.fromEntries(
  (Object.keys(SCENES) as SceneName[]).map((name) => [SCENES[name].title, name]),
) as Record<string, SceneName>;
const methods = Object.fromEntries(METHODS.map(({ id, title }) => [title, id])) as Record<string, MethodId>;

/** Objects the page offers at least, and at most. */
export const FEWEST = 100;
export const MOST = 100_000;

/** What can be changed of the comparison, on the panel and in the address of the page. */
export const COLLISION_CONTROLS = {
  scene: choice<SceneName>('World', 'boxes', scenes),
  dimensions: choice<'2' | '3'>('Dimensions', '2', { '2D': '2', '3D': '3' }),
  /** 0: the number that the scene is designed for. */
  objects: range('Objects (0: by world)', 0, [0, MOST]),
  method: choice<MethodId>('Method', 'quadtree-loose', methods),
  trialFrames: range('Frames of a run', 60, [1, 300]),
  runAll: button('Run all methods (R)'),
  rampLimit: range('Ramp: ms a frame', 100, [1, 500]),
  rampMost: range('Ramp: objects at most', 200_000, [FEWEST, 500_000]),
  ramp: button('Start the ramp (L)'),
};

export type CollisionValues = Values<typeof COLLISION_CONTROLS>;

export function setupOf({ scene, dimensions, objects }: CollisionValues): Setup {
  const count = objects === 0 ? SCENES[scene].count : Math.max(FEWEST, Math.round(objects));
  return { scene, dimensions: dimensions === '3' ? 3 : 2, count };
}
