import type { Object3D, PerspectiveCamera, WebGLRenderer } from 'three';
import type { Player } from '../control/Player.js';
import type { Measurements } from '../measure/Measurements.js';
import type { LoadedWorld } from '../views/LoadedWorld.js';
import type { Views } from '../views/Views.js';
import type { Frames } from './Frames.js';
import type { Selection } from './Selection.js';

/** The state of the page, for tests. */
export interface Probe {
  readonly world: string;
  readonly structure: string;
  readonly counts: { inside: number; intersecting: number; culled: number; visible: number; total: number };
  /** The figure and the lines of the world's own report, or all that its own instruments say. */
  readonly report: Record<string, string>;
  readonly picked: string | null;
  readonly frames: number;
  readonly eye: number[];
  /** By what the player's view is drawn, and what of. */
  readonly view: { renderer: WebGLRenderer; camera: PerspectiveCamera; root: Object3D };
  /** Resolves when the first world has been drawn. */
  readonly ready: Promise<void>;
}

declare global {
  interface Window {
    __demo: Probe;
  }
}

interface Parts {
  loaded: () => LoadedWorld | null;
  measurements: Measurements;
  selection: Selection;
  frames: Frames;
  player: Player;
  views: Views;
}

export function exposeProbe({ loaded, measurements, selection, frames, player, views }: Parts): void {
  window.__demo = Object.freeze({
    get world() {
      return loaded()?.name ?? '';
    },
    get structure() {
      return loaded()?.index.structure ?? '';
    },
    get counts() {
      const { inside, intersecting, culled, visible, total } = measurements;
      return { inside, intersecting, culled, visible, total };
    },
    get report() {
      const world = loaded()?.world;
      const report = world?.report?.();
      if (report) return { figure: report.figure, ...Object.fromEntries(report.rows) };
      const said = [...(world?.customView?.instruments.querySelectorAll<HTMLElement>('[data-key]') ?? [])];
      return Object.fromEntries(said.map(({ dataset, textContent }) => [dataset.key!, textContent!]));
    },
    get picked() {
      return selection.pickedName;
    },
    get frames() {
      return frames.count;
    },
    get eye() {
      return player.position.toArray();
    },
    get view() {
      return { renderer: views.stage.renderer, camera: views.player.camera, root: loaded()!.world.root };
    },
    ready: frames.ready,
  });
}
