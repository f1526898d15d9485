import { Box3, type BufferGeometry, type InstancedMesh, type Mesh, type Object3D } from 'three';
import { explain } from '../../src/index.js';
import { isShown } from '../control/Picking.js';
import type { FrameResult } from '../measure/FrameResult.js';
import { classOfBox } from '../measure/nodeVerdict.js';
import { modesOf, type WorldName } from '../state/catalogue.js';
import type { Mode, Settings } from '../state/Settings.js';
import type { ActChoice, PickFacts } from '../ui/PickCard.js';
import { number } from '../ui/parts/format.js';
import { NumberedMesh } from '../views/drawings/NumberedMesh.js';
import type { LoadedWorld } from '../views/LoadedWorld.js';
import type { Views } from '../views/Views.js';
import type { PickAct } from '../worlds/contract/PickAct.js';

const NAMES = { inside: 'Inside', intersecting: 'Intersecting', culled: 'Culled' };

/** The ways to draw in batches. */
const BATCHED: ReadonlySet<Mode> = new Set(['both', 'levels', 'batched']);

const box = new Box3();

/** What is known of the objects of a world, and what the user did to them: hidden, static, drawn by themselves. */
export class PickedObject {
  /** Called with the number of objects that the user has hidden. */
  onHidden: (count: number) => void = () => {};
  readonly #views: Views;
  readonly #settings: Settings;
  readonly #hidden = new Set<Object3D>();
  /** Subtrees that were declared static, or not, most recently. */
  #resting = new Map<Object3D, boolean>();
  #alone = new Set<Object3D>();
  #loaded: LoadedWorld | null = null;

  constructor(views: Views, settings: Settings) {
    this.#views = views;
    this.#settings = settings;
  }

  open(loaded: LoadedWorld | null): void {
    this.#loaded = loaded;
    this.#resting = new Map(loaded?.world.staticObjects.map((object) => [object, true]));
    this.#alone = new Set();
    this.#hidden.clear();
    this.onHidden(0);
  }

