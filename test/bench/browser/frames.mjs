// Measures the CPU time of frames of 10 to 10,000 meshes, accelerated against plain three, in a headless Chromium, and keeps
// the table in ../results-frames-page.md: `npm run bench:frames`. SCENES=few,ray measures scenes whose names begin so,
// N=10,1000 other numbers of meshes; then nothing is kept. SETS=3 sets the number of pages of each mode. LIMIT=1.05 ends with
// 1 when a mode takes longer than that.
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { ask, median, medianRatio, openBrowser } from './openBrowser.mjs';

/** What happens in a frame of each scene, in the order of the table. */
const SCENES = {
  rest: 'all meshes in view, none moving',
  moving: 'all in view, all moving',
  few: 'a tenth in view of a camera that turns, none moving',
  'few-tenth': 'the same, a tenth moving',
  'few-moving': 'the same, all moving',
  passes:
    'all in view, all moving, drawn three times as for post-processing: as they are, then with two `overrideMaterial`s',
  anaglyph: "all in view, all moving, drawn for two eyes by three's `AnaglyphEffect`",
  ray: 'all in view, none moving, and a ray of length 10 cast at all meshes, as for a walker',
  materials: 'all in view, none moving, a material for each mesh',
  kinds: 'all in view, none moving, no two alike: each material differs in more than its colour',
  'cold-rest': '`rest`, the first 120 frames of a new page, with the call of `accelerate`',
  'cold-moving': '`moving`, the same',
  fiber: 'React Three Fiber, all in view, none moving, nothing declared: `<Accelerated>` and `<Accelerated batch>`',
};
const COUNTS = [10, 100, 300, 1000, 10_000];
/** The number of meshes of scenes that are measured with one alone. */
const ONLY = { fiber: 3000, kinds: 2000 };
/** Scenes of which 300 meshes are measured as well. */
const OF_300 = ['rest', 'moving', 'passes'];

/** Each in a page of its own, which take turns. The second plain one says how far two equal ones are from each other. */
const MODES = ['plain', 'accelerated', 'batch', 'plain'];
/** Microseconds of CPU that a block of frames lasts at least. */
const BLOCK = 20_000;
/** Before frames count, they run for so many microseconds, and for so many frames unless these take too long. */
const WARM_UP = { least: 800_000, most: 4_000_000, frames: 800 };
const ROUNDS = 16;
const COLD_FRAMES = 120;
const COLD_ROUNDS = 3;

const listOf = (text) => (text ? text.split(',') : []);
const SETS = Number(process.env.SETS ?? 3);
const LIMIT = Number(process.env.LIMIT ?? Number.POSITIVE_INFINITY);
const names = listOf(process.env.SCENES);
const counts = listOf(process.env.N).map(Number);
for (const name of names) {
  if (!Object.keys(SCENES).some((scene) => scene.startsWith(name))) throw new RangeError(`SCENES: no scene ${name}`);
}

const HEAD = `| scene | meshes | draw calls | ${MODES.slice(0, -1).join(' | ')} | noise |
| --- | --- | --- |${' --- |'.repeat(MODES.length)}`;
const load = () => loadavg()[0].toFixed(1);
const loadBefore = load();
const { open, machine, close } = await openBrowser('frames.ts');
let misses = 0;
try {
  console.log(HEAD);
  const lines = [];
  for (const scene of Object.keys(SCENES)) {
    if (names.length > 0 && !names.some((name) => scene.startsWith(name))) continue;
    const usual = scene in ONLY ? [ONLY[scene]] : COUNTS.filter((n) => n !== 300 || OF_300.includes(scene));
    for (const count of counts.length > 0 ? counts : usual) {
      const rounds = [];
      const measure = scene.startsWith('cold-') ? measureCold : measureWarm;
      for (let set = 0; set < SETS; set++) rounds.push(...(await measure(scene.replace('cold-', ''), count)));
      for (const answers of rounds) check(answers, scene, count);
      lines.push(line(scene, count, rounds));
      console.log(lines.at(-1));
    }
  }
  if (names.length + counts.length === 0) keep(lines);
} finally {
  await close();
}
if (Number.isFinite(LIMIT)) console.log(`\n${misses} are above ${LIMIT}.`);
if (misses > 0) process.exitCode = 1;

