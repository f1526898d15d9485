import { Plane, type Vector2, Vector3 } from 'three';
import { Hits, IdList } from '../../../../src/standalone.js';
import { Pointer } from '../../../control/Pointer.js';
import { LEVELS } from '../../../state/controls/pageControls.js';
import type { Settings } from '../../../state/Settings.js';
import { isLight } from '../../../state/theme.js';
import { element } from '../../../ui/parts/element.js';
import type { Stage } from '../../../views/stage/Stage.js';
import type { Comparison } from '../simulation/Comparison.js';
import type { Candidates, MethodRun, Region } from '../simulation/MethodRun.js';
import { ArenaView } from './ArenaView.js';
import { CANDIDATE, COLLIDING, HOVERED } from './BodySwarm.js';

const UP = new Vector3(0, 1, 0);
/** Nodes of more bodies are too small to be seen. */
const NODES_UP_TO = 20_000;
/** Part of the width that a region covers. */
const REGION = 0.2;

/** The view of the bodies, where they are pointed at and added. */
export class Arena {
  readonly pane = element('div', {
    class: 'pane arena',
    id: 'arena',
    role: 'application',
    tabindex: '0',
    'aria-label': 'Moving objects. Drag to move or turn the view, click to add an object.',
  });
  /** Whether a region is searched, whose candidates are shown. */
  hasRegion = false;
  readonly caption = element('p', { class: 'caption' });
  readonly #view = new ArenaView(this.pane);
  readonly #pointer: Pointer;
  readonly #comparison: Comparison;
  readonly #plane = new Plane();
  readonly #point = new Vector3();
  readonly #ids = new IdList();
  readonly #hits = new Hits();
  #states = new Uint8Array(0);
  #light: boolean | null = null;

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
    this.pane.append(this.caption);
    this.#pointer = new Pointer([this.pane], ({ ndc }) => this.#add(ndc));
    // Arrows move this view, not a player.
    this.pane.addEventListener('keydown', (event) => event.key.startsWith('Arrow') && event.stopPropagation());
  }

  /** The region to search: round the pointer, in the middle of the world without one; null for none. */
  get region(): Region | null {
    if (!this.hasRegion) return null;
    const { hover } = this.#pointer;
    const half = this.#comparison.bodies.side / 2;
    const { x, z } = (hover && this.#onGround(hover.ndc)) ?? { x: 0, z: 0 };
    const within = (value: number) => Math.max(-half, Math.min(half, value));
    const reach = REGION * half;
    return [within(x - reach), -half, within(z - reach), within(x + reach), half, within(z + reach)];
  }

  /** Draws the bodies as they are now, red where they collide. */
  draw(stage: Stage, settings: Settings, region: Region | null, candidates: Candidates | null): void {
    const { bodies, methodRun, trial, ramp } = this.#comparison;
    const view = this.#view;
    const light = isLight(settings.theme);
    if (light !== this.#light) view.paint(light);
    this.#light = light;
    if (!stage.aim(this.pane, view.camera)) return;
    view.fit(bodies, view.camera.aspect);
    view.controls.update();
    this.#mark(methodRun, candidates);
    view.swarm.show(bodies, this.#states);
    const { bounds, minLevel, maxLevel, nodes } = settings;
    // Nodes are slow to draw, so not while times are measured.
    const quiet = trial !== null || ramp !== null || nodes === 'none' || bodies.count > NODES_UP_TO;
    const maxDepth = maxLevel >= LEVELS ? Number.POSITIVE_INFINITY : maxLevel;
    view.showNodes(methodRun, quiet ? null : { bounds, minDepth: minLevel, maxDepth });
    view.showRegion(region);
    stage.draw(this.pane, view.scene, view.camera);
  }

  dispose(): void {
    this.#view.dispose();
  }

  #mark(methodRun: MethodRun | null, candidates: Candidates | null): void {
    const { bodies } = this.#comparison;
    if (this.#states.length < bodies.count) this.#states = new Uint8Array(2 * bodies.count);
    const states = this.#states.fill(0);
    if (!methodRun) return;
    const { bodyOf, found } = methodRun;
    for (let i = 0; i < 2 * found.length; i++) states[bodyOf[found.ids[i]]] = COLLIDING;
    for (const body of candidates?.bodies ?? []) states[body] |= CANDIDATE;
    const { hover } = this.#pointer;
    if (hover) for (const body of this.#under(methodRun, hover.ndc)) states[body] |= HOVERED;
  }

  /** The bodies under a point of the pane: all of them in the plane, in space the first. */
  #under(methodRun: MethodRun, ndc: Vector2): number[] {
    const { index, bodies, bodyOf } = methodRun;
    if (bodies.dimensions === 3) {
      const { origin, direction } = this.#view.rayAt(ndc);
      index.raycastFirst({ origin: origin.toArray(), direction: direction.toArray() }, this.#hits);
      return this.#hits.length > 0 ? [bodyOf[this.#hits.ids[0]]] : [];
    }
    const at = this.#onGround(ndc);
    if (!at) return [];
    return index
      .queryPoint(at.x, 0, at.z, this.#ids)
      .toArray()
      .map((id) => bodyOf[id])
      .filter((body) => bodies.covers(body, at.x, at.z));
  }

  #add(ndc: Vector2): void {
    const { bodies } = this.#comparison;
    let at = this.#onGround(ndc);
    if (bodies.dimensions === 3) {
      // In 3D at the depth of the target, as there is no ground.
      const { camera, controls } = this.#view;
      this.#plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), controls.target);
      at = this.#view.rayAt(ndc).intersectPlane(this.#plane, this.#point);
    }
    const half = bodies.side / 2;
    if (at && Math.max(Math.abs(at.x), Math.abs(at.y), Math.abs(at.z)) <= half) this.#comparison.add(at.x, at.y, at.z);
  }

  /** Where a point of the pane lies on the ground; null above the horizon. */
  #onGround(ndc: Vector2): Vector3 | null {
    const { bodies } = this.#comparison;
    this.#plane.set(UP, bodies.dimensions === 3 ? bodies.side / 2 : 0);
    return this.#view.rayAt(ndc).intersectPlane(this.#plane, this.#point);
  }
}
