import { type Object3D, Raycaster } from 'three';
import type { PointerAt } from '../control/Pointer.js';
import type { IndexNode } from '../measure/NodeTree.js';
import { nodeVerdict } from '../measure/nodeVerdict.js';
import type { Settings } from '../state/Settings.js';
import type { NodeCard, NodeFacts, NodeStep } from '../ui/NodeCard.js';
import { number } from '../ui/parts/format.js';
import type { LoadedWorld } from '../views/LoadedWorld.js';
import type { Views } from '../views/Views.js';
import type { CurrentNodes } from './CurrentNodes.js';

const raycaster = new Raycaster();

/** The node under the pointer in the view from above, and the one that a click keeps. */
export class NodeInspection {
  readonly #views: Views;
  readonly #nodes: CurrentNodes;
  readonly #card: NodeCard;
  readonly #pick: (object: Object3D) => void;
  #world: LoadedWorld | null = null;
  #shown: IndexNode | null = null;
  #isKept = false;

  constructor(views: Views, nodes: CurrentNodes, card: NodeCard, pick: (object: Object3D) => void) {
    this.#views = views;
    this.#nodes = nodes;
    this.#card = card;
    this.#pick = pick;
    card.onStep = (step) => this.#step(step);
    card.onClose = () => this.close();
  }

  open(loaded: LoadedWorld | null): void {
    this.#world = loaded;
    this.close();
  }

  close(): void {
    this.#isKept = false;
    this.#show(null);
  }

  /** @param isTime Whether nodes and verdicts may be computed again: in moving worlds they change with each frame. */
  hover(at: PointerAt | null, settings: Settings, isTime: boolean): void {
    const { isStale } = this.#nodes;
    if (this.#isKept) {
      // The structure changed: this node is no more.
      if (isStale && this.#shown?.objects[0] && isTime) this.#keep(this.#holderOf(this.#shown.objects[0]));
      else if (this.#shown && isTime) this.#card.sayVerdict(this.#verdictOf(this.#shown));
      return;
    }
    if (!at || settings.nodes === 'none') {
      if (this.#shown) this.#show(null);
      return;
    }
    if (isStale && this.#nodes.last && !isTime) return;
    const node = this.#under(at, settings);
    if (node !== this.#shown || isStale) this.#show(node);
    else if (node && isTime) this.#card.sayVerdict(this.#verdictOf(node));
  }

  /** Keeps the node at a point of the view from above, with its items. */
  keep(at: PointerAt, settings: Settings): void {
    this.#keep(settings.nodes === 'none' ? null : this.#under(at, settings));
    if (this.#isKept) this.#card.focus();
  }

  /** Keeps the node that holds an object. */
  keepHolderOf(object: Object3D): void {
    this.#keep(this.#holderOf(object));
    if (this.#isKept) this.#card.focus();
  }

  #holderOf(object: Object3D): IndexNode | null {
    return this.#nodes.tree?.holderOf(object) ?? null;
  }

  #keep(node: IndexNode | null): void {
    this.#isKept = node !== null;
    this.#show(node);
  }

  #step(step: NodeStep): void {
    const node = this.#shown;
    const tree = this.#nodes.last;
    if (!node || !tree) return;
    if (step === 'parent') this.#show(node.parent ?? node);
    else if (step === 'child') this.#show(node.children[0] ?? node);
    else this.#show(tree.neighbour(node, step === 'next' ? 1 : -1));
  }

  #under({ ndc, pane }: PointerAt, { minLevel, maxLevel }: Settings): IndexNode | null {
    raycaster.setFromCamera(ndc, this.#views.cameraOf(pane));
    return this.#nodes.tree?.under(raycaster.ray, minLevel, maxLevel) ?? null;
  }

  #show(node: IndexNode | null): void {
    this.#shown = node;
    this.#views.markNode(node?.box ?? null);
    this.#card.show(node && this.#factsOf(node), this.#isKept);
  }

  #verdictOf(node: IndexNode): string {
    return nodeVerdict(node, this.#views.player.camera);
  }

  #factsOf(node: IndexNode): NodeFacts {
    const { world } = this.#world!;
    return {
      depth: node.depth,
      facts: [
        ['Items in the node', number(node.objects.length)],
        ['In and below it', number(node.below)],
        ['Child nodes', number(node.children.length)],
      ],
      verdict: this.#verdictOf(node),
      items: this.#isKept
        ? node.objects.map((object) => ({ title: world.describe(object).title, pick: () => this.#pick(object) }))
        : [],
    };
  }
}
