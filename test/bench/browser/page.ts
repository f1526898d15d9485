/** What the runners beside this call in a page. */
import { openFrames, runFrames } from './frames.js';
import { measure, rows } from './rows.js';
import { webgpu } from './webgpu.js';

Object.assign(globalThis, { bench: { measure, openFrames, rows, runFrames, webgpu } });
