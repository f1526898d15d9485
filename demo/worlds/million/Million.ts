import { BatchedMesh, Box3, Color, DirectionalLight, Fog, HemisphereLight, Object3D, Vector3 } from 'three';
import { Meter } from '../../measure/Meter.js';
import type { MillionValues } from '../../state/controls/worldControls.js';
import { FrameGauges } from '../../ui/parts/FrameGauges.js';
import { number } from '../../ui/parts/format.js';
import type { NumberedMesh } from '../../views/drawings/NumberedMesh.js';
import { RenderComparison } from '../../views/RenderComparison.js';
import { SceneView } from '../../views/SceneView.js';
import type { Colour, World } from '../contract/World.js';
import { describeObject } from '../model/modelWorld.js';
import { boxOf, galaxyOf, MILLION_ROUTE, RADIUS } from './Galaxy.js';
import { GalaxyDots, MOST } from './GalaxyDots.js';

const SPACE = new Color('#04060b');
/** Triangles of a box. */
const TRIANGLES = 12;
/** Updates before each of the first frames: half a millisecond of each goes into the index of the instances. */
const UPDATES = 20;
const FIRST_FRAMES = 100;

/** A million boxes in one mesh, drawn by an index of them or by plain three. */
export class Million extends SceneView implements World {
  readonly root = new Object3D();
  readonly staticObjects = [];
  readonly route = MILLION_ROUTE;
  readonly overview = { eye: new Vector3(0, 1.9 * RADIUS, 1.7 * RADIUS), target: new Vector3(0, 0, 0.1 * RADIUS) };
  readonly follow = false;
  readonly bounds = new Box3().setFromCenterAndSize(new Vector3(), new Vector3().setScalar(2 * RADIUS));
  readonly speed = 60;
  readonly ground = -RADIUS;
  readonly swarm = { triangles: TRIANGLES, how: 'All instances in view are drawn in a single draw call of the mesh.' };
  readonly above = new GalaxyDots();
  readonly classes: readonly Colour[] = [
    ['In view', 'inside'],
    ['Culled', 'culled'],
    ['Picked', 'picked'],
  ];
  readonly aboveCaption = () => `From above, ${number(MOST)} dots at most`;
  readonly #values: MillionValues;
  readonly #pickTime = new Meter();
  #galaxy: BatchedMesh | null = null;
  #frames = 0;
  #boxes = 0;

  constructor(values: MillionValues) {
    const gauges = new FrameGauges('million', ['index', 'three'], 'Instances drawn', 'Pick under the pointer', {
      total: 'Instances',
    });
    super(new RenderComparison(plainTwin), gauges, 0.5);
    this.#values = values;
    const sun = new DirectionalLight('#fff3df', 2.4);
    sun.position.set(300, 500, 200);
    this.scene.add(new HemisphereLight('#c8d4ff', '#3a2c4a', 1.6), sun);
    this.scene.background = SPACE;
    this.onControlChanged();
  }

  onControlChanged(): void {
    const { instances } = this.#values;
    this.#galaxy?.removeFromParent().dispose();
    this.#galaxy = galaxyOf(instances);
    // It is drawn first of all that has triangles.
    this.#galaxy.onAfterRender = ({ info }) => {
      this.#boxes = info.render.triangles / TRIANGLES;
    };
    this.scene.add(this.#galaxy);
    this.above.take(this.#galaxy, instances);
    this.#frames = 0;
    this.reset();
  }

  readonly pick: NonNullable<World['pick']> = (raycaster) => {
    const hits = this.#pickTime.time(() => raycaster.intersectObject(this.scene));
    const hit = hits.find(({ object }) => object === this.#galaxy);
    const id = hit?.batchId;
    return id === undefined ? null : { object: boxOf(this.#galaxy!, id), distance: hit!.distance };
  };

  readonly has = (object: Object3D) => (object as NumberedMesh).number < this.#values.instances;
  readonly whyNot = () => 'An instance is no object of the scene: the mesh as a whole is drawn and removed.';
  readonly describe = (object: Object3D) => ({ ...describeObject(object, object, 1), where: 'Instance of a mesh' });
  remove(): void {}

  override dispose(): void {
    super.dispose();
    this.above.dispose();
    this.#galaxy!.dispose();
  }

  protected paint(_: boolean, far: number): void {
    this.scene.fog = new Fog(SPACE, 0.3 * far, 0.98 * far);
  }

  protected prepare(): void {
    this.above.aim(this.camera);
    if (this.#frames++ < FIRST_FRAMES) for (let i = 0; i < UPDATES; i++) this.scene.updateMatrixWorld();
  }

  protected drawn(): number {
    return this.#boxes;
  }

  protected writeOwn(): void {
    const { mean } = this.#pickTime;
    this.gauges.put('own', mean > 0 ? number(1000 * mean) : '–', 'µs, all hits');
    this.gauges.write('total', number(this.#values.instances));
  }
}

/** The same mesh, drawn by three's own methods whatever is put on it. */
function plainTwin(mesh: Object3D): Object3D {
  if (!(mesh instanceof BatchedMesh)) return mesh;
  const { _updateDrawParameters, onBeforeRender } = BatchedMesh.prototype as unknown as Record<string, unknown>;
  return Object.assign(Object.create(mesh), { _updateDrawParameters, onBeforeRender });
}
