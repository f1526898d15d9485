// Bots in a thread of their own, so that the ticks of the server do not wait for them.

import { workerData } from 'node:worker_threads';
import { Bots } from './Bots.js';

const { url, count } = workerData as { url: string; count: number };
await new Bots().join(url, count, 7);
