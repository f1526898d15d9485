import type { Places } from '../src/overview/places.js';

/** A place, as shares of the size of the world. */
export interface Place {
  x: number;
  z: number;
}

/** One who is looked at: where it is, and whom it sees where. */
export interface Viewer extends Place {
  id: number;
  seen: ReadonlyMap<number, Place>;
}

const PLAYER = 0;
/** Of a player's ring, as a share of the world. */
const RING = 0.0045;
const NAMES = ['accent', 'culled', 'picked', 'range'] as const;

/** Draws all that is in a world, and what one player sees of it. */
export class WorldMap {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #colours = { accent: '', culled: '', picked: '', range: '' };
  #places: Places | null = null;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d')!;
  }

  set places(places: Places) {
    this.#places = places;
  }

  /** Where an entity is; null for one that is not there. */
  placeOf(id: number): Place | null {
    const i = this.#places?.ids.indexOf(id) ?? -1;
    return i < 0 ? null : { x: this.#places!.shares[2 * i], z: this.#places!.shares[2 * i + 1] };
  }

  /** @param reach How far players see, as a share of the world. */
  draw(viewer: Viewer, reach: number): void {
    const places = this.#places;
    if (places === null) return;
    this.#fit();
    this.#readColours();
    const { accent, culled, picked, range } = this.#colours;
    const context = this.#context;
    context.clearRect(0, 0, 1, 1);
    const { ids, kinds, shares } = places;
    const [others, players, seen, seenPlayers]: Place[][] = [[], [], [], []];
    for (let i = 0; i < ids.length; i++) {
      if (ids[i] === viewer.id) continue;
      const place = viewer.seen.get(ids[i]);
      if (place !== undefined) (kinds[i] === PLAYER ? seenPlayers : seen).push(place);
      else (kinds[i] === PLAYER ? players : others).push({ x: shares[2 * i], z: shares[2 * i + 1] });
    }
    this.#circle(viewer, reach, accent);
    this.#dots(others, 0.0015, culled);
    this.#rings(players, range);
    this.#lines(viewer, seenPlayers, accent);
    this.#dots(seen, 0.0026, accent);
    this.#rings(seenPlayers, accent);
    this.#dots([viewer], 0.005, picked);
  }

  /** The player nearest to a place of the canvas, in pixels of the page; -1 for none near. */
  playerAt(clientX: number, clientY: number): number {
    const box = this.#canvas.getBoundingClientRect();
    const [x, z] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    const { ids, kinds, shares } = this.#places ?? { ids: [], kinds: [], shares: [] };
    let best = 0.02;
    let nearest = -1;
    for (let i = 0; i < ids.length; i++) {
      if (kinds[i] !== PLAYER) continue;
      const distance = Math.hypot(shares[2 * i] - x, shares[2 * i + 1] - z);
      if (distance > best) continue;
      best = distance;
      nearest = ids[i];
    }
    return nearest;
  }

  /** Makes the canvas as sharp as the screen, and its units shares of the world. */
  #fit(): void {
    const size = Math.round(this.#canvas.clientWidth * devicePixelRatio);
    if (this.#canvas.width !== size) this.#canvas.width = this.#canvas.height = size;
    this.#context.setTransform(size, 0, 0, size, 0, 0);
  }

  #readColours(): void {
    const style = getComputedStyle(this.#canvas);
    for (const name of NAMES) this.#colours[name] = style.getPropertyValue(`--${name}`);
  }

  #circle({ x, z }: Place, radius: number, colour: string): void {
    const context = this.#context;
    context.beginPath();
    context.arc(x, z, radius, 0, 2 * Math.PI);
    context.fillStyle = context.strokeStyle = colour;
    context.globalAlpha = 0.12;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 0.0015;
    context.stroke();
  }

  #dots(places: readonly Place[], radius: number, colour: string): void {
    const context = this.#context;
    context.beginPath();
    for (const { x, z } of places) context.rect(x - radius, z - radius, 2 * radius, 2 * radius);
    context.fillStyle = colour;
    context.fill();
  }

  #rings(places: readonly Place[], colour: string): void {
    const context = this.#context;
    context.beginPath();
    for (const { x, z } of places) {
      context.moveTo(x + RING, z);
      context.arc(x, z, RING, 0, 2 * Math.PI);
    }
    context.strokeStyle = colour;
    context.lineWidth = 0.0018;
    context.stroke();
  }

  #lines(from: Place, to: readonly Place[], colour: string): void {
    const context = this.#context;
    context.beginPath();
    for (const { x, z } of to) {
      context.moveTo(from.x, from.z);
      context.lineTo(x, z);
    }
    context.strokeStyle = colour;
    context.globalAlpha = 0.5;
    context.lineWidth = 0.001;
    context.stroke();
    context.globalAlpha = 1;
  }
}
