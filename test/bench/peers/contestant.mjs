// One contestant with one workload, in a process of its own. The parent tells it when to do a round.
import { INSTANCE_WORKLOADS, LOADING_WORKLOADS } from './objects.mjs';
import { PAIR_WORKLOADS, WORLD_WORKLOADS } from './workloads.mjs';

const [file, options, name, settings] = await new Promise((resolve) => process.once('message', resolve));
const parts = [WORLD_WORKLOADS, PAIR_WORKLOADS, LOADING_WORKLOADS, INSTANCE_WORKLOADS];
const workload = Object.assign({}, ...parts)[name];
const { create } = await import(`./adapters/${file}.mjs`);
const adapter = await create(options);
const can = adapter !== null && workload.needs.every((method) => typeof adapter[method] === 'function');
const round = can ? workload.run(adapter, workload.boxes(settings), settings) : undefined;

process.on('message', (number) => process.send(round(number)));
process.send({ can, tolerance: adapter?.tolerance });
