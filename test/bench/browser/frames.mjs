// Measures the CPU time of frames of 10 to 50,000 meshes, accelerated against plain three, in a headless Chromium, and keeps
// the table in ../results-frames-page.md: `npm run bench:frames`. SCENES=few,rest measures scenes whose names begin so,
// N=10,1000 other numbers of meshes; then nothing is kept. SETS=3 sets the number of pages of each mode.
import { keep, median, medianRatio, row, table, time } from '../figures.mjs';
import { ask, openBrowser } from './openBrowser.mjs';

/** What happens in a frame of each scene, in the order of the table. */
const SCENES = {
  rest: 'all meshes in view, none moving',
  moving: 'all in view, all moving',
  few: 'a tenth in view of a camera that turns, none moving',
  'few-tenth': 'the same, a tenth moving',
  'few-moving': 'the same, all moving',
  'few-added':
    'the same, none moving; the frame in which a page adds a fifth more meshes to the scene, one by one, for the first time',
  materials: 'all in view, none moving, a material for each mesh',
  kinds: 'all in view, none moving, no two alike: each material differs in more than its colour',
  groups: 'all in view, in 20 groups; in each frame an eighth of the meshes change into other groups',
  pool: 'all in view but for a tenth that is out of the scene; in each frame that tenth is added and another one removed',
};
const COUNTS = [10, 100, 300, 1000, 10_000];
/** The number of meshes of scenes that are measured with one alone. */
const ONLY = { 'few-added': 50_000, kinds: 2000, groups: 2000, pool: 3000 };
/** Scenes of which a page measures a single frame: the one in which something happens for the first time. */
const ONCE = ['few-added'];
/** Scenes of which 300 meshes are measured as well. */
const OF_300 = ['rest', 'moving'];

/** Each in a page of its own, which take turns. The second plain one says how far two equal ones are from each other. */
const MODES = ['plain', 'accelerated', 'batch', 'plain'];
/** Microseconds of CPU that a block of frames lasts at least. */
const BLOCK = 20_000;
/** Before frames count, they run for so many microseconds, and for so many frames unless these take too long. */
const WARM_UP = { least: 800_000, most: 4_000_000, frames: 800 };
const ROUNDS = 16;
/** Rounds of pages that measure a single frame, and the blocks of frames that come before it in each. */
const ROUNDS_ONCE = 6;
const BEFORE_ONCE = [10, 10, 10];
const HEAD = ['scene', 'meshes', 'draw calls', ...MODES.slice(0, -1), 'noise'];

const listOf = (text) => (text ? text.split(',') : []);
const SETS = Number(process.env.SETS ?? 3);
const wanted = listOf(process.env.SCENES);
const counts = listOf(process.env.N).map(Number);
const isWanted = (scene) => wanted.length === 0 || wanted.some((name) => scene.startsWith(name));
const scenes = Object.keys(SCENES).filter(isWanted);
if (scenes.length === 0) throw new RangeError(`SCENES: no scene ${wanted}`);

const { open, machine, close } = await openBrowser();
try {
  console.log(table(HEAD, []));
  const lines = [];
  for (const scene of scenes) {
    const usual = scene in ONLY ? [ONLY[scene]] : COUNTS.filter((n) => n !== 300 || OF_300.includes(scene));
    for (const count of counts.length > 0 ? counts : usual) {
      const rounds = [];
      for (let set = 0; set < SETS; set++) {
        rounds.push(...(await (ONCE.includes(scene) ? measureOnce : measure)(scene, count)));
      }
      for (const answers of rounds) check(answers, scene, count);
      lines.push(cellsOf(scene, count, rounds));
      console.log(row(lines.at(-1)));
    }
  }
  if (wanted.length + counts.length === 0) write(lines);
} finally {
  await close();
}

