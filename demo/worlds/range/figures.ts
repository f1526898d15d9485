import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  ConeGeometry,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineLoop,
  LineSegments,
  MathUtils,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  SphereGeometry,
} from 'three';
import type { RangeValues } from '../../state/controls/worldControls.js';
import { OwnDrawing } from '../../views/drawings/Drawing.js';
import type { Palette } from '../../views/stage/palette.js';
import type { Surroundings } from './Surroundings.js';

/** Points of an outline; the first is the middle of a fan. */
const POINTS = 97;
/** Lines to the nearest, at most. */
const NEAREST = 64;
/** Above the ground, so that it does not flicker. */
const LEVEL = 0.03;

/** Draws the queries on the ground: the circle of the range, the area of the skill, lines to the nearest. */
export class GroundShapes extends OwnDrawing {
  override readonly object = new Group();
  readonly #around: Surroundings;
  readonly #values: RangeValues;
  readonly #circle = new Outline(0.08);
  readonly #area = new Outline(0.18);
  readonly #ends = new BufferAttribute(new Float32Array(6 * NEAREST), 3).setUsage(DynamicDrawUsage);
  readonly #lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  #drawn = '';

  constructor(around: Surroundings, values: RangeValues) {
    super();
    this.#around = around;
    this.#values = values;
    this.#lines = new LineSegments(new BufferGeometry().setAttribute('position', this.#ends), new LineBasicMaterial());
    this.#lines.frustumCulled = false;
    this.object.add(this.#circle.object, this.#area.object, this.#lines);
  }

  override show(): void {
    const { position, heading, nearest } = this.#around;
    this.#shape();
    for (const { object } of [this.#circle, this.#area]) {
      object.position.set(position.x, LEVEL, position.z);
      object.rotation.y = heading;
    }
    const ends = this.#ends;
    nearest.forEach(({ object }, i) => {
      ends.setXYZ(2 * i, position.x, 2 * LEVEL, position.z);
      ends.setXYZ(2 * i + 1, object.position.x, 2 * LEVEL, object.position.z);
    });
    ends.needsUpdate = true;
    this.#lines.geometry.setDrawRange(0, 2 * nearest.length);
    this.object.updateMatrixWorld(true);
  }

  override paint({ range, area, near }: Palette): void {
    this.#circle.paint(range);
    this.#area.paint(area);
    this.#lines.material.color.copy(near);
  }

  /** Draws the outlines anew when a control was changed. */
  #shape(): void {
    const { reach, skill, length, angle, width } = this.#values;
    const wanted = `${reach} ${skill} ${length} ${angle} ${width}`;
    if (wanted === this.#drawn) return;
    this.#drawn = wanted;
    this.#circle.fan(reach, 2 * Math.PI);
    this.#area.object.visible = skill !== 'none';
    if (skill === 'box') this.#area.rectangle(width, length);
    else this.#area.fan(length, MathUtils.degToRad(angle));
  }
}

/** The player as others see it: a cloak and a head, larger than anyone else. */
export class Avatar extends OwnDrawing {
  override readonly object = new Group();
  readonly #around: Surroundings;
  readonly #material = new MeshLambertMaterial({ flatShading: true });

  constructor(around: Surroundings) {
    super();
    this.#around = around;
    for (const shape of [
      new ConeGeometry(0.9, 2.4, 9).translate(0, 1.2, 0),
      new SphereGeometry(0.48, 12, 8).translate(0, 2.5, 0),
    ]) {
      this.object.add(new Mesh(shape, this.#material));
    }
  }

  override show(): void {
    this.object.position.copy(this.#around.position);
    this.object.rotation.y = this.#around.heading;
    this.object.updateMatrixWorld(true);
  }

  override paint({ hovered }: Palette): void {
    this.#material.color.copy(hovered);
  }
}

/** A flat shape around the origin that opens towards -z: a film with a rim. */
class Outline {
  readonly object = new Group();
  readonly #points = new BufferAttribute(new Float32Array(3 * POINTS), 3);
  readonly #film: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly #rim: LineLoop<BufferGeometry, LineBasicMaterial>;

  constructor(opacity: number) {
    const fan = Array.from({ length: POINTS - 2 }, (_, i) => [0, i + 1, i + 2]).flat();
    const film = new BufferGeometry().setAttribute('position', this.#points).setIndex(fan);
    this.#film = new Mesh(film, new MeshBasicMaterial({ transparent: true, opacity, depthWrite: false }));
    const rim = new BufferGeometry().setAttribute('position', this.#points);
    this.#rim = new LineLoop(rim, new LineBasicMaterial());
    for (const part of [this.#film, this.#rim]) {
      part.frustumCulled = false;
      part.renderOrder = -1;
      this.object.add(part);
    }
  }

  paint(colour: Color): void {
    this.#film.material.color.copy(colour);
    this.#rim.material.color.copy(colour);
  }

  /** A sector of a circle; of a whole one the middle is no part of the rim. */
  fan(radius: number, angle: number): void {
    this.#points.setXYZ(0, 0, 0, 0);
    for (let i = 1; i < POINTS; i++) {
      const at = angle * ((i - 1) / (POINTS - 2) - 0.5);
      this.#points.setXYZ(i, -radius * Math.sin(at), 0, -radius * Math.cos(at));
    }
    this.#update(angle < 2 * Math.PI ? 0 : 1, POINTS);
  }

  rectangle(width: number, length: number): void {
    const side = width / 2;
    [0, 0, side, 0, side, -length, -side, -length, -side, 0].forEach((value, i) => {
      this.#points.array[3 * (i >> 1) + 2 * (i & 1)] = value;
    });
    this.#update(0, 5);
  }

  #update(first: number, count: number): void {
    this.#points.needsUpdate = true;
    this.#film.geometry.setDrawRange(0, 3 * (count - 2));
    this.#rim.geometry.setDrawRange(first, count - first);
  }
}
