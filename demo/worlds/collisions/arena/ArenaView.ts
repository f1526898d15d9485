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
  Raycaster,
  Scene,
  TOUCH,
  type Vector2,
  Vector3,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { SceneIndexHelper } from '../../../../src/index.js';
import { disposeTree } from '../../../views/drawings/Drawing.js';
import { paletteOf } from '../../../views/stage/palette.js';
import type { Bodies } from '../simulation/Bodies.js';
import type { MethodRun, Region } from '../simulation/MethodRun.js';
import { BodySwarm } from './BodySwarm.js';

/** Fields along a side of the ground. */
const FIELDS = 10;
/** Share of the view that stays free round the world. */
const MARGIN = 1.13;

/** Nodes of a method to be drawn. */
export interface NodesShown {
  bounds: 'content' | 'cell';
  minDepth: number;
  maxDepth: number;
}

/** The world of the bodies: in two dimensions from straight above, in three from a corner. */
export class ArenaView {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(30, 1, 0.1, 1000);
  readonly controls: OrbitControls;
  readonly swarm = new BodySwarm();
  readonly #grid = new GridHelper(1, FIELDS, '#ffffff', '#ffffff');
  readonly #walls = new LineSegments(new EdgesGeometry(new BoxGeometry()), new LineBasicMaterial());
  readonly #region = new LineSegments(new EdgesGeometry(new BoxGeometry()), new LineBasicMaterial());
  readonly #film = new Mesh(new BoxGeometry(), new MeshBasicMaterial({ transparent: true, opacity: 0.1 }));
  #helper: SceneIndexHelper | null = null;
  #side = 0;
  #flat = false;
  #aspect = 0;
  #moved = false;
  #lightness = 0.6;

  constructor(pane: HTMLElement) {
    this.controls = new OrbitControls(this.camera, pane);
    this.controls.enableDamping = true;
    this.controls.zoomToCursor = true;
    this.controls.maxPolarAngle = 0.49 * Math.PI;
    this.controls.listenToKeyEvents(pane);
    this.controls.keyPanSpeed = 24;
    this.controls.addEventListener('start', () => {
      this.#moved = true;
    });
    for (const [order, part] of [this.#grid, this.#walls].entries()) {
      part.material.depthWrite = false;
      part.renderOrder = order - 10;
    }
    for (const [order, part] of [this.#film, this.#region].entries()) {
      part.material.depthTest = false;
      part.material.depthWrite = false;
      part.renderOrder = 20 + order;
      part.visible = false;
    }
    for (const part of [...this.#parts, this.swarm.object]) {
      part.frustumCulled = false;
      this.scene.add(part);
    }
  }

  paint(light: boolean): void {
    const palette = paletteOf(light);
    this.scene.background = palette.backdrop;
    this.#grid.material.color.copy(palette.grid);
    this.#walls.material.color.copy(palette.culled);
    this.#region.material.color.copy(palette.hovered);
    this.#film.material.color.copy(palette.candidate);
    this.swarm.paint(palette);
    this.#lightness = light ? 0.42 : 0.6;
  }

  /** Adapts to the size of the world, and shows all of it unless the user moved the camera. */
  fit(bodies: Bodies, aspect: number): void {
    const flat = bodies.dimensions === 2;
    if (bodies.side !== this.#side || flat !== this.#flat) this.#moved = false;
    else if (this.#moved || aspect === this.#aspect) return;
    const { side } = bodies;
    this.#side = side;
    this.#flat = flat;
    this.#aspect = aspect;
    this.#grid.scale.setScalar(side);
    this.#walls.scale.set(side, flat ? 1e-6 : side, side);
    this.#grid.position.y = flat ? 0 : -side / 2;
    const { camera, controls } = this;
    const half = flat ? side / 2 : 0.86 * side;
    const distance = (MARGIN * half) / Math.tan((camera.fov * Math.PI) / 360) / Math.min(1, aspect);
    const way = flat ? new Vector3(0, 1, 1e-4) : new Vector3(0.42, 0.36, 0.83);
    controls.target.set(0, 0, 0);
    camera.position.copy(way.normalize().multiplyScalar(distance));
    camera.near = side / 1000;
    camera.far = 4 * distance + 2 * side;
    controls.minDistance = 0.02 * side;
    controls.maxDistance = 3 * distance;
    // In 2D a drag pans.
    controls.enableRotate = !flat;
    controls.mouseButtons = { LEFT: flat ? MOUSE.PAN : MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    controls.touches = { ONE: flat ? TOUCH.PAN : TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
    controls.screenSpacePanning = true;
    controls.update();
    camera.updateProjectionMatrix();
  }

  /** Draws the nodes of the current method, or none. */
  showNodes(methodRun: MethodRun | null, shown: NodesShown | null): void {
    if (!methodRun || !shown) {
      if (this.#helper) this.#helper.visible = false;
      return;
    }
    if (this.#helper?.index !== methodRun.index) {
      this.#helper?.dispose();
      this.#helper = new SceneIndexHelper(methodRun.index, { inset: 0.012 });
      this.#helper.material.depthTest = !this.#flat;
      this.#helper.material.opacity = this.#flat ? 0.45 : 0.3;
      this.#helper.renderOrder = 10;
      this.scene.add(this.#helper);
    }
    Object.assign(this.#helper, shown, { lightness: this.#lightness, visible: true });
    this.#helper.update();
  }

  showRegion(region: Region | null): void {
    for (const part of [this.#region, this.#film]) {
      part.visible = region !== null;
      if (!region) continue;
      const [x0, y0, z0, x1, y1, z1] = region;
      part.position.set((x0 + x1) / 2, this.#flat ? 0 : (y0 + y1) / 2, (z0 + z1) / 2);
      part.scale.set(x1 - x0, this.#flat ? 1e-6 : y1 - y0, z1 - z0);
    }
  }

  get #parts() {
    return [this.#grid, this.#walls, this.#region, this.#film];
  }

  /** The ray through a point of the pane, from -1 to 1. */
  rayAt(ndc: Vector2): Raycaster['ray'] {
    this.camera.updateMatrixWorld();
    raycaster.setFromCamera(ndc, this.camera);
    return raycaster.ray;
  }

  dispose(): void {
    this.controls.dispose();
    this.#helper?.dispose();
    this.swarm.dispose();
    disposeTree(this.scene);
  }
}

const raycaster = new Raycaster();
