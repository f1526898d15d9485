// Writes assets/satellites.tle: orbits of satellites near the Earth, as the npm package three-globe ships them with one of
// its examples. It is fetched for this file alone (25 MB unpacked: too much to be a dependency), by the npm of this machine.
// Those that cannot be propagated at the time at which the demo begins are left out.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { propagate, twoline2satrec } from 'satellite.js';

const PACKAGE = 'three-globe@2.45.2';
const FILE = 'package/example/satellites/space-track-leo.txt';
const SHA256 = '566c238258a2c12752687f00e93b541d6fb92e57a9ba825278274ecf51e5bf29';
const BEGIN = new Date('2022-02-22T18:00:00Z');

/** One file of a package, without installing it. */
function fetchFile() {
  const folder = mkdtempSync(join(tmpdir(), 'make-satellites-'));
  try {
    const archive = execFileSync('npm', ['pack', PACKAGE, '--silent'], { cwd: folder, encoding: 'utf8' }).trim();
    execFileSync('tar', ['xzf', archive, FILE], { cwd: folder });
    return readFileSync(join(folder, FILE));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const bytes = fetchFile();
const found = createHash('sha256').update(bytes).digest('hex');
if (found !== SHA256) throw new Error(`make-satellites: ${FILE} of ${PACKAGE} has another checksum: ${found}`);

// Three lines each: 0 and the name, and the two lines of elements.
const lines = bytes.toString('latin1').trimEnd().split(/\r?\n/);
const kept = [];
for (let i = 0; i < lines.length; i += 3) {
  const [name, first, second] = lines.slice(i, i + 3);
  if (!name.startsWith('0 ') || !first.startsWith('1 ') || !second.startsWith('2 ')) {
    throw new Error(`make-satellites: line ${i + 1} is not the begin of a satellite: ${name}`);
  }
  const state = propagate(twoline2satrec(first, second), BEGIN);
  if (Number.isFinite(state?.position?.x)) kept.push(name.slice(2).trim(), first.trimEnd(), second.trimEnd());
}
const target = fileURLToPath(new URL('../satellites.tle', import.meta.url));
writeFileSync(target, `${kept.join('\n')}\n`);
console.log(`satellites.tle: ${kept.length / 3} of ${lines.length / 3} satellites`);
