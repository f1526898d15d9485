// Writes assets/town.glb, the demo's default world: a small procedural town of about 2,300 named meshes, nested
// Town / District / House / parts. The parts of the town are in ./town, its plan in ./town/plan.mjs.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Scene } from 'three';
import { makeBeach } from './town/beach.mjs';
import { makeBridges } from './town/bridges.mjs';
import { makeFields } from './town/fields.mjs';
import { toGlb } from './town/glb.mjs';
import { makeGround } from './town/ground.mjs';
import { makeHarbour } from './town/harbour.mjs';
import { makeHouses } from './town/houses.mjs';
import { makeMill } from './town/mill.mjs';
import { districts } from './town/plan.mjs';
import { makeRiver } from './town/river.mjs';
import { group } from './town/scene.mjs';
import { Space } from './town/space.mjs';
import { makeSquare } from './town/square.mjs';
import { makeStreets } from './town/streets.mjs';
import { makeTraffic } from './town/traffic.mjs';
import { makeTrees } from './town/trees.mjs';

// The order matters where things compete for ground: what comes first takes its place in `space`.
function makeTown() {
  const scene = new Scene();
  scene.name = 'Town scene';
  const town = group(scene, 'Town');
  const space = new Space();
  makeGround(town);
  makeRiver(town);
  const roads = makeStreets(town);
  makeBridges(town);
  const quarters = new Map(districts.map((d) => [d, group(town, d.name, { x: d.x, z: d.z })]));
  const named = (name) => districts.find((d) => d.name.endsWith(name));
  const quarter = (name) => [quarters.get(named(name)), named(name), space];
  const onSquare = makeSquare(...quarter('Old Town'));
  makeMill(...quarter('Mill Hill'));
  makeFields(quarters, space);
  makeHarbour(...quarter('Harbour'));
  makeBeach(...quarter('Eastside'));
  const houses = makeHouses(quarters, space);
  const counts = { houses, ...makeTrees(quarters, space, onSquare, { trees: 215, bushes: 50 }), ...makeTraffic(roads) };
  return { scene, counts };
}

const { scene, counts } = makeTown();
let meshes = 0;
scene.traverse((object) => {
  if (object.isMesh) meshes += 1;
});
const glb = await toGlb(scene);
writeFileSync(fileURLToPath(new URL('../town.glb', import.meta.url)), glb);
console.log(`town.glb: ${meshes} meshes, ${glb.length} bytes`, counts);
