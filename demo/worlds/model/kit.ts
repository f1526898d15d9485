import { Box3, Group, type Object3D, Vector3 } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { contentsOf } from './contents.js';
import { GivenFiles, pathOf } from './GivenFiles.js';
import { ModelError } from './ModelError.js';
import { type Model, readModel } from './readModel.js';

/** A kit is placed at least so often; the limits are for large models, of which a few would block the page. */
const PLACEMENTS = 225;
const MAX_OBJECTS = 20_000;
const MAX_TRIANGLES = 5e6;
/** The width of a cell of the grid, for one of the widest piece. */
const CELL = 1.15;

/** Several models as pieces that stand side by side. */
export interface Kit {
  readonly pieces: number;
  /** The files that the pieces were read from. */
  readonly files: number;
  readonly placements: number;
}

/** A model, and a sentence on each file that could not be read for it. */
export interface KitModel extends Model {
  readonly kit?: Kit;
  readonly leftOut: readonly string[];
}

/** Reads one model as it is, and several as the pieces of a kit. A piece that cannot be read is left out. */
export async function readKit(files: readonly File[], signal: AbortSignal): Promise<KitModel> {
  const given = new GivenFiles(files);
  const { models } = given;
  if (models.length === 0) throw new ModelError('There is no .glb or .gltf file among these.');
  const pieces: Model[] = [];
  const leftOut: string[] = [];
  try {
    for (const file of models) {
      try {
        pieces.push(await readModel(file, given, signal));
      } catch (error) {
        signal.throwIfAborted();
        leftOut.push(error instanceof ModelError ? error.message : `${file.name} could not be read: ${String(error)}`);
      }
    }
  } finally {
    given.release();
  }
  if (pieces.length === 0) {
    throw new ModelError(`${models.length > 1 ? 'None of these models could be read. ' : ''}${leftOut[0]}`);
  }
  if (pieces.length === 1) return { ...pieces[0]!, leftOut };
  return { ...kitOf(pieces, nameOf(models)), leftOut };
}

/** The folder in which all lie, or their number. */
function nameOf(models: readonly File[]): string {
  const [folder, ...others] = new Set(models.map((file) => pathOf(file).split('/')[0]!));
  return others.length === 0 ? folder! : `${models.length} models`;
}

/** All pieces on a grid, each several times. They stand still: clips of several files name the same objects. */
function kitOf(pieces: readonly Model[], name: string): Model & { kit: Kit } {
  const each = new Group().add(...pieces.map((piece) => piece.scene));
  const { objects, triangles } = contentsOf(each);
  const times = Math.min(Math.ceil(PLACEMENTS / pieces.length), MAX_OBJECTS / objects, MAX_TRIANGLES / triangles);
  const placements = pieces.length * Math.max(1, Math.floor(times));
  const files = [...new Set(pieces.flatMap((piece) => piece.files))];
  const scene = gridOf(pieces, placements);
  const kit = { pieces: pieces.length, files: files.length, placements };
  return { name, scene, animations: [], files, missing: pieces.flatMap(({ missing }) => missing), kit };
}

function gridOf(pieces: readonly Model[], placements: number): Object3D {
  const boxes = pieces.map(({ scene }) => new Box3().setFromObject(scene));
  const sizes = boxes.map((box) => box.getSize(new Vector3()));
  const cell = CELL * Math.max(...sizes.flatMap(({ x, z }) => [x, z]));
  const columns = Math.ceil(Math.sqrt(placements));
  const grid = new Group();
  for (let i = 0; i < placements; i++) {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    // Rows that hold all pieces would be alike: each begins with another piece.
    const which = (i + (columns % pieces.length === 0 ? row : 0)) % pieces.length;
    const { name, scene } = pieces[which]!;
    const box = boxes[which]!;
    const place = new Group();
    place.name = name;
    // Pieces stand on the ground, in the middle of their cells.
    place.position.set(cell * column, 0, cell * row).sub(box.getCenter(new Vector3()));
    place.position.y = -box.min.y;
    place.add(i < pieces.length ? scene : clone(scene));
    grid.add(place);
  }
  return grid;
}
