import {
  type AnimationClip,
  AnimationMixer,
  DirectionalLight,
  HemisphereLight,
  type Object3D,
  PerspectiveCamera,
  REVISION,
  Scene,
  WebGLRenderer,
} from 'three';
import { Autopilot } from '../../control/Autopilot.js';
import type { Route } from '../contract/World.js';
import { LENS } from './closeRoute.js';
import { contentsOf } from './contents.js';
import { frameCosts } from './frameCosts.js';
import type { KitModel } from './kit.js';
import { modelReport } from './modelReport.js';

/** Small, so that a slow graphics card does not hold up what is measured: the work of the CPU. */
const WIDTH = 160;
const HEIGHT = 90;
/** Places on the route, and small steps from each: cameras move on, they seldom jump. */
const PLACES = 4;
const STEPS = 3;
const FRAMES = PLACES * STEPS;
/** The share of the route that a step is: one of 60 a second. */
const STEP = 1 / 3600;

/** About so long a visitor waits. */
const SECONDS = 6;

interface Options {
  route: Route;
  signal: AbortSignal;
  onProgress: (share: number) => void;
}

/** Draws a model by a renderer of its own in all modes, its animations played, and returns the report as Markdown. */
export async function measureModel(root: Object3D, model: KitModel, options: Options): Promise<string> {
  const { route, signal, onProgress } = options;
  const { animations } = model;
  const renderer = new WebGLRenderer({ powerPreference: 'high-performance' });
  renderer.setSize(WIDTH, HEIGHT, false);
  const scene = litScene(root);
  const camera = new PerspectiveCamera(LENS.fov, LENS.aspect, LENS.near, LENS.far);
  const pilot = new Autopilot(route);
  const mixer = play(root, animations);
  const seconds = Math.max(0, ...animations.map(({ duration }) => duration));
  const path = (share: number) => {
    const frame = Math.round(share * FRAMES);
    const step = STEP * (frame % STEPS);
    pilot.jump(camera, (Math.floor(frame / STEPS) / PLACES + step) * route.seconds);
    mixer?.setTime(share * seconds);
  };
  try {
    const flight = { renderer, scene, camera, path, frames: FRAMES, seconds: SECONDS, signal, onProgress };
    const costs = await frameCosts(flight);
    return `${modelReport(contentsOf(root), costs, model)}\n${colophon(renderer)}\n`;
  } finally {
    // Puts everything where it was.
    mixer?.stopAllAction();
    root.removeFromParent();
    renderer.dispose();
    renderer.forceContextLoss();
  }
}

function litScene(root: Object3D): Scene {
  const sun = new DirectionalLight('#fff2dc', 2);
  sun.position.set(0.55, 0.8, 0.45);
  return new Scene().add(sun, new HemisphereLight('#dfeaf2', '#5b5a4c', 1.5), root);
}

/** Plays all animations of a model at once; null for none. */
export function play(root: Object3D, animations: readonly AnimationClip[]): AnimationMixer | null {
  if (animations.length === 0) return null;
  const mixer = new AnimationMixer(root);
  for (const clip of animations) mixer.clipAction(clip).play();
  return mixer;
}

function colophon(renderer: WebGLRenderer): string {
  const context = renderer.getContext();
  const names = context.getExtension('WEBGL_debug_renderer_info');
  const name = names ? String(context.getParameter(names.UNMASKED_RENDERER_WEBGL)) : 'WebGL';
  return `Measured with three-scene-index and three r${REVISION} at ${WIDTH} × ${HEIGHT} pixels on ${name.replaceAll('|', '/')}.`;
}
