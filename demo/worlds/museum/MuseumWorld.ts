import { Box3, Color, Group, MathUtils, type Mesh, type Object3D, Vector3 } from 'three';
import type { AcceleratedScene } from '../../../src/index.js';
import type { MuseumValues } from '../../state/controls/worldControls.js';
import type { Mode } from '../../state/Settings.js';
import { byId } from '../../ui/parts/element.js';
import { number, reliableTime } from '../../ui/parts/format.js';
import { type Drawing, still } from '../../views/drawings/Drawing.js';
import { Drawings } from '../../views/drawings/Drawings.js';
import type { Palette } from '../../views/stage/palette.js';
import type { Report, Row } from '../contract/Report.js';
import type { Colour, Description, PlayerFrame, Pose, Route, World } from '../contract/World.js';
import { describeObject } from '../model/modelWorld.js';
import { Difference } from './Difference.js';
import { Hall } from './Hall.js';
import { Leveling } from './Leveling.js';
import { HALF, heightAt } from './land.js';
import { Making } from './Making.js';
import { LevelDots, MuseumMap } from './MuseumMap.js';
import { LOOK_AT, ROUND } from './plan.js';
import { loadScans, type Scan } from './scans.js';
import { terrain } from './Terrain.js';
import { Woods } from './Woods.js';

/** The ways to draw it, and what they are called. */
const WAYS = [
  ['levels', 'Levels'],
  ['batched', 'Batched'],
  ['three', 'Plain three'],
] as const;
/** The colours of what is drawn in full, and by finer and coarser levels: none of those of the classes. */
const COLOURS = ['near', 'area', 'range', 'candidate'] as const;
/** A flyer stays so far above the ground, and below the height. */
const ABOVE_GROUND = 0.6;
const HIGHEST = 90;

/** Loads the scans, and builds the museum around them. */
export async function museumWorld(values: MuseumValues): Promise<World> {
  return new MuseumWorld(values, await loadScans());
}

/**
 * A museum in the woods: scans with textures of their own, instanced trees, and land of one mesh. All of it has more triangles
 * than one sees, and levels of detail made in the page.
 */
class MuseumWorld implements World {
  readonly root = new Group();
  readonly route: Route = { seconds: 150, eyes: [...ROUND], lookAt: LOOK_AT };
  readonly follow = true;
  readonly overview: Pose = { eye: new Vector3(0, 130, 95), target: new Vector3(0, 0, -12) };
  readonly bounds = new Box3(new Vector3(-HALF, -20, -HALF), new Vector3(HALF, HIGHEST, HALF));
  readonly speed = 6;
  readonly near = 0.3;
  readonly ground = 0;
  readonly classes: readonly Colour[] = [
    ['All triangles', COLOURS[0]],
    ['Levels 1, 2', COLOURS[1]],
    ['Levels 3, 4', COLOURS[2]],
    ['Coarser', COLOURS[3]],
    ['Culled', 'culled'],
  ];
  readonly above: Drawing;
  readonly #values: MuseumValues;
  readonly #land = terrain();
  readonly #woods: Woods;
  readonly #hall: Hall;
  readonly #leveling: Leveling;
  readonly #making = new Making();
  readonly #difference = new Difference();
  readonly #map = new MuseumMap();
  readonly #dots: LevelDots;
  readonly #player: Drawing;
  #mode: Mode = 'levels';
  readonly #tints = COLOURS.map(() => new Color());

