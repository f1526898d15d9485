import {
  Color,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PlaneGeometry,
} from 'three';
import type { Drawing } from '../../views/drawings/Drawing.js';
import type { Palette } from '../../views/stage/palette.js';
import { HALF, heightAt, SEA } from './land.js';

/** Pieces along an edge, and squares along an edge of a piece. */
const PIECES = 14;
const SQUARES = 16;
/** The sea reaches the end of the view. */
const SEA_SIZE = 4000;

const SAND = new Color('#cdbb8b');
const GRASS = new Color('#7f9a4f');
const MOSS = new Color('#5a7a43');
const ROCK = new Color('#8b8a80');

/** The island in pieces, so that what is not in view need not be drawn, and the sea. */
export class Ground {
  readonly object = new Group();
  /** Without the sea. */
  readonly island = new Group();
  readonly #material = new MeshLambertMaterial({ vertexColors: true });
  readonly #water = new MeshLambertMaterial({ color: '#3c6f83' });

  constructor() {
    this.object.name = 'Ground';
    const size = (2 * HALF) / PIECES;
    for (let i = 0; i < PIECES * PIECES; i++) {
      const x = ((i % PIECES) + 0.5) * size - HALF;
      const z = (Math.floor(i / PIECES) + 0.5) * size - HALF;
      const piece = new Mesh(pieceOf(x, z, size), this.#material);
      piece.name = `Piece ${i + 1}`;
      piece.receiveShadow = true;
      this.island.add(piece);
    }
    const sea = new Mesh(new PlaneGeometry(SEA_SIZE, SEA_SIZE).rotateX(-Math.PI / 2), this.#water);
    sea.name = 'Sea';
    sea.position.y = SEA;
    this.object.add(this.island, sea);
  }

  /** Number of meshes. */
  get pieces(): number {
    return this.island.children.length + 1;
  }

  dispose(): void {
    for (const piece of this.island.children as Mesh[]) piece.geometry.dispose();
    this.#material.dispose();
    this.#water.dispose();
  }
}

/** The island from above, in the colour of a map: the classes of the trees are what one is to see. */
export class GroundMap implements Drawing {
  readonly object = new Group();
  readonly #land = new MeshLambertMaterial();
  readonly #water = new MeshBasicMaterial();

  constructor({ island }: Ground) {
    for (const { geometry } of island.children as Mesh[]) this.object.add(new Mesh(geometry, this.#land));
    const sea = new Mesh(new PlaneGeometry(2.2 * HALF, 2.2 * HALF).rotateX(-Math.PI / 2), this.#water);
    sea.position.y = SEA;
    this.object.add(sea);
  }

  show(): void {}

  paint({ plainDay, plain }: Palette): void {
    this.#land.color.copy(plainDay).lerp(plain, 0.5);
    this.#water.color.copy(plain);
  }

  dispose(): void {
    (this.object.children.at(-1) as Mesh).geometry.dispose();
    this.#land.dispose();
    this.#water.dispose();
  }
}

/** A piece around a point, with flat faces. */
function pieceOf(x: number, z: number, size: number): PlaneGeometry {
  const grid = new PlaneGeometry(size, size, SQUARES, SQUARES).rotateX(-Math.PI / 2).translate(x, 0, z);
  const raised = grid.getAttribute('position');
  for (let i = 0; i < raised.count; i++) raised.setY(i, heightAt(raised.getX(i), raised.getZ(i)));
  const piece = grid.toNonIndexed() as PlaneGeometry;
  grid.dispose();
  piece.computeVertexNormals();
  piece.setAttribute('color', coloursOf(piece));
  return piece;
}

function coloursOf(piece: PlaneGeometry): Float32BufferAttribute {
  const position = piece.getAttribute('position');
  const normal = piece.getAttribute('normal');
  const colours = new Float32Array(3 * position.count);
  const colour = new Color();
  for (let i = 0; i < position.count; i += 3) {
    const height = (position.getY(i) + position.getY(i + 1) + position.getY(i + 2)) / 3 - SEA;
    // Varies the colours of faces a little.
    const mottle = 0.5 + 0.5 * Math.sin(12.9 * position.getX(i) + 78.2 * position.getZ(i));
    colour.lerpColors(GRASS, MOSS, Math.min(1, Math.max(0, height / 26 + 0.35 * mottle)));
    if (height < 1.1) colour.copy(SAND);
    else if (normal.getY(i) < 0.8) colour.lerp(ROCK, 0.75);
    for (let corner = 0; corner < 3; corner++) colour.toArray(colours, 3 * (i + corner));
  }
  return new Float32BufferAttribute(colours, 3);
}
