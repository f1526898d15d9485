// Measures the CPU time of frames of 10 to 10,000 meshes, accelerated against plain three, in Node and in a headless
// Chromium, and keeps the tables in ../results-frames-*.md: `npm run bench:frames`, or with `-- node` or `-- page` one of the
// two. SCENES=few,ray measures scenes whose names begin so, N=10,1000 other numbers of meshes; then nothing is kept. SETS=3
// sets the number of processes of each mode. LIMIT=1.05 ends with 1 when a mode takes longer than that. PROFILE=15 prints
// the functions that take longest in Node, and measures nothing else.
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MODES, measureSet } from './measure.mjs';
import { openNode, openPages } from './players.mjs';
import { profile } from './profile.mjs';
import { rowsOf, SCENES } from './rows.mjs';

const listOf = (text) => (text ? text.split(',') : []);
const SETS = Number(process.env.SETS ?? 3);
const LIMIT = Number(process.env.LIMIT ?? Number.POSITIVE_INFINITY);
const PROFILE = Number(process.env.PROFILE ?? 0);
const names = listOf(process.env.SCENES);
const counts = listOf(process.env.N).map(Number);
const wanted = process.argv.slice(2);

const HEAD = `| scene | meshes | draw calls | ${MODES.slice(0, -1).join(' | ')} | noise |
| --- | --- | --- |${' --- |'.repeat(MODES.length)}`;
const PLACES = { node: openNode, page: openPages };

for (const name of names) {
  if (!Object.keys(SCENES).some((scene) => scene.startsWith(name))) throw new RangeError(`SCENES: no scene ${name}`);
}
for (const name of wanted)
  if (!(name in PLACES)) throw new RangeError(`bench:frames: ${name} is neither node nor page`);

const load = () => loadavg()[0].toFixed(1);
let misses = 0;
for (const name of PROFILE > 0 ? ['node'] : wanted.length > 0 ? wanted : Object.keys(PLACES)) {
  const place = await PLACES[name]();
  try {
    const rows = rowsOf(name, names, counts);
    if (PROFILE > 0) for (const row of rows) await profile(place.start, row, PROFILE);
    else await measure(name, place, rows);
  } finally {
    await place.close();
  }
}
if (Number.isFinite(LIMIT)) console.log(`\n${misses} are above ${LIMIT}.`);
if (misses > 0) process.exitCode = 1;

async function measure(name, { title, start }, rows) {
  const loadBefore = load();
  console.log(`\n${title}\n\n${HEAD}`);
  const lines = [];
  for (const row of rows) {
    const rounds = [];
    for (let set = 0; set < SETS; set++) rounds.push(...(await measureSet(start, row)));
    lines.push(line(row, rounds));
    console.log(lines.at(-1));
  }
  if (names.length + counts.length === 0) keep(name, title, `${loadBefore} before, ${load()} after`, lines);
}

function line({ scene, count }, rounds) {
  const times = rounds.map((answers) => answers.map(({ time }) => time));
  const of = (mode) => times.map((round) => round.at(mode));
  const plain = times.map((round) => (round.at(0) + round.at(-1)) / 2);
  const noise = ratios(of(-1), of(0));
  const distance = Math.max(...noise.map((ratio) => Math.abs(ratio - 1)));
  const cells = MODES.slice(1, -1).map((_, i) => {
    const both = ratios(of(i + 1), plain);
    // Other work of the machine may slow a process for a while, and never makes one faster: both have to exceed it.
    const isAbove = Math.min(...both) > LIMIT + distance;
    if (isAbove) misses++;
    return isAbove ? `**${show(both)}**` : show(both);
  });
  const calls = Math.round(rounds[0][0].calls);
  return `| ${[scene, count, calls, microseconds(median(plain)), ...cells, show(noise)].join(' | ')} |`;
}

/** The median of the ratios of all rounds, and the ratio of the lower quartiles. */
function ratios(times, plain) {
  return [median(times.map((time, round) => time / plain[round])), lowerQuartile(times) / lowerQuartile(plain)];
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function lowerQuartile(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 2];
}

function show([ratio, ofQuartiles]) {
  return `${ratio.toFixed(2)} (${ofQuartiles.toFixed(2)})`;
}

function microseconds(time) {
  return time < 1000 ? `${time.toFixed(time < 100 ? 1 : 0)} µs` : `${(time / 1000).toFixed(2)} ms`;
}

function keep(name, title, loads, lines) {
  const machine = `${cpus()[0].model.trim()}, ${cpus().length} shared cores (load ${loads}), Node ${process.version}`;
  const legend = Object.entries(SCENES).map(([scene, frame]) => `- \`${scene}\`: ${frame}.`);
  writeFileSync(
    fileURLToPath(new URL(`../results-frames-${name}.md`, import.meta.url)),
    `# CPU time of a frame: ${title}

Made by \`SETS=${SETS} npm run bench:frames -- ${name}\` on ${machine}.

\`renderer.render\` of a \`WebGLRenderer\` and what moves the meshes; nothing is declared static. A page does not make the draw calls themselves: the GPU of a headless browser is a program. Modes are \`accelerate(scene)\`, and with \`batch: true\`. Each has a process of its own, and all modes of a row run blocks of frames in turns. Plain three is 1: the first number is the median of all rounds, in brackets is the ratio of the lower quartiles. The noise is how a second plain process compares with the first: a ratio within it means nothing.

${legend.join('\n')}

${[HEAD, ...lines].join('\n')}
`,
  );
}
