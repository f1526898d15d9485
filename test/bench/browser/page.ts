/** What the runners beside this call in a page. */
import { makeOthers, openFrames, runFrames } from './frames.js';
import { measure, rows } from './rows.js';
import { webgpu } from './webgpu.js';

Object.assign(globalThis, { bench: { makeOthers, measure, openFrames, rows, runFrames, webgpu } });
