/** Frames with time between them: code of batches loads. Then microseconds of frames that are looked at. */
const WARM_UP = 100;
const SPAN = 2e6;

/** Prints where frames of a scene spend their time, by function: microseconds a frame, not counting what it calls. */
export async function profile(start, { scene, count }, most) {
  for (const mode of ['plain', 'accelerated', 'batch']) {
    const player = await start(scene, count, mode);
    await player.run(WARM_UP, true);
    const { time: early } = await player.run(WARM_UP);
    const frames = Math.ceil(SPAN / early);
    const { time } = await player.run(frames);
    const shares = selfShares((await player.run(frames, false, true)).profile);
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
