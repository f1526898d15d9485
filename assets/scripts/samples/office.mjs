// Three open-plan floors: rows of desks with the same furniture, meeting rooms behind glass, columns and lamps.

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  MeshStandardMaterial,
  Scene,
} from 'three';
import { box, part, rod } from './parts.mjs';

const paint = (name, color, more = {}) =>
  Object.assign(new MeshStandardMaterial({ color, roughness: 0.9, ...more }), { name });
const MATERIALS = {
  carpet: paint('Carpet', 0x5c6670),
  plaster: paint('Plaster', 0xe8e4dc),
  wood: paint('Wood', 0xc99a66),
  steel: paint('Steel', 0x8a939b, { roughness: 0.5 }),
  plastic: paint('Plastic', 0x24292e, { roughness: 0.6 }),
  screen: paint('Screen', 0x1d4f73, { emissive: 0x123a58, roughness: 0.3 }),
  fabric: [0x3f7f8c, 0xc46a4a, 0x6c7f4a, 0x8a6a9c].map((color, i) => paint(`Fabric ${i + 1}`, color)),
  leaf: paint('Leaf', 0x4d8a3f),
  clay: paint('Clay', 0xb5654a),
  lamp: paint('Lamp', 0xffffff, { emissive: 0xfff2d8 }),
  // Seen from both sides: three draws each pane twice, the back first.
  glass: paint('Glass', 0xbfe0e6, { transparent: true, opacity: 0.3, side: DoubleSide, roughness: 0.1 }),
};

const LINE = Object.assign(new LineBasicMaterial({ color: 0x8a939b }), { name: 'Line' });

const WIDTH = 48;
const DEPTH = 30;

const STOREYS = 3;
const HEIGHT = 3.2;

export function makeOffice() {
  const scene = new Scene();
  scene.name = 'Office';
  for (let storey = 0; storey < STOREYS; storey++) makeStorey(scene, storey);
  return { scene };
}

function makeStorey(office, number) {
  const scene = group(office, `Storey ${number}`);
  scene.position.y = number * HEIGHT;
  const floor = group(scene, 'Shell');
  part(floor, 'Floor', box, MATERIALS.carpet, [0, -0.2, 0], [WIDTH, 0.2, DEPTH]);
  for (const side of [-1, 1])
    part(floor, `Wall ${side}`, box, MATERIALS.plaster, [0, 0, (side * DEPTH) / 2], [WIDTH, 3, 0.2]);
  for (let x = -18; x <= 18; x += 12) {
    for (const z of [-9, 0, 9]) part(floor, `Column ${x} ${z}`, rod, MATERIALS.plaster, [x, 0, z], [0.6, 3, 0.6]);
  }
  let desks = 0;
  for (let row = 0; row < 6; row++) {
    for (let place = 0; place < 16; place++) {
      // Two rows face each other; every fourth place is an aisle.
      if (place % 5 === 4) continue;
      makeDesk(scene, ++desks, -17 + place * 2.2, -8.5 + Math.floor(row / 2) * 6.4 + (row % 2) * 1.7, row % 2);
    }
  }
  for (let room = 0; room < 6; room++) makeRoom(scene, room + 1, -20 + room * 8, 12.4);
  for (let i = 0; i < 36; i++) makeLamp(scene, i + 1, -21 + (i % 9) * 5.2, -11 + Math.floor(i / 9) * 6);
  for (let i = 0; i < 20; i++) makePlant(scene, i + 1, -22 + i * 2.3, -13.6);
  scene.add(grid());
}

