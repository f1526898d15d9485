import { Camera, type Intersection, type Object3D, Raycaster, Scene } from 'three';
import { type AcceleratedScene, accelerate, type SceneIndexOptions } from 'three-scene-index';
import { createIndex, type SpatialIndex } from 'three-scene-index/core';
import { SceneIndexTab } from 'three-scene-index/inspector';
import { Interest } from 'three-scene-index/interest';
import { Bvh, accelerate as sameInOneFile } from 'three-scene-index/three-scene-index.min.js';

export const options: SceneIndexOptions = { structure: createIndex('octree', { planar: true }) };
export const index: AcceleratedScene = accelerate(new Scene(), { batch: true });
export const seen: Object3D[] = index.queryBox({} as never);
export const hit: Intersection | null = index.raycastFirst(new Raycaster());
export const boxes: SpatialIndex = createIndex('packed');
export const inOneFile: [typeof accelerate, SpatialIndex] = [sameInOneFile, new Bvh()];
export const observed: number = new Interest(boxes).observe({ radius: 1 }).inView.length;
export const tab: SceneIndexTab = new SceneIndexTab(index, new Camera());
// @ts-expect-error: types are strict.
export const wrong: string = index.size;
