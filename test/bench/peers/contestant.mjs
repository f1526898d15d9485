// One contestant with one workload, in a process of its own. The parent tells it when to do a round, or to count.
import { INSTANCE_WORKLOADS, LOADING_WORKLOADS } from './objects.mjs';
import { WORLD_WORKLOADS } from './workloads.mjs';

const [file, options, name, settings] = await new Promise((resolve) => process.once('message', resolve));
const workload = { ...WORLD_WORKLOADS, ...LOADING_WORKLOADS, ...INSTANCE_WORKLOADS }[name];
const { create } = await import(`./adapters/${file}.mjs`);
const adapter = await create(options);
const can = adapter !== null && workload.needs.every((method) => typeof adapter[method] === 'function');
const sums = {};
if (can && settings.isCounted) for (const method of workload.needs) count(method);
const round = can ? workload.run(adapter, workload.boxes(settings), settings) : undefined;

process.on('message', (number) => process.send(number === 'counts' ? counts() : round(number)));
process.send({ can, tolerance: adapter?.tolerance });

/** Sums what the counters of the index say of each call of a method. */
function count(method) {
  const call = adapter[method].bind(adapter);
  adapter[method] = (...given) => {
    const answer = call(...given);
    sums.calls++;
    for (const [key, value] of Object.entries(adapter.counters() ?? {})) {
      if (typeof value === 'number') sums[key] = (sums[key] ?? 0) + value;
    }
    return answer;
  };
}

/** Of a call, in one round. */
function counts() {
  for (const key of Object.keys(sums)) sums[key] = 0;
  sums.calls = 0;
  round(1);
  const { calls, ...all } = sums;
  return calls === 0 ? {} : Object.fromEntries(Object.entries(all).map(([key, sum]) => [key, sum / calls]));
}
