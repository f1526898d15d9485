export type SceneName = 'boxes' | 'corner' | 'rectangles';

/** What a run starts from. Equal setups make equal bodies. */
export interface Setup {
  scene: SceneName;
  /** 2: all bodies lie in the XZ plane, without height. */
  dimensions: 2 | 3;
  count: number;
}

export interface Scene {
  title: string;
  /** Number of bodies unless a visitor asks for another. */
  count: number;
  /** Bodies at most: more would find millions of pairs in a frame, which only fill the memory. */
  most: number;
  /** Width of the world. */
  side: number;
  /** Share of the width within which bodies start, in the corner of least coordinates. */
  start: number;
  /** Greatest speed along each axis, units a second. */
  speed: number;
  /** Rectangles of many sizes, turned about the vertical; else boxes of 1 x 1 x 1. */
  turned: boolean;
}

export const SCENES: Record<SceneName, Scene> = {
  boxes: { title: 'Boxes', count: 2000, most: 140_000, side: 100, start: 1, speed: 8, turned: false },
  corner: { title: 'One corner', count: 2000, most: 140_000, side: 1000, start: 0.1, speed: 40, turned: false },
  rectangles: { title: 'Rectangles', count: 100, most: 15_000, side: 20, start: 1, speed: 1.2, turned: true },
};

/** Rectangles are turned in the plane, so they stay in it. */
export function dimensionsOf({ scene, dimensions }: Setup): 2 | 3 {
  return SCENES[scene].turned ? 2 : dimensions;
}
