// A stone bridge wherever a street meets the river: arches below the roadway, parapets beside it.

import { onLand, streets } from './plan.mjs';
import { group, mesh } from './scene.mjs';
import { box, extrude, merge } from './solids.mjs';

const BED = -3.8;

export function makeBridges(town) {
  const parent = group(town, 'Bridges');
  let count = 0;
  for (const street of streets) {
    const wet = street.samples.filter(({ x, z }) => !onLand(x, z));
    if (!wet.length) continue;
    count += 1;
    const [first, last] = [wet[0], wet[wet.length - 1]];
    const length = Math.hypot(last.x - first.x, last.z - first.z) + 7;
    const placement = {
      x: (first.x + last.x) / 2,
      z: (first.z + last.z) / 2,
      turn: -Math.atan2(last.z - first.z, last.x - first.x),
    };
    makeBridge(group(parent, `Bridge ${count}`, placement), `Bridge ${count}`, length, street.half + street.walk);
  }
}

// Along x. The top stays just below the street, which runs across.
function makeBridge(parent, name, length, half) {
  const arches = [-1, 0, 1].map((k) => arch((k * (length - 5)) / 3, (length - 5) / 3 - 1.2));
  const outline = [
    [-length / 2, BED],
    [length / 2, BED],
    [length / 2, 0.04],
    [-length / 2, 0.04],
  ];
  mesh(parent, `${name} arches`, extrude(outline, 2 * half + 0.9, arches), 'Stone');
  for (const [side, k] of [
    ['left', -1],
    ['right', 1],
  ]) {
    const z = k * (half + 0.15);
    mesh(parent, `${name} parapet ${side}`, box(length, 1.35, 0.5, 0, -0.3, z), 'Stone');
    mesh(parent, `${name} coping ${side}`, box(length, 0.16, 0.7, 0, 1.05, z), 'Paving');
    const posts = [-1, 1].map((end) => box(1, 1.9, 1, (end * length) / 2, -0.4, z));
    mesh(parent, `${name} posts ${side}`, merge(posts), 'Stone');
    const caps = [-1, 1].map((end) => box(1.3, 0.25, 1.3, (end * length) / 2, 1.5, z));
    mesh(parent, `${name} caps ${side}`, merge(caps), 'Paving');
  }
}

function arch(x, width) {
  const [foot, spring, crown] = [BED + 0.1, -2.3, -0.4];
  const top = Array.from({ length: 7 }, (_, i) => {
    const angle = (Math.PI * i) / 6;
    return [x + (width / 2) * Math.cos(angle), spring + (crown - spring) * Math.sin(angle)];
  });
  return [[x - width / 2, foot], [x + width / 2, foot], ...top];
}