  /** What the card says about an object. `depth`: of the node that holds it. */
  factsOf(object: Object3D, result: FrameResult, depth: number | null): PickFacts {
    const { world } = this.#loaded!;
    const { title, where, facts } = world.describe(object);
    const swarm = object instanceof NumberedMesh ? world.swarm : undefined;
    return {
      title,
      where,
      facts: [
        ['Type', object.type],
        ['Class', ...this.#classOf(object, result)],
        ['Triangles', number(swarm?.triangles ?? trianglesOf(object))],
        ...facts,
      ],
      node: depth === null ? null : `At depth ${depth}`,
      drawn: this.#drawn(object, swarm?.how),
      acts: this.#choices(object),
    };
  }

  /** Does what a button of the card says; true if the object is still there. */
  act(act: PickAct, object: Object3D): boolean {
    const { world } = this.#loaded!;
    if (act === 'hide') this.#show(object, !object.visible);
    else if (act === 'rest') {
      const isStatic = !this.#isStatic(object);
      this.#resting.set(object, isStatic);
      for (const one of this.#indices) one.setStatic(object, isStatic);
    } else if (act === 'alone') {
      const isAlone = !this.#alone.has(object);
      if (isAlone) this.#alone.add(object);
      else this.#alone.delete(object);
      this.#views.drawing?.batch(object, !isAlone);
    } else {
      this.#show(object, true);
      // The index hears of it by the event that three dispatches.
      world.remove(object);
    }
    return this.#loaded!.has(object);
  }

  /** Shows all again that was hidden. */
  showAll(): void {
    for (const object of this.#hidden) this.#show(object, true);
  }

  #show(object: Object3D, isVisible: boolean): void {
    object.visible = isVisible;
    if (isVisible) this.#hidden.delete(object);
    else this.#hidden.add(object);
    this.#loaded!.world.setShown?.(object, isVisible);
    // It may be static.
    for (const index of this.#indices) index.touch(object);
    this.onHidden(this.#hidden.size);
  }

  /** The index of the page, and the one that draws the player's view. */
  get #indices() {
    const { drawing } = this.#views;
    return drawing === null ? [this.#loaded!.index] : [this.#loaded!.index, drawing];
  }

  #isStatic(object: Object3D): boolean {
    for (let above: Object3D | null = object; above; above = above.parent) {
      const isStatic = this.#resting.get(above);
      if (isStatic !== undefined) return isStatic;
    }
    return false;
  }

  #choices(object: Object3D): Record<PickAct, ActChoice> {
    const { world, name } = this.#loaded!;
    const moves = world.moves?.(object) ? 'It moves in every frame, so it cannot be static.' : null;
    const choice = (act: PickAct, label: string, whyNot: string | null): ActChoice => {
      return { label, whyNot: world.whyNot?.(act) ?? whyNot };
    };
    return {
      hide: choice('hide', object.visible ? 'Hide' : 'Show again', null),
      rest: choice('rest', this.#isStatic(object) ? 'Make dynamic' : 'Make static', moves),
      alone: choice(
        'alone',
        this.#alone.has(object) ? 'Draw in a batch' : 'Draw by itself',
        whyNotAlone(name, this.#settings.mode),
      ),
      remove: choice('remove', 'Delete', null),
    };
  }

  #classOf(object: Object3D, { inside, intersecting, hidden }: FrameResult): [value: string, swatch: string] {
    if (!isShown(object)) return ['Culled, as it is hidden', 'culled'];
    if (hidden.includes(object)) return ['Behind others', 'hidden'];
    if (this.#loaded!.world.pick) {
      const swatch = classOfBox(box.setFromObject(object), this.#views.player.camera);
      return [NAMES[swatch], swatch];
    }
    if (inside.includes(object)) return [NAMES.inside, 'inside'];
    if (intersecting.includes(object)) return [NAMES.intersecting, 'intersecting'];
    return [NAMES.culled, 'culled'];
  }

  #drawn(object: Object3D, howInSwarm: string | undefined): string[] {
    const { index } = this.#loaded!;
    const { drawing } = this.#views;
    const { mode } = this.#settings;
    if (howInSwarm && !index.has(object)) return [howInSwarm];
    const drawsByIt = drawing !== null && (BATCHED.has(mode) || mode === 'occlusion');
    const reasons = explain(drawsByIt ? drawing : index, object, this.#views.player.camera);
    const why = reasons.filter((reason) => reason !== 'It is drawn.');
    if (howInSwarm) return [howInSwarm, ...why];
    // A shadow that is kept says nothing of how the object itself is drawn.
    const shadow = why.filter((reason) => reason.startsWith('Its shadow'));
    if (why.length > shadow.length) return why;
    const because =
      hasBatches(this.#loaded!.name) && !BATCHED.has(mode) ? ': batches are drawn where Batched is chosen' : '';
    return [`It is drawn by itself, in a draw call of its own${because}.`, ...shadow];
  }
}

function hasBatches(world: WorldName): boolean {
  return modesOf(world).some((mode) => BATCHED.has(mode));
}

function whyNotAlone(world: WorldName, mode: Mode): string | null {
  if (!hasBatches(world)) return 'This world is not drawn in batches.';
  return BATCHED.has(mode) ? null : 'Every mesh is drawn by itself here. Choose Batched first.';
}

/** The triangles that a mesh is made of; 0 for lines, points and sprites. */
function trianglesOf(object: Object3D): number {
  const { isMesh, geometry } = object as Partial<Mesh>;
  if (!isMesh || !geometry) return 0;
  const { isInstancedMesh, count } = object as Partial<InstancedMesh>;
  return Math.floor(cornersOf(geometry) / 3) * (isInstancedMesh ? count! : 1);
}

function cornersOf({ index, attributes, drawRange }: BufferGeometry): number {
  const all = index?.count ?? attributes.position?.count ?? 0;
  return Math.max(0, Math.min(drawRange.count, all - drawRange.start));
}