function makeDesk(scene, number, x, z, facing) {
  const desk = group(scene, `Desk ${number}`, x, z, facing * Math.PI);
  part(desk, `Top ${number}`, box, MATERIALS.wood, [0, 0.7, 0], [1.6, 0.04, 0.8]);
  for (const side of [-1, 1])
    part(desk, `Leg ${number} ${side}`, box, MATERIALS.steel, [side * 0.72, 0, 0], [0.06, 0.7, 0.7]);
  part(desk, `Stand ${number}`, rod, MATERIALS.plastic, [0, 0.74, 0.2], [0.06, 0.25, 0.06]);
  part(desk, `Case ${number}`, box, MATERIALS.plastic, [0, 0.9, 0.22], [0.62, 0.38, 0.04]);
  part(desk, `Screen ${number}`, box, MATERIALS.screen, [0, 0.92, 0.195], [0.58, 0.34, 0.01]);
  part(desk, `Keyboard ${number}`, box, MATERIALS.plastic, [0, 0.74, -0.15], [0.44, 0.02, 0.14]);
  const chair = group(
    desk,
    `Chair ${number}`,
    ((number * 7) % 5) * 0.05 - 0.1,
    -0.75,
    (((number * 11) % 9) - 4) * 0.12,
  );
  const fabric = MATERIALS.fabric[(number * 13) % 4];
  part(chair, `Seat ${number}`, box, fabric, [0, 0.45, 0], [0.48, 0.08, 0.46]);
  part(chair, `Back ${number}`, box, fabric, [0, 0.6, -0.22], [0.44, 0.5, 0.06]);
  part(chair, `Post ${number}`, rod, MATERIALS.steel, [0, 0.08, 0], [0.07, 0.38, 0.07]);
  for (let i = 0; i < 2; i++)
    part(chair, `Foot ${number} ${i}`, box, MATERIALS.plastic, [0, 0.03, 0], [0.56, 0.05, 0.07], {
      turn: i * (Math.PI / 2),
    });
}

function makeRoom(scene, number, x, z) {
  const room = group(scene, `Room ${number}`, x, z);
  for (let pane = 0; pane < 4; pane++) {
    part(room, `Pane ${number} ${pane}`, box, MATERIALS.glass, [-2.7 + pane * 1.8, 0, -2.2], [1.76, 2.6, 0.03]);
    part(room, `Frame ${number} ${pane}`, box, MATERIALS.steel, [-3.6 + pane * 1.8, 0, -2.2], [0.05, 2.6, 0.06]);
  }
  part(room, `Partition ${number}`, box, MATERIALS.plaster, [3.9, 0, 0], [0.12, 2.6, 4.4]);
  part(room, `Table ${number}`, box, MATERIALS.wood, [0, 0.7, 0], [3.2, 0.05, 1.2]);
  part(room, `Table leg ${number}`, rod, MATERIALS.steel, [0, 0, 0], [0.5, 0.7, 0.5]);
  for (let i = 0; i < 8; i++) {
    const side = i < 4 ? -1 : 1;
    const at = -1.2 + (i % 4) * 0.8;
    part(room, `Stool ${number} ${i}`, rod, MATERIALS.fabric[i % 4], [at, 0, side], [0.42, 0.45, 0.42]);
  }
}

function makeLamp(scene, number, x, z) {
  const lamp = group(scene, `Lamp ${number}`, x, z);
  part(lamp, `Cable ${number}`, box, MATERIALS.plastic, [0, 2.6, 0], [0.02, 0.4, 0.02]);
  part(lamp, `Light ${number}`, box, MATERIALS.lamp, [0, 2.5, 0], [1.4, 0.08, 0.2]);
}

function makePlant(scene, number, x, z) {
  const plant = group(scene, `Plant ${number}`, x, z, number);
  part(plant, `Pot ${number}`, rod, MATERIALS.clay, [0, 0, 0], [0.4, 0.4, 0.4]);
  for (let i = 0; i < 3; i++) {
    part(plant, `Leaf ${number} ${i}`, box, MATERIALS.leaf, [0, 0.4, 0], [0.08, 0.9, 0.3], {
      turn: i * 2.1,
      tilt: 0.35,
    });
  }
}

/** The grid of the floor tiles, drawn as lines. */
function grid() {
  const points = [];
  for (let x = -WIDTH / 2; x <= WIDTH / 2; x += 3) points.push(x, 0.01, -DEPTH / 2, x, 0.01, DEPTH / 2);
  for (let z = -DEPTH / 2; z <= DEPTH / 2; z += 3) points.push(-WIDTH / 2, 0.01, z, WIDTH / 2, 0.01, z);
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  const lines = new LineSegments(geometry, LINE);
  lines.name = 'Floor grid';
  return lines;
}

function group(parent, name, x = 0, z = 0, turn = 0) {
  const made = new Group();
  made.name = name;
  made.position.set(x, 0, z);
  made.rotation.y = turn;
  parent.add(made);
  return made;
}
