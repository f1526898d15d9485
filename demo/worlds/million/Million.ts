import { Color, DirectionalLight, Fog, HemisphereLight, type Object3D, PerspectiveCamera, type Raycaster } from 'three';
import { Meter } from '../../measure/Meter.js';
import type { MillionValues } from '../../state/controls/millionControls.js';
import type { Settings } from '../../state/Settings.js';
import { byId } from '../../ui/parts/element.js';
import { number, reliableTime } from '../../ui/parts/format.js';
import type { Stage } from '../../views/stage/Stage.js';
import type { CustomView } from '../contract/CustomView.js';
import type { Report } from '../contract/Report.js';
import { type Canvas, pageCanvas, webgpuCanvas } from './canvases.js';
import { Galaxy, PickedBox } from './Galaxy.js';
import { GalaxyDots } from './GalaxyDots.js';
import { HoverPick } from './HoverPick.js';
import { Instruments } from './Instruments.js';
import { TwoWays } from './TwoWays.js';

const NEAR = 0.5;
const SPACE = new Color('#04060b');

/** A million instances in one mesh, drawn by an index of them or by plain three. */
export class Million implements CustomView {
  readonly element = null;
  readonly hasAbove = true;
  readonly above = new GalaxyDots();
  readonly camera = new PerspectiveCamera();
  onValuesChanged = (): void => {};
  readonly #values: MillionValues;
  readonly #pane = byId('player');
  readonly #fog = new Fog(SPACE);
  readonly #lights = [new HemisphereLight('#c8d4ff', '#3a2c4a', 1.6), new DirectionalLight('#fff3df', 2.4)];
  readonly #pick = new HoverPick(this.#pane);
  readonly #instruments = new Instruments();
  readonly #frame = new Meter();
  #galaxy: Galaxy;
  #ways: TwoWays;
  #canvas: Canvas | null = null;
  /** The renderer that was asked for last; another one may be in use until that is there. */
  #asked = '';
  #look = '';

  constructor(values: MillionValues) {
    this.#values = values;
    this.#lights[1]!.position.set(300, 500, 200);
    this.#galaxy = new Galaxy(values.kind, values.instances);
    this.#ways = this.#show();
  }

  get aboveCaption(): string {
    const { step } = this.above;
    return step === 1 ? 'From above' : `From above: a dot for every ${step} boxes`;
  }

  get instruments(): HTMLElement {
    return this.#instruments.element;
  }

  get report(): Report {
    const { index, three } = this.#ways.turns.costs;
    return {
      title: 'A frame',
      figure: number(this.#galaxy.count),
      unit: 'instances',
      rows: [
        ['Drawn, accelerated', number(index.drawn)],
        ['Drawn, plain three', number(three.drawn)],
        ['CPU time, accelerated', reliableTime(index.cpu)],
        ['CPU time, plain three', reliableTime(three.cpu)],
        ['Picked', this.#pick.id === null ? 'none' : number(this.#pick.id)],
        ['Renderer', this.#canvas?.name ?? 'none'],
      ],
    };
  }

  /** The box that a ray hits first. */
  pick(raycaster: Raycaster): { object: PickedBox; distance: number } | null {
    const [hit] = raycaster.intersectObject(this.#ways.scene);
    const number = hit?.instanceId ?? hit?.batchId;
    return number === undefined ? null : { object: new PickedBox(this.#galaxy, number), distance: hit!.distance };
  }

  has(object: Object3D): boolean {
    return object instanceof PickedBox && object.galaxy === this.#galaxy;
  }

  /** Why a box cannot be hidden; null where it can. */
  get whyAllShown(): string | null {
    return this.#values.kind === 'batched' ? null : 'An InstancedMesh draws all its instances. Choose BatchedMesh.';
  }

  valueChanged(control: string): void {
    if (control === 'instances' || control === 'kind') {
      this.#ways.dispose();
      this.#galaxy.dispose();
      this.#galaxy = new Galaxy(this.#values.kind, this.#values.instances);
      this.#ways = this.#show();
    }
    this.#ways.minPixels = this.#values.minPixels;
    this.#reset();
  }

  frame(stage: Stage, settings: Settings, milliseconds: number, updateNumbers: boolean): boolean {
    this.#choose(stage);
    this.#paint(settings);
    if (milliseconds > 0) this.#frame.add(milliseconds, settings.mode);
    const canvas = this.#canvas;
    if (canvas === null || !stage.aim(this.#pane, this.camera)) return canvas === null;
    const { scene } = this.#ways;
    this.above.aim(this.camera);
    this.#pick.cast(scene, this.#galaxy.mesh, this.camera);
    this.#ways.draw(settings.mode, (drawn) => canvas.draw(drawn, this.camera), canvas.whenDone);
    if (updateNumbers) {
      const { count } = this.#galaxy;
      this.#instruments.show(settings.mode, this.#ways, count, canvas, this.#pick, this.#frame);
    }
    // Another renderer may be on its way.
    return canvas.kind !== this.#values.renderer;
  }

  dispose(): void {
    this.#asked = '';
    this.#canvas?.dispose();
    this.#ways.dispose();
    this.above.dispose();
    this.#galaxy.dispose();
    this.#pick.dispose();
    for (const light of this.#lights) light.dispose();
    this.instruments.remove();
  }

  #show(): TwoWays {
    this.above.galaxy = this.#galaxy;
    const ways = new TwoWays(this.#galaxy.mesh, [...this.#lights, this.#pick.object], this.#fog);
    ways.background = SPACE;
    ways.minPixels = this.#values.minPixels;
    return ways;
  }

  /** Goes over to the renderer that is asked for, once it is there. */
  #choose(stage: Stage): void {
    const { renderer } = this.#values;
    if (renderer === this.#asked) return;
    this.#asked = renderer;
    const take = (canvas: Canvas): void => {
      // The user may have gone on meanwhile.
      if (this.#asked === renderer) {
        this.#canvas?.dispose();
        this.#canvas = canvas;
        this.#reset();
      } else canvas.dispose();
    };
    if (renderer === 'webgl') take(pageCanvas(stage, this.#pane));
    else void webgpuCanvas(stage, this.#pane).then(take);
  }

  #paint({ fov, far }: Settings): void {
    const look = [fov, far].join();
    if (look === this.#look) return;
    this.#look = look;
    this.#fog.near = 0.3 * far;
    this.#fog.far = 0.98 * far;
    Object.assign(this.camera, { fov, near: NEAR, far });
    this.camera.updateProjectionMatrix();
    this.#reset();
  }

  #reset(): void {
    this.#ways.turns.reset();
    this.#frame.reset();
    this.#pick.time.reset();
  }
}
