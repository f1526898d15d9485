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
  Shape,
  ShapeGeometry,
  SphereGeometry,
} from 'three';
import type { RangeValues } from '../../state/controls/worldControls.js';
import { OwnDrawing } from '../../views/drawings/Drawing.js';
import type { Palette } from '../../views/stage/palette.js';
import type { Surroundings } from './Surroundings.js';

/** Halves of the pieces that an arc is drawn in. */
const PIECES = 48;
/** Lines to the nearest, at most. */
const NEAREST = 64;
/** Above the ground, so that it does not flicker. */
const LEVEL = 0.03;

/**
 * Draws the player and the queries on the ground: the circle of the range, the area of the skill, lines to the nearest.
 */
export class Figures extends OwnDrawing {
  override readonly object = new Group();
  readonly #around: Surroundings;
  readonly #values: RangeValues;
  readonly #circle = new Outline(0.08);
  readonly #area = new Outline(0.18);
  readonly #ends = new BufferAttribute(new Float32Array(6 * NEAREST), 3).setUsage(DynamicDrawUsage);
  readonly #lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  /** The player as others see it: a cloak and a head, larger than anyone else. */
  readonly #avatar = new Group();
  readonly #cloth = new MeshLambertMaterial({ flatShading: true });
  #drawn = '';

  constructor(around: Surroundings, values: RangeValues) {
    super();
    this.#around = around;
    this.#values = values;
    this.#lines = new LineSegments(new BufferGeometry().setAttribute('position', this.#ends), new LineBasicMaterial());
    this.#lines.frustumCulled = false;
    const cloak = new ConeGeometry(0.9, 2.4, 9).translate(0, 1.2, 0);
    const head = new SphereGeometry(0.48, 12, 8).translate(0, 2.5, 0);
    this.#avatar.add(new Mesh(cloak, this.#cloth), new Mesh(head, this.#cloth));
    this.object.add(this.#circle.object, this.#area.object, this.#lines, this.#avatar);
  }

  override show(): void {
    const { position, heading, nearest } = this.#around;
    this.#shape();
    for (const object of [this.#circle.object, this.#area.object, this.#avatar]) {
      object.position.set(position.x, object === this.#avatar ? position.y : LEVEL, position.z);
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

  override paint({ range, area, near, hovered }: Palette): void {
    this.#circle.paint(range);
    this.#area.paint(area);
    this.#lines.material.color.copy(near);
    this.#cloth.color.copy(hovered);
  }

  /** Draws the outlines anew when a control was changed. */
  #shape(): void {
    const { reach, skill, length, angle, width } = this.#values;
    const wanted = `${reach} ${skill} ${length} ${angle} ${width}`;
    if (wanted === this.#drawn) return;
    this.#drawn = wanted;
    this.#circle.take(sector(reach, 360));
    this.#area.object.visible = skill !== 'none';
    this.#area.take(skill === 'box' ? rectangle(width, length) : sector(length, angle));
  }
}

/** A flat shape around the origin, its y to -z: a film with a rim. */
class Outline {
  readonly object = new Group();
  readonly #film: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly #rim = new LineLoop(new BufferGeometry(), new LineBasicMaterial());

  constructor(opacity: number) {
    const material = new MeshBasicMaterial({ transparent: true, opacity, depthWrite: false });
    this.#film = new Mesh(new BufferGeometry(), material);
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

  take(shape: Shape): void {
    for (const { geometry } of [this.#film, this.#rim]) geometry.dispose();
    this.#film.geometry = new ShapeGeometry(shape, PIECES).rotateX(-Math.PI / 2);
    this.#rim.geometry = new BufferGeometry().setFromPoints(shape.getPoints(PIECES)).rotateX(-Math.PI / 2);
  }
}

/** A sector of a circle, so many degrees wide; of a whole one the middle is no part of the rim. */
function sector(radius: number, degrees: number): Shape {
  const half = MathUtils.degToRad(degrees) / 2;
  const shape = new Shape().absarc(0, 0, radius, Math.PI / 2 - half, Math.PI / 2 + half);
  return degrees < 360 ? shape.lineTo(0, 0) : shape;
}

function rectangle(width: number, length: number): Shape {
  const side = width / 2;
  return new Shape().moveTo(side, 0).lineTo(side, length).lineTo(-side, length).lineTo(-side, 0);
}
