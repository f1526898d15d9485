// Writes assets/samples: two models that the demo measures for visitors who have none at hand. Their plans are in ./samples.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeMachine } from './samples/machine.mjs';
import { makeOffice } from './samples/office.mjs';
import { toGlb } from './town/glb.mjs';

for (const [name, make] of [
  ['office', makeOffice],
  ['machine', makeMachine],
]) {
  const { scene, animations = [] } = make();
  let objects = 0;
  scene.traverse((object) => {
    if (object.isMesh || object.isLine) objects += 1;
  });
  const glb = await toGlb(scene, animations);
  writeFileSync(fileURLToPath(new URL(`../samples/${name}.glb`, import.meta.url)), glb);
  console.log(`${name}.glb: ${objects} objects, ${glb.length} bytes`);
}