  constructor(values: MuseumValues, scans: ReadonlyMap<string, Scan>) {
    this.#values = values;
    this.#woods = new Woods(values.trees);
    this.#hall = new Hall(scans);
    this.root.name = 'Grounds';
    this.root.add(this.#land, this.#woods.object, this.#hall.object);
    this.root.updateMatrixWorld(true);
    this.#leveling = new Leveling(values, this.#hall.scans, this.#land);
    this.#dots = new LevelDots(this.#leveling);
    this.#dots.objects = this.#hall.scans;
    this.#tell();
    byId('player').append(this.#making.element, this.#difference.caption);
    this.above = new Drawings([this.#map, this.#dots]);
    this.#player = new Drawings([still(this.root), still(this.#difference.object)]);
  }

  get staticObjects(): readonly Object3D[] {
    return [this.root];
  }

  get drawingIndex(): AcceleratedScene | null {
    return this.#leveling.index;
  }

  step(): void {
    // Until the next picture by levels: plain three has none.
    this.#difference.hide();
    this.#making.show(0, 0);
  }

  drawPlayer(frame: PlayerFrame, draw: (update?: () => void) => number): number {
    if (this.#values.show === 'difference' && frame.mode !== 'three') this.#difference.draw(frame);
    this.#mode = frame.mode;
    const calls = this.#leveling.draw(frame, draw);
    this.#leveling.sort(frame);
    const { made, waiting } = this.#leveling.made;
    if (frame.mode === 'levels') this.#making.show(made, waiting);
    if (this.#values.show === 'levels') this.#tint();
    return calls;
  }

  report(): Report {
    const { triangles, gpu, gpuTimer } = this.#leveling;
    const all: Record<Mode, number | null> = { ...triangles, three: this.#leveling.plainTriangles };
    const drawn = (mode: Mode): string => (all[mode] === null ? '–' : number(all[mode]));
    return {
      title: 'Drawn per frame',
      figure: drawn(this.#mode),
      unit: 'triangles',
      rows: [
        ...WAYS.map(([mode, label]): Row => [label, drawn(mode)]),
        ...WAYS.filter(() => gpuTimer.isSupported).map(
          ([mode, label]): Row => [`GPU, ${label.toLowerCase()}`, reliableTime(gpu[mode])],
        ),
      ],
    };
  }

  onControlChanged(control: string): void {
    if (control === 'trees') {
      this.#woods.plant(this.#values.trees);
      this.#tell();
    }
    if (control === 'show') this.#untint();
    for (const meter of Object.values(this.#leveling.gpu)) meter.reset();
  }

  confine(position: Vector3): void {
    const x = MathUtils.clamp(position.x, -HALF, HALF);
    const z = MathUtils.clamp(position.z, -HALF, HALF);
    position.set(x, MathUtils.clamp(position.y, heightAt(x, z) + ABOVE_GROUND, HIGHEST), z);
  }

  playerDrawing(classColours: boolean): Drawing {
    if (classColours) return this.above;
    return { ...still(this.#player.object), paint: (palette) => this.#paint(palette) };
  }

  describe(object: Object3D): Description {
    return describeObject(object, this.root, 1);
  }

  remove(object: Object3D): void {
    object.removeFromParent();
    this.#dots.drop(object);
    this.#tell();
  }

  dispose(): void {
    this.#leveling.dispose();
    this.#making.element.remove();
    this.#difference.dispose();
    this.above.dispose();
    this.#woods.dispose();
    this.#hall.dispose();
    this.#land.geometry.dispose();
    this.#land.material.dispose();
  }

  /** Says which meshes are there, after some were replaced. */
  #tell(): void {
    const meshes: Mesh[] = [...this.#hall.scans, ...this.#woods.meshes, this.#land];
    this.#leveling.meshes = meshes.filter(({ parent }) => parent !== null);
    this.#map.trees = this.#woods.meshes;
  }

  /** Gives each scan the colour of its level. */
  #tint(): void {
    this.#leveling.shown.forEach((list, share) => {
      for (const scan of list as Scan[]) this.#hall.tint(scan, this.#tints[share]!);
    });
  }

  #untint(): void {
    for (const scan of this.#hall.scans) this.#hall.tint(scan, null);
  }

  #paint(palette: Palette): void {
    for (const [i, name] of COLOURS.entries()) this.#tints[i]!.copy(palette[name]);
  }
}
