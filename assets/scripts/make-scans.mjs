// Writes assets/scans.glb, what the museum of the demo shows: node assets/scripts/make-scans.mjs

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { scansToGlb } from './scans/glb.mjs';
import { pictureOf } from './scans/picture.mjs';
import { bust, colossus, owl } from './scans/sculptures.mjs';
import { COLUMNS, INDEX, meshOf, ROWS } from './scans/surface.mjs';
import { ammonite, amphora, coral, porcelain, shell } from './scans/vessels.mjs';

const FORMS = [bust, ammonite, amphora, colossus, shell, owl, porcelain, coral];

const uvs = [];
for (let row = 0; row <= ROWS; row++) {
  for (let column = 0; column <= COLUMNS; column++) uvs.push(column / COLUMNS, row / ROWS);
}
const scans = FORMS.map(({ name, surface, isTube, roughness, ...paint }) => {
  const mesh = meshOf(surface, { isTube, roughness });
  return { name, ...mesh, uvs, picture: pictureOf(mesh, paint) };
});
const glb = scansToGlb(scans);
writeFileSync(fileURLToPath(new URL('../scans.glb', import.meta.url)), glb);
console.log(`scans.glb: ${scans.length} scans of ${INDEX.length / 3} triangles, ${glb.length} bytes`);
for (const { name, picture } of scans) console.log(`  ${name}: a picture of ${picture.length} bytes`);
