import type { Object3D, Scene } from 'three';
import { type AcceleratedScene, accelerate, createIndex, SceneIndex } from '../../src/index.js';
import { indexOptions, type Settings } from './Settings.js';

/** An index of a scene, of the structure and with the options that the settings name. */
export function makeSceneIndex(root: Object3D, settings: Settings): SceneIndex {
  return new SceneIndex(root, { structure: createIndex(settings.structure, indexOptions(settings)) });
}

/** Accelerates a scene by such an index. */
export function accelerateScene(scene: Scene, settings: Settings, keepShadows: boolean): AcceleratedScene {
  return accelerate(scene, { structure: createIndex(settings.structure, indexOptions(settings)), keepShadows });
}

/** Gives an index the structure and the options of the settings. */
export function applyStructure(index: SceneIndex, settings: Settings): void {
  index.setStructure(createIndex(settings.structure, indexOptions(settings)));
}

/** Equal for settings that ask for equal indices. */
export function structureKey(settings: Settings): string {
  return JSON.stringify([settings.structure, indexOptions(settings)]);
}
