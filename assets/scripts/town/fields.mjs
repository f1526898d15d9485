// Southfields and the meadows: wheat and vegetable fields row by row, and hay bales.

import { districtAt } from './plan.mjs';
import { random } from './random.mjs';
import { group, mesh, shared } from './scene.mjs';
import { drum, QUARTER, unitBox } from './solids.mjs';

const FIELDS = [
  { x: -103, z: 62, width: 24, depth: 26, turn: 0.12, rows: 9, crop: 'Sand', height: 0.7 },
  { x: -104, z: 96, width: 22, depth: 26, turn: -0.05, rows: 9, crop: 'Leaf', height: 0.5 },
  { x: -76, z: 100, width: 24, depth: 24, turn: 0.1, rows: 9, crop: 'Sand', height: 0.7 },
  { x: 105, z: 17, width: 18, depth: 22, turn: -0.1, rows: 7, crop: 'Leaf', height: 0.5 },
  { x: -108, z: 20, width: 16, depth: 26, turn: 0.03, rows: 6, crop: 'Leaf', height: 0.5 },
];

export function makeFields(quarters, space) {
  const rng = random(111);
  let bales = 0;
  const unit = unitBox();
  const bale = shared('bale', () => drum(0.8, 0.8, 1.4, 10, 0, -0.7).rotateX(QUARTER));
  FIELDS.forEach((field, i) => {
    const { x, z, width, depth, turn, rows, crop, height } = field;
    if (!space.isFree(field) || !space.isBuildable(field, { street: 1, bank: 2 })) {
      throw new Error(`make-town: field ${i + 1} has no room`);
    }
    space.take(field);
    const district = districtAt(x, z);
    const name = `Field ${i + 1}`;
    const plot = group(quarters.get(district), name, { x: x - district.x, z: z - district.z, turn });
    mesh(plot, `${name} soil`, unit, 'Earth', { scale: [width, 0.1, depth] });
    const pitch = width / rows;
    for (let row = 0; row < rows; row++) {
      const at = {
        x: (row + 0.5) * pitch - width / 2,
        scale: [pitch * 0.62, height * rng.between(0.85, 1.1), depth - 1.2],
      };
      mesh(plot, `${name} row ${row + 1}`, unit, crop, at);
    }
    if (crop !== 'Sand') return;
    for (let k = 0; k < 4; k++) {
      const [bx, bz] = [rng.between(-width, width) / 2, depth / 2 + 2.4 + rng.between(0, 1)];
      const footprint = {
        x: x + bx * Math.cos(turn) + bz * Math.sin(turn),
        z: z - bx * Math.sin(turn) + bz * Math.cos(turn),
        width: 2.2,
        depth: 2.2,
      };
      if (!space.isFree(footprint) || !space.isBuildable(footprint, { street: 0.5 })) continue;
      space.take(footprint);
      mesh(plot, `Hay bale ${++bales}`, bale, 'Sand', { x: bx, z: bz, y: 0.78, turn: rng.between(0, 3) });
    }
  });
}
