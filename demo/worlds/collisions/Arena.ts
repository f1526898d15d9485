import {
  BoxGeometry,
  EdgesGeometry,
  GridHelper,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MOUSE,
  PerspectiveCamera,
  Plane,
  type Ray,
  Raycaster,
  Scene,
  TOUCH,
  type Vector2,
  Vector3,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { SceneIndexHelper } from '../../../src/index.js';
import { Hits, IdList } from '../../../src/standalone.js';
import { Pointer } from '../../control/Pointer.js';
import { LEVELS } from '../../state/controls/pageControls.js';
import type { Settings } from '../../state/Settings.js';
import { isLight } from '../../state/theme.js';
import { element } from '../../ui/parts/element.js';
import { disposeTree } from '../../views/drawings/Drawing.js';
import { paletteOf } from '../../views/stage/palette.js';
import type { Stage } from '../../views/stage/Stage.js';
import { BodySwarm, CANDIDATE, COLLIDING, HOVERED } from './BodySwarm.js';
import type { Bodies } from './simulation/Bodies.js';
import type { Comparison } from './simulation/Comparison.js';
import type { Candidates, MethodRun, Region } from './simulation/MethodRun.js';

const UP = new Vector3(0, 1, 0);
/** Fields along a side of the ground. */
const FIELDS = 10;
/** Share of the view that stays free round the world. */
const MARGIN = 1.13;
/** Nodes of more bodies are too small to be seen. */
const NODES_UP_TO = 20_000;
/** Part of the width that a region covers. */
const REGION = 0.2;

const raycaster = new Raycaster();

/**
 * The view of the bodies, where they are pointed at and added: in two dimensions from straight above, in three from a
 * corner.
 */
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
  readonly #comparison: Comparison;
  readonly #pointer: Pointer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(30, 1, 0.1, 1000);
  readonly #controls = new OrbitControls(this.#camera, this.pane);
  readonly #swarm = new BodySwarm();
  readonly #grid = new GridHelper(1, FIELDS, '#ffffff', '#ffffff');
  readonly #walls = new LineSegments(new EdgesGeometry(new BoxGeometry()), new LineBasicMaterial());
  readonly #region = new LineSegments(new EdgesGeometry(new BoxGeometry()), new LineBasicMaterial());
  readonly #film = new Mesh(new BoxGeometry(), new MeshBasicMaterial({ transparent: true, opacity: 0.1 }));
  #nodes: SceneIndexHelper | null = null;
  readonly #plane = new Plane();
  readonly #point = new Vector3();
  readonly #ids = new IdList();
  readonly #hits = new Hits();
  #states = new Uint8Array(0);
  #isLight: boolean | null = null;
  /** The world that the camera was placed for, and the shape of the view. */
  #side = 0;
  #isFlat = false;
  #aspect = 0;
  #isMoved = false;

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
    this.pane.append(this.caption);
    this.#pointer = new Pointer([this.pane], ({ ndc }) => this.#add(ndc));
    // Arrows move this view, not a player.
    this.pane.addEventListener('keydown', (event) => event.key.startsWith('Arrow') && event.stopPropagation());
    const controls = this.#controls;
    controls.enableDamping = true;
    controls.zoomToCursor = true;
    controls.maxPolarAngle = 0.49 * Math.PI;
    controls.listenToKeyEvents(this.pane);
    controls.keyPanSpeed = 24;
    controls.addEventListener('start', () => {
      this.#isMoved = true;
    });
    for (const [order, part] of [this.#grid, this.#walls, this.#film, this.#region].entries()) {
      // Ground and walls are drawn below everything, the region above it.
      const isRegion = order > 1;
      part.renderOrder = isRegion ? 20 + order : order - 10;
      part.material.depthWrite = false;
      part.material.depthTest = !isRegion;
      part.frustumCulled = false;
      this.#scene.add(part);
    }
    this.#scene.add(this.#swarm.object);
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
    const { bodies, methodRun } = this.#comparison;
    const camera = this.#camera;
    this.#paint(isLight(settings.theme));
    if (!stage.aim(this.pane, camera)) return;
    this.#fit(bodies, camera.aspect);
    this.#controls.update();
    this.#mark(methodRun, candidates);
    this.#swarm.show(bodies, this.#states);
    this.#showNodes(settings);
    this.#showRegion(region);
    stage.draw(this.pane, this.#scene, camera);
  }

  dispose(): void {
    this.#controls.dispose();
    this.#nodes?.dispose();
    this.#swarm.dispose();
    disposeTree(this.#scene);
  }

  #paint(light: boolean): void {
    if (light === this.#isLight) return;
    this.#isLight = light;
    const palette = paletteOf(light);
    this.#scene.background = palette.backdrop;
    this.#grid.material.color.copy(palette.grid);
    this.#walls.material.color.copy(palette.culled);
    this.#region.material.color.copy(palette.hovered);
    this.#film.material.color.copy(palette.candidate);
    this.#swarm.paint(palette);
  }

  /** Adapts to the size of the world, and shows all of it unless the user moved the camera. */
  #fit({ side, dimensions }: Bodies, aspect: number): void {
    const flat = dimensions === 2;
    if (side !== this.#side || flat !== this.#isFlat) this.#isMoved = false;
    else if (this.#isMoved || aspect === this.#aspect) return;
    this.#side = side;
    this.#isFlat = flat;
    this.#aspect = aspect;
    this.#grid.scale.setScalar(side);
    this.#grid.position.y = flat ? 0 : -side / 2;
    this.#walls.scale.set(side, flat ? 1e-6 : side, side);
    const [camera, controls] = [this.#camera, this.#controls];
    const half = flat ? side / 2 : 0.86 * side;
    const distance = (MARGIN * half) / Math.tan((camera.fov * Math.PI) / 360) / Math.min(1, aspect);
    const way = flat ? new Vector3(0, 1, 1e-4) : new Vector3(0.42, 0.36, 0.83);
    camera.position.copy(way.setLength(distance));
    camera.near = side / 1000;
    camera.far = 4 * distance + 2 * side;
    camera.updateProjectionMatrix();
    controls.target.set(0, 0, 0);
    controls.minDistance = 0.02 * side;
    controls.maxDistance = 3 * distance;
    // In 2D a drag pans.
    controls.enableRotate = !flat;
    controls.mouseButtons.LEFT = flat ? MOUSE.PAN : MOUSE.ROTATE;
    controls.touches.ONE = flat ? TOUCH.PAN : TOUCH.ROTATE;
  }

  /** Marks the bodies that collide, that are candidates and that lie under the pointer. */
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

  /** Draws the nodes of the current method; they are slow to draw, so not while times are measured. */
  #showNodes({ nodes, bounds, minLevel, maxLevel }: Settings): void {
    const { bodies, methodRun, trial, ramp } = this.#comparison;
    const isQuiet = trial !== null || ramp !== null || nodes === 'none' || bodies.count > NODES_UP_TO;
    if (!methodRun || isQuiet) {
      if (this.#nodes) this.#nodes.visible = false;
      return;
    }
    if (this.#nodes?.index !== methodRun.index) {
      this.#nodes?.dispose();
      this.#nodes = new SceneIndexHelper(methodRun.index, { inset: 0.012 });
      this.#nodes.material.depthTest = !this.#isFlat;
      this.#nodes.material.opacity = this.#isFlat ? 0.45 : 0.3;
      this.#nodes.renderOrder = 10;
      this.#scene.add(this.#nodes);
    }
    const maxDepth = maxLevel >= LEVELS ? Number.POSITIVE_INFINITY : maxLevel;
    const lightness = this.#isLight ? 0.42 : 0.6;
    Object.assign(this.#nodes, { bounds, minDepth: minLevel, maxDepth, lightness, visible: true });
    this.#nodes.update();
  }

  #showRegion(region: Region | null): void {
    for (const part of [this.#region, this.#film]) {
      part.visible = region !== null;
      if (!region) continue;
      const [x0, y0, z0, x1, y1, z1] = region;
      part.position.set((x0 + x1) / 2, this.#isFlat ? 0 : (y0 + y1) / 2, (z0 + z1) / 2);
      part.scale.set(x1 - x0, this.#isFlat ? 1e-6 : y1 - y0, z1 - z0);
    }
  }

  /** The bodies under a point of the pane: all of them in the plane, in space the first. */
  #under(methodRun: MethodRun, ndc: Vector2): number[] {
    const { index, bodies, bodyOf } = methodRun;
    if (bodies.dimensions === 3) {
      const { origin, direction } = this.#rayAt(ndc);
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
      const normal = this.#camera.getWorldDirection(new Vector3());
      this.#plane.setFromNormalAndCoplanarPoint(normal, this.#controls.target);
      at = this.#rayAt(ndc).intersectPlane(this.#plane, this.#point);
    }
    const half = bodies.side / 2;
    if (at && Math.max(Math.abs(at.x), Math.abs(at.y), Math.abs(at.z)) <= half) this.#comparison.add(at.x, at.y, at.z);
  }

  /** Where a point of the pane lies on the ground; null above the horizon. */
  #onGround(ndc: Vector2): Vector3 | null {
    const { bodies } = this.#comparison;
    this.#plane.set(UP, bodies.dimensions === 3 ? bodies.side / 2 : 0);
    return this.#rayAt(ndc).intersectPlane(this.#plane, this.#point);
  }

  /** The ray through a point of the pane, from -1 to 1. */
  #rayAt(ndc: Vector2): Ray {
    this.#camera.updateMatrixWorld();
    raycaster.setFromCamera(ndc, this.#camera);
    return raycaster.ray;
  }
}
