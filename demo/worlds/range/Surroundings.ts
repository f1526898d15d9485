import { MathUtils, Matrix3, Matrix4, type Object3D, Sphere, Vector3 } from 'three';
import type { ObjectDistance, SceneIndex } from '../../../src/index.js';
import { OrientedBox, Sector } from '../../../src/standalone.js';
import { Meter } from '../../measure/Meter.js';
import type { RangeValues } from '../../state/controls/worldControls.js';
import { MARKED, NumberedMesh } from '../../views/drawings/NumberedMesh.js';
import type { PlayerPose } from '../contract/World.js';

/** Marks. An entity keeps the last one. */
const IN_RANGE = MARKED;
const IN_AREA = MARKED + 1;
const NEAREST = MARKED + 2;

/** Half the height of the box of a skill: above all heads. */
const HALF_HEIGHT = 2;

/** The entities around the player: within range, in the area of the skill, and nearest. */
export class Surroundings {
  /** By number of the entity. */
  readonly marks: Uint8Array;
  readonly position = new Vector3();
  /** Which way the player looks along the ground: radians from -z, to the left. */
  heading = 0;
  inRange = 0;
  inArea = 0;
  /** Nearest first. */
  readonly nearest: ObjectDistance[] = [];
  readonly time = new Meter();
  readonly #sphere = new Sphere();
  readonly #found: Object3D[] = [];
  readonly #area: Object3D[] = [];

  constructor(count: number) {
    this.marks = new Uint8Array(count);
  }

  update(index: SceneIndex, player: PlayerPose, values: RangeValues): void {
    const { marks, position } = this;
    position.copy(player.position);
    this.heading = Math.atan2(-player.ahead.x, -player.ahead.z);
    marks.fill(0);
    this.time.time(() => {
      index.querySphere(this.#sphere.set(position, values.reach), this.#found);
      this.#queryArea(index, values);
      if (values.nearest > 0) index.nearest(position, values.nearest, Number.POSITIVE_INFINITY, this.nearest);
      else this.nearest.length = 0;
    });
    // The position itself is within range: the index only compared the box.
    const distance = ({ x, z }: Vector3) => Math.hypot(x - position.x, z - position.z);
    const within = this.#found.filter((object) => distance(object.position) <= values.reach);
    const nearest = this.nearest.map(({ object }) => object);
    this.inRange = mark(marks, within, IN_RANGE);
    this.inArea = mark(marks, this.#area, IN_AREA);
    mark(marks, nearest, NEAREST);
  }

  /** Finds the entities whose boxes touch the area. */
  #queryArea(index: SceneIndex, { skill, length, angle, width }: RangeValues): void {
    const { heading, position } = this;
    const direction = new Vector3(-Math.sin(heading), 0, -Math.cos(heading));
    this.#area.length = 0;
    if (skill === 'sector') {
      const sector = { center: position, direction, radius: length, angle: MathUtils.degToRad(angle) };
      index.queryShape(new Sector(sector), this.#area);
    } else if (skill === 'box') {
      const center = position.clone().addScaledVector(direction, length / 2);
      const halfSize = new Vector3(width / 2, HALF_HEIGHT, length / 2);
      const { elements } = new Matrix3().setFromMatrix4(new Matrix4().makeRotationY(heading));
      index.queryShape(new OrientedBox(center, halfSize, elements), this.#area);
    }
  }
}

/** Marks entities, and counts them. */
function mark(marks: Uint8Array, objects: readonly Object3D[], kind: number): number {
  const entities = objects.filter((object) => object instanceof NumberedMesh);
  for (const { number } of entities) marks[number] = kind;
  return entities.length;
}
