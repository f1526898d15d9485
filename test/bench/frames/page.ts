/** A scene in one mode, in a page of its own. Called by players.mjs. */
import { WebGLRenderer } from 'three';
import { leaveOutGpu } from '../browser/leaveOut.js';
import { Contestant, type Drawn, type Mode } from './Contestant.js';
import { openFiber } from './fiber.js';

let renderer: WebGLRenderer;
let contestant: Contestant;

async function open(name: string, count: number, mode: Mode): Promise<void> {
  renderer = new WebGLRenderer({ antialias: false });
  renderer.setSize(4, 3, false);
  leaveOutGpu(renderer, true);
  contestant = name === 'fiber' ? await openFiber(count, mode, renderer) : Contestant.of(name, count, mode, renderer);
}

async function run(frames: number, isPaced: boolean): Promise<Drawn> {
  const drawn = await contestant.run(frames, isPaced);
  // The GPU of a headless browser is a program: it must not run beside the next page that is measured.
  renderer.getContext().finish();
  return drawn;
}

Object.assign(globalThis, { bench: { open, run } });
