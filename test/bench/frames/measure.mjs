// Frames of one scene in all modes, each in a process of its own, which take turns.

/** The second plain process says how far two equal ones are from each other. */
export const MODES = ['plain', 'accelerated', 'batch', 'plain'];

/** Microseconds of CPU that a block of frames lasts at least. */
const BLOCK = 20_000;
/** Before frames count, they run for so many microseconds, and for so many frames unless these take too long. */
const WARM_UP = { least: 800_000, most: 4_000_000, frames: 800 };
const ROUNDS = 16;
const COLD_FRAMES = 120;
const COLD_ROUNDS = 3;

/** Starts a set of processes, and returns the times of a frame: a list for each round, in the order of MODES. */
export async function measureSet(start, { scene, count }) {
  if (scene.startsWith('cold-')) return measureCold(start, scene.slice(5), count);
  const players = await Promise.all(MODES.map((mode) => start(scene, count, mode)));
  let frames = 1;
  const askAll = (round) => inTurns(round, (i) => players[i].run(frames));
  const isCold = (spent, done) => spent < WARM_UP.least || (done < WARM_UP.frames && spent < WARM_UP.most);
  for (let round = 0, spent = 0, done = 0; isCold(spent, done); round++) {
    const [{ time }] = await askAll(round);
    spent += frames * time;
    done += frames;
    // As many frames for all modes, and an even number: what moves to and fro is back after two.
    frames = 2 * Math.ceil(BLOCK / time / 2);
  }
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(await askAll(round));
    check(rounds[round], scene, count);
  }
  for (const player of players) await player.end();
  return rounds;
}

/** A round is a set of processes that are new. */
async function measureCold(start, scene, count) {
  const rounds = [];
  for (let round = 0; round < COLD_ROUNDS; round++) {
    const answers = await inTurns(round, async (i) => {
      const player = await start(scene, count, MODES[i]);
      const answer = await player.run(COLD_FRAMES, true);
      await player.end();
      return answer;
    });
    check(answers, scene, count);
    rounds.push(answers);
  }
  return rounds;
}

/** One answer for each mode. Every round begins with another of them. */
async function inTurns(round, ask) {
  const answers = [];
  for (let turn = 0; turn < MODES.length; turn++) {
    const i = (turn + round) % MODES.length;
    answers[i] = await ask(i);
  }
  return answers;
}

/** Where only few are in view the triangles may differ: three culls by spheres, batches by boxes. */
function check(answers, scene, count) {
  const drawn = new Set(answers.map(({ triangles }) => triangles));
  if (drawn.size > 1 && !scene.startsWith('few')) throw new Error(`${scene}, ${count}: drew ${[...drawn]} triangles`);
}
