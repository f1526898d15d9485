// Each contestant has a process of its own for each workload; in every round all of them take turns.
import { fileURLToPath } from 'node:url';
import { median } from '../figures.mjs';
import { start as startProcess } from '../processes.mjs';
import { isRight } from './results.mjs';
import { cameraViews, WORLDS } from './worlds.mjs';

const WARM_UP = 2;
const CONTESTANT = fileURLToPath(new URL('contestant.mjs', import.meta.url));
const PROCESS = { execArgv: ['--expose-gc', '--max-old-space-size=8192'], serialization: 'advanced' };
/** By how much distances may differ: rounding. */
const EXACT = 1e-9;

/**
 * Times and faults of all contestants that can do the workload, by their names.
 * @param isCounted Whether to count what does not depend on the clock as well.
 */
export async function measure(label, workload, { world, contestants }, n, rounds, isCounted = false) {
  // A million boxes take some peers seconds a frame, a thousand need many for code to be compiled.
  const settings = { world, n, isCounted, frames: Math.min(64, Math.ceil(400_000 / n)) };
  if (workload.share !== undefined) settings.views = cameraViews(WORLDS[world](n), workload.share);
  const players = [];
  for (const contestant of contestants) {
    const { mostChanged = Number.POSITIVE_INFINITY, within = '' } = contestant;
    if (n * (workload.changed ?? 0) > mostChanged || !label.match(within)) continue;
    const player = await start(contestant, label, settings);
    if (player !== null) players.push(player);
  }
  for (let round = -WARM_UP; round < rounds; round++) {
    let right;
    for (const player of players) {
      if (!isRight(player)) continue;
      // Code runs for the first time in each round.
      if (workload.isFresh && round > -WARM_UP) await player.restart();
      const answer = await player.ask(round);
      if (answer === null) continue;
      right ??= answer;
      player.fault ??= compare(answer, right, player, label);
      if (round >= 0) player.times.push(answer.time);
    }
  }
  for (const player of players) {
    if (isCounted && isRight(player)) player.counts = await player.ask('counts');
    player.child.kill();
  }
  return Object.fromEntries(players.map(summary));
}

/** Null for a contestant that lacks a method. */
async function start(contestant, label, settings) {
  const player = { ...contestant, times: [] };
  /** Null from a peer that died, of want of memory for one. */
  const died = (code) => {
    const text = `${contestant.library} died with ${code} in ${label}`;
    player.fault = 'died';
    if (contestant.isOurs || contestant.isPeer === false) throw new Error(text);
    console.error(text);
    return null;
  };
  player.restart = () => {
    player.child?.kill();
    Object.assign(player, startProcess(CONTESTANT, died, PROCESS));
    return player.ask([contestant.file, contestant.options, label, settings]);
  };
  const able = await player.restart();
  player.tolerance = able?.tolerance ?? EXACT;
  if (able === null || able.can) return player;
  player.child.kill();
  return null;
}

/**
 * What is wrong with an answer: nothing, or no more than the contestant admits (distances, or this share of the results),
 * or it is wrong. Ours admit nothing.
 */
function compare(answer, right, player, label) {
  const { distances = [] } = answer;
  const isNear = distances.every(
    (d, i) => d === right.distances[i] || Math.abs(d - right.distances[i]) <= player.tolerance,
  );
  if (isNear && answer.answers.every((digest, i) => digest === right.answers[i])) return undefined;
  const count = ({ answers }) => answers.reduce((sum, digest) => sum + Number.parseInt(digest, 10), 0);
  const [got, want] = [count(answer), count(right)];
  if (isNear && player.tolerance > EXACT && Math.abs(got - want) <= 3 + player.tolerance * want) return 'nearly';
  const text = `${player.library} finds ${got} instead of ${want} in ${label}`;
  if (player.isOurs) throw new Error(text);
  console.error(text);
  return 'wrong';
}

const digits = (time) => (time === undefined ? undefined : Number(time.toPrecision(4)));

function summary({ library, variant, isOurs = false, isPeer = !isOurs, times, fault, counts }) {
  const name = variant === undefined ? library : `${library}, ${variant}`;
  const best = digits(times.length === 0 ? undefined : Math.min(...times));
  return [name, { library, isOurs, isPeer, fault, median: digits(median(times)), best, counts }];
}