/** A scene in one mode: runs frames, and answers with the time of one, in microseconds of CPU, and what it draws. */
async function start(scene, count, mode) {
  const page = await open();
  await ask(page, 'open', scene, count, mode);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  /** Microseconds for which the main thread has run. */
  const clock = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1e6 * metrics.find(({ name }) => name === 'ThreadTime').value;
  };
  const run = async (frames, isPaced = false) => {
    const expression = `bench.run(${frames}, ${isPaced})`;
    const before = await clock();
    // Not page.evaluate, which has the page do more.
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await devtools.send('Runtime.evaluate', asked);
    if (exceptionDetails) throw new Error(`${scene}, ${count}, ${mode}: ${exceptionDetails.exception.description}`);
    return { time: ((await clock()) - before) / frames, ...result.value };
  };
  return { run, end: () => page.context().close() };
}

/** The times of a frame: a list for each round, in the order of MODES. */
async function measureWarm(scene, count) {
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
  for (let round = 0; round < ROUNDS; round++) rounds.push(await askAll(round));
  for (const player of players) await player.end();
  return rounds;
}

/** A round is a set of pages that are new. */
async function measureCold(scene, count) {
  const rounds = [];
  for (let round = 0; round < COLD_ROUNDS; round++) {
    const answers = await inTurns(round, async (i) => {
      const player = await start(scene, count, MODES[i]);
      const answer = await player.run(COLD_FRAMES, true);
      await player.end();
      return answer;
    });
    rounds.push(answers);
  }
  return rounds;
}

/** One answer for each mode. Every round begins with another of them. */
async function inTurns(round, asked) {
  const answers = [];
  for (let turn = 0; turn < MODES.length; turn++) {
    const i = (turn + round) % MODES.length;
    answers[i] = await asked(i);
  }
  return answers;
}

/** Where only few are in view the triangles may differ: three culls by spheres, batches by boxes. */
function check(answers, scene, count) {
  const drawn = new Set(answers.map(({ triangles }) => triangles));
  if (drawn.size > 1 && !scene.startsWith('few')) throw new Error(`${scene}, ${count}: drew ${[...drawn]} triangles`);
}

function line(scene, count, rounds) {
  const of = (i) => rounds.map((answers) => answers.at(i).time);
  const plain = rounds.map((answers) => (answers.at(0).time + answers.at(-1).time) / 2);
  const noise = ratios(of(-1), of(0));
  const distance = Math.max(...noise.map((ratio) => Math.abs(ratio - 1)));
  const cells = MODES.slice(1, -1).map((_, i) => {
    const both = ratios(of(i + 1), plain);
    // Other work of the machine may slow a page for a while, and never makes one faster: both have to exceed it.
    const isAbove = Math.min(...both) > LIMIT + distance;
    if (isAbove) misses++;
    return isAbove ? `**${show(both)}**` : show(both);
  });
  const calls = Math.round(rounds[0][0].calls);
  return `| ${[scene, count, calls, microseconds(median(plain)), ...cells, show(noise)].join(' | ')} |`;
}

/** The median of the ratios of all rounds, and the ratio of the lower quartiles. */
function ratios(times, plain) {
  const quartile = (values) => values.toSorted((a, b) => a - b)[values.length >> 2];
  return [medianRatio(times, plain), quartile(times) / quartile(plain)];
}

function show([ratio, ofQuartiles]) {
  return `${ratio.toFixed(2)} (${ofQuartiles.toFixed(2)})`;
}

function microseconds(time) {
  return time < 1000 ? `${time.toFixed(time < 100 ? 1 : 0)} µs` : `${(time / 1000).toFixed(2)} ms`;
}

function keep(lines) {
  const legend = Object.entries(SCENES).map(([scene, frame]) => `- \`${scene}\`: ${frame}.`);
  writeFileSync(
    new URL('../results-frames-page.md', import.meta.url),
    `# CPU time of a frame

Made by \`SETS=${SETS} npm run bench:frames\` on ${machine} (load ${loadBefore} before, ${load()} after).

\`renderer.render\` of a \`WebGLRenderer\` and what moves the meshes; nothing is declared static. A page does not make the draw calls themselves: the GPU of a headless browser is a program. Modes are \`accelerate(scene)\`, and with \`batch: true\`. Each has a page, and a process, of its own, and all modes of a row run blocks of frames in turns. Plain three is 1: the first number is the median of all rounds, in brackets is the ratio of the lower quartiles. The noise is how a second plain page compares with the first: a ratio within it means nothing.

${legend.join('\n')}

${[HEAD, ...lines].join('\n')}
`,
  );
}
