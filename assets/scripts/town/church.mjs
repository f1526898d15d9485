// The church: nave, apse and a tower with belfry, clock and spire. The nave lies along z, its tower at +z.

import { points } from './points.mjs';
import { random } from './random.mjs';
import { group, mesh } from './scene.mjs';
import { box, cone, drum, extrude, gabled, lump, merge, QUARTER } from './solids.mjs';

export function makeChurch(church) {
  const roof = points('5.7 6.1, 5.7 6.6, 0 12.9, -5.7 6.6, -5.7 6.1, 0 12.3');
  mesh(church, 'Church nave', gabled(10, 7, 5.5, 14), 'Wall cream', { z: -3 });
  mesh(church, 'Church nave roof', extrude(roof, 15), 'Roof terracotta', { z: -3.2 });
  mesh(church, 'Church plinth', merge(box(10.5, 0.5, 14.4, 0, 0, -3), box(6.5, 0.5, 6.3, 0, 0, 6.6)), 'Stone');
  mesh(church, 'Church apse', drum(3.6, 3.6, 5.5, 8), 'Wall cream', { z: -10.2, turn: Math.PI / 8 });
  mesh(church, 'Church apse roof', cone(4.2, 2.8, 8, 0, 5.4), 'Roof terracotta', { z: -10.2, turn: Math.PI / 8 });
  const buttress = (x, z) => merge(box(0.7, 4.6, 0.8, x, 0, z), box(0.4, 1.2, 0.6, x - Math.sign(x) * 0.15, 4.6, z));
  const buttresses = [-8.6, -5.2, -1.8, 1.6].flatMap((z) => [buttress(-5.3, z), buttress(5.3, z)]);
  mesh(church, 'Church buttresses', merge(buttresses), 'Stone');
  const arched = (w, h) => gabled(2 * w, h, w * 1.3, 0.3);
  const sideWindow = (x, z) => arched(0.55, 2.6).rotateY(QUARTER).translate(x, 2.2, z);
  const sideWindows = [-6.9, -3.5, -0.1].flatMap((z) => [sideWindow(-5, z), sideWindow(5, z)]);
  mesh(church, 'Church windows', merge(sideWindows), 'Glass');

  const tower = group(church, 'Church tower', { z: 6.6 });
  mesh(tower, 'Church tower shaft', box(6, 17, 6), 'Wall cream');
  mesh(tower, 'Church tower belts', merge(box(6.3, 0.4, 6.3, 0, 10), box(6.5, 0.5, 6.5, 0, 16.8)), 'Stone');
  const round = (make) => [0, 1, 2, 3].map((k) => make().rotateY(k * QUARTER));
  const belfry = round(() => merge([-1.1, 1.1].map((x) => arched(0.6, 2.4).translate(x, 12.2, 2.95))));
  mesh(tower, 'Church belfry openings', merge(belfry), 'Iron');
  const dial = () => drum(1.1, 1.1, 0.2, 12).rotateX(QUARTER).translate(0, 8.2, 3.05);
  mesh(tower, 'Church clock', merge(round(dial)), 'White');
  const hands = () => merge(box(0.14, 0.8, 0.1, 0, 8.2, 3.26), box(0.55, 0.14, 0.1, 0.25, 8.15, 3.26));
  mesh(tower, 'Church clock hands', merge(round(hands)), 'Iron');
  mesh(tower, 'Church spire', cone(4.5, 13, 4), 'Roof slate', { y: 17.25, turn: Math.PI / 4 });
  mesh(tower, 'Church spire ball', lump(0.45, 1, random(1)), 'Wall ochre', { y: 30.3 });
  mesh(tower, 'Church spire cross', merge(box(0.16, 1.7, 0.16), box(0.9, 0.16, 0.15, 0, 1)), 'Wall ochre', { y: 30.6 });
  mesh(tower, 'Church door', arched(1.1, 2.6), 'Wood', { z: 3 });
  mesh(tower, 'Church door arch', arched(1.45, 2.75), 'Stone', { z: 2.92 });
  mesh(tower, 'Church steps', merge(box(4, 0.2, 1.6, 0, 0, 3.9), box(3.2, 0.2, 1, 0, 0.2, 3.6)), 'Stone');
}
