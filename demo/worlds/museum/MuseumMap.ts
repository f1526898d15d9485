import {
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  type InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Points,
  PointsMaterial,
} from 'three';
import { OwnDrawing } from '../../views/drawings/Drawing.js';
import { MapGround } from '../../views/drawings/MapGround.js';
import { ObjectDots } from '../../views/drawings/ObjectDots.js';
import type { Palette } from '../../views/stage/palette.js';
import type { Leveling } from './Leveling.js';
import { HALF } from './land.js';
import { HALL_AT } from './plan.js';

/** The land from above: the roof of the hall, and a dot for each tree. */
export class MuseumMap extends OwnDrawing {
  override readonly object = new Group();
  readonly #ground = new MapGround({ width: 2 * HALF, depth: 2 * HALF, step: 20 });
  readonly #trees = new Points(new BufferGeometry(), new PointsMaterial({ size: 4 }));
  readonly #hall = new Mesh(new PlaneGeometry(27, 13).rotateX(-Math.PI / 2), new MeshBasicMaterial());

  constructor() {
    super();
    this.#trees.frustumCulled = false;
    this.#hall.position.set(HALL_AT, 0.05, -8);
    this.object.add(this.#ground.object, this.#hall, this.#trees);
  }

  /** Draws these trees. */
  set trees(meshes: readonly InstancedMesh[]) {
    const matrix = new Matrix4();
    const places = meshes.flatMap((mesh) =>
      Array.from({ length: mesh.count }, (_, i) => {
        mesh.getMatrixAt(i, matrix);
        return matrix.elements.slice(12, 15);
      }),
    );
    this.#trees.geometry.dispose();
    this.#trees.geometry.setAttribute('position', new Float32BufferAttribute(places.flat(), 3));
  }

  override paint(palette: Palette): void {
    this.#ground.paint(palette);
    this.#trees.material.color.copy(palette.culled);
    this.#hall.material.color.copy(palette.grid);
  }
}

/** Scans from above, in the colours of their levels. */
export class LevelDots extends ObjectDots {
  readonly #leveling: Leveling;

  constructor(leveling: Leveling) {
    super();
    this.#leveling = leveling;
  }

  override show(): void {
    this.mark(this.#leveling.shown.map((list, share) => [list, share + 1]));
  }

  override paint({ culled, near, area, range, candidate }: Palette): void {
    this.object.material.uniforms.kinds!.value = [culled, near, area, range, candidate, culled];
  }
}
