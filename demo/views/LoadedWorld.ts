import type { Object3D } from 'three';
import { type SceneIndex, SceneIndexHelper, stats } from '../../src/index.js';
import type { WorldName } from '../state/catalogue.js';
import { makeSceneIndex } from '../state/chosenIndex.js';
import { LEVELS } from '../state/controls/pageControls.js';
import type { Settings } from '../state/Settings.js';
import type { World } from '../worlds/contract/World.js';

/** A world with its index, and the helpers that draw its nodes in both views. */
export class LoadedWorld {
  readonly name: WorldName;
  readonly world: World;
  readonly index: SceneIndex;
  readonly playerNodes: SceneIndexHelper;
  readonly aboveNodes: SceneIndexHelper;
  #facts = { followed: 0, nodes: 0, height: 0 };
  #factsVersion = -1;

  constructor(name: WorldName, world: World, settings: Settings) {
    this.name = name;
    this.world = world;
    this.index = makeSceneIndex(world.root, settings);
    for (const object of world.staticObjects) this.index.setStatic(object);
    this.playerNodes = new SceneIndexHelper(this.index, { opacity: 0.35 });
    this.aboveNodes = new SceneIndexHelper(this.index, { opacity: 0.4 });
    this.showNodes(settings);
  }

  /** Whether an object is still there. */
  has(object: Object3D): boolean {
    return this.world.has?.(object) ?? this.index.has(object);
  }

  showNodes({ nodes, bounds, minLevel, maxLevel, planar }: Settings): void {
    this.playerNodes.visible = nodes === 'both';
    this.aboveNodes.visible = nodes !== 'none';
    for (const helper of [this.playerNodes, this.aboveNodes]) {
      helper.bounds = bounds;
      helper.flat = planar;
      helper.minDepth = minLevel;
      helper.maxDepth = maxLevel >= LEVELS ? Number.POSITIVE_INFINITY : maxLevel;
    }
  }

  lightenNodes(lightness: number): void {
    for (const helper of [this.playerNodes, this.aboveNodes]) helper.lightness = lightness;
  }

  updateNodes(): void {
    if (this.playerNodes.visible) this.playerNodes.update();
    if (this.aboveNodes.visible) this.aboveNodes.update();
  }

  /** Size and shape of the tree, counted again after a change. */
  get facts(): { followed: number; nodes: number; height: number } {
    if (this.index.version !== this.#factsVersion) {
      this.#factsVersion = this.index.version;
      const { tracked, nodes, height } = stats(this.index);
      this.#facts = { followed: tracked, nodes, height };
    }
    return this.#facts;
  }

  dispose(): void {
    this.playerNodes.dispose();
    this.aboveNodes.dispose();
    this.index.dispose();
    this.world.dispose();
  }
}
