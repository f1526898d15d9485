import { MODES } from './measure.mjs';

/** Frames with time between them, in which code of batches loads, and runs after which all code is optimized. */
const PACED = 100;
const WARM_UP = 3;
/** Microseconds of CPU that a run lasts. */
const SPAN = 1e6;

/** Prints where frames of a scene spend their time, by function: microseconds a frame, not counting what it calls. */
export async function profile(start, { scene, count }, most) {
  for (const mode of MODES.slice(0, -1)) {
    const player = await start(scene, count, mode);
    let { time } = await player.run(PACED, true);
    const framesOfRun = () => Math.ceil(SPAN / time);
    for (let run = 0; run < WARM_UP; run++) ({ time } = await player.run(framesOfRun()));
    const shares = selfShares((await player.run(framesOfRun(), false, true)).profile);
    player.end();
    const own = [...shares].reduce((sum, [name, share]) => sum + (/ (src\/|wasm:)/.test(name) ? share : 0), 0);
    const whole = `${time.toFixed(1)} µs a frame, of which ${(own * time).toFixed(1)} in src`;
    console.log(`\n${scene}, ${count} meshes, ${mode}: ${whole}`);
    for (const [name, share] of [...shares].sort((a, b) => b[1] - a[1]).slice(0, most)) {
      console.log(`${(share * time).toFixed(2).padStart(9)}  ${name}`);
    }
  }
}

/** The share of the samples by function. Their times would count what else the machine did. */
function selfShares({ nodes, samples }) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const shares = new Map();
  for (const id of samples) shares.set(names.get(id), (shares.get(names.get(id)) ?? 0) + 1 / samples.length);
  return shares;
}

function nameOf({ functionName, url, lineNumber }) {
  return `${functionName || '(anonymous)'} ${url.replace(/.*\/(bench\/frames|node_modules)\//, '')}:${lineNumber + 1}`;
}