/** A scene in one mode: runs frames, and answers with the time of one, in microseconds of CPU, and what it draws. */
async function start(scene, count, mode) {
  const page = await open();
  await ask(page, 'openFrames', scene, count, mode);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  /** Microseconds for which the main thread has run. */
  const clock = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1e6 * metrics.find(({ name }) => name === 'ThreadTime').value;
  };
  const run = async (frames) => {
    const before = await clock();
    // Not page.evaluate, which has the page do more.
    const asked = { expression: `bench.runFrames(${frames})`, returnByValue: true };
    const { result, exceptionDetails } = await devtools.send('Runtime.evaluate', asked);
    if (exceptionDetails) throw new Error(`${scene}, ${count}, ${mode}: ${exceptionDetails.exception.description}`);
    return { time: ((await clock()) - before) / frames, ...result.value };
  };
  return { run, makeOthers: () => ask(page, 'makeOthers'), end: () => page.context().close() };
}

/** The times of a frame: a list for each round, in the order of MODES. */
async function measure(scene, count) {
  const players = await Promise.all(MODES.map((mode) => start(scene, count, mode)));
  let frames = 1;
  /** One answer for each mode. Every round begins with another of them. */
  const askAll = async (round) => {
    const answers = [];
    for (let turn = round; turn < round + MODES.length; turn++) {
      const i = turn % MODES.length;
      answers[i] = await players[i].run(frames);
    }
    return answers;
  };
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

/** The times of the frame that adds meshes, each in a new page. */
async function measureOnce(scene, count) {
  const rounds = [];
  for (let round = 0; round < ROUNDS_ONCE; round++) {
    const answers = [];
    for (let turn = round; turn < round + MODES.length; turn++) {
      const i = turn % MODES.length;
      const player = await start(scene, count, MODES[i]);
      for (const frames of BEFORE_ONCE) await player.run(frames);
      await player.makeOthers();
      answers[i] = await player.run(1);
      await player.end();
    }
    rounds.push(answers);
  }
  return rounds;
}

/** Where only few are in view the triangles may differ: three culls by spheres, batches by boxes. */
function check(answers, scene, count) {
  const drawn = new Set(answers.map(({ triangles }) => triangles));
  if (drawn.size > 1 && !scene.startsWith('few')) throw new Error(`${scene}, ${count}: drew ${[...drawn]} triangles`);
}

function cellsOf(scene, count, rounds) {
  const of = (i) => rounds.map((answers) => answers.at(i).time);
  const plain = rounds.map((answers) => (answers.at(0).time + answers.at(-1).time) / 2);
  const modes = MODES.slice(1, -1).map((_, i) => ratios(of(i + 1), plain));
  return [scene, count, Math.round(rounds[0][0].calls), time(median(plain)), ...modes, ratios(of(-1), of(0))];
}

/** The median of the ratios of all rounds, and the ratio of the lower quartiles. */
function ratios(times, plain) {
  const quartile = (values) => values.toSorted((a, b) => a - b)[values.length >> 2];
  return `${medianRatio(times, plain).toFixed(2)} (${(quartile(times) / quartile(plain)).toFixed(2)})`;
}

function write(lines) {
  const legend = Object.entries(SCENES).map(([scene, frame]) => `- \`${scene}\`: ${frame}.`);
  keep(
    'results-frames-page.md',
    `# CPU time of a frame

Made by \`SETS=${SETS} npm run bench:frames\` on ${machine}.

\`renderer.render\` of a \`WebGLRenderer\` and what moves the meshes; nothing is declared static. A page does not make the draw calls themselves: the GPU of a headless browser is a program. Modes are \`accelerate(scene)\`, and with \`batch: true\`. Each has a page, and a process, of its own, and all modes of a row run blocks of frames in turns; where something happens for the first time, each page measures a single frame. Plain three is 1: the first number is the median of all rounds, in brackets is the ratio of the lower quartiles. The noise is how a second plain page compares with the first: a ratio within it means nothing.

${legend.join('\n')}

${table(HEAD, lines)}
`,
  );
}
