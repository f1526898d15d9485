// A machine as programs write it that make a material for each part: a hall of presses on a line, with gears that turn.

import {
  AnimationClip,
  CylinderGeometry,
  ExtrudeGeometry,
  Group,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  Quaternion,
  QuaternionKeyframeTrack,
  Scene,
  Shape,
  TorusGeometry,
  Vector3,
} from 'three';
import { box, hexagon, part, rod } from './parts.mjs';

const COLOURS = { frame: 0x3d5a73, steel: 0x9aa4ad, brass: 0xc7a14a, dark: 0x2b3036, red: 0xb8412f, pipe: 0x7d8f96 };

/** A material of its own for each part, as `<meshStandardMaterial color="…" />` gives. */
const own = (colour) => new MeshStandardMaterial({ color: COLOURS[colour], roughness: 0.6, metalness: 0.2 });

const tube = new CylinderGeometry(0.5, 0.5, 1, 10, 1, true);
const ring = new TorusGeometry(0.5, 0.08, 6, 20);
const gear = makeGear();

const LINES = 2;
const STATIONS = 8;
/** Seconds of a turn. */
const TURN = 6;

export function makeMachine() {
  const scene = new Scene();
  scene.name = 'Machine';
  const gears = [];
  for (let line = 0; line < LINES; line++) makeLine(scene, line, gears);
  return { scene, animations: [turning(gears)] };
}

function makeLine(scene, number, gears) {
  const line = new Group();
  line.name = `Line ${number}`;
  line.position.z = number * 9;
  scene.add(line);
  part(line, `Base ${number}`, box, own('dark'), [0, -0.3, 0], [STATIONS * 5 + 2, 0.3, 7]);
  for (let i = 0; i < STATIONS; i++) makeStation(line, number * STATIONS + i + 1, -17.5 + 5 * i, gears);
  for (let i = 0; i < 80; i++) {
    const place = [-19.75 + i * 0.5, 0.9, -2.4];
    part(line, `Roller ${number} ${i}`, rod, own('steel'), place, [0.24, 1.6, 0.24], {
      tilt: Math.PI / 2,
      centred: true,
    });
  }
  for (const z of [-3.3, -1.5])
    part(line, `Rail ${number} ${z}`, box, own('frame'), [0, 0.75, z], [STATIONS * 5, 0.3, 0.1]);
}

function makeStation(scene, number, x, gears) {
  const station = new Group();
  station.name = `Station ${number}`;
  station.position.x = x;
  scene.add(station);
  for (const [i, [px, pz]] of [
    [-1.8, -1],
    [1.8, -1],
    [-1.8, 2],
    [1.8, 2],
  ].entries()) {
    part(station, `Post ${number} ${i}`, box, own('frame'), [px, 0, pz], [0.3, 4, 0.3]);
    for (let bolt = 0; bolt < 8; bolt++) {
      part(
        station,
        `Bolt ${number} ${i} ${bolt}`,
        hexagon,
        own('steel'),
        [px + (bolt % 2 ? 0.1 : -0.1), 0.4 + Math.floor(bolt / 2), pz - 0.16],
        [0.1, 0.05, 0.1],
        { tilt: Math.PI / 2, centred: true },
      );
    }
  }
  part(station, `Head ${number}`, box, own('frame'), [0, 4, 0.5], [4.2, 0.5, 3.4]);
  part(station, `Bed ${number}`, box, own('dark'), [0, 0.4, 0.5], [3.4, 0.6, 2.8]);
  part(station, `Ram ${number}`, rod, own('steel'), [0, 1.9, 0.5], [0.7, 2.2, 0.7]);
  part(station, `Die ${number}`, box, own('red'), [0, 1.6, 0.5], [1.6, 0.3, 1.6]);
  for (let i = 0; i < 5; i++) {
    const wheel = part(
      station,
      `Gear ${number} ${i}`,
      gear,
      own(i % 2 ? 'brass' : 'steel'),
      [-1.32 + i * 0.66, 3.2 + (i % 2) * 0.3, -1.3],
      [0.4, 0.4, 0.4],
      { centred: true },
    );
    gears.push({ name: wheel.name, direction: i % 2 ? 1 : -1 });
    part(
      station,
      `Shaft ${number} ${i}`,
      rod,
      own('dark'),
      [-1.32 + i * 0.66, 3.2 + (i % 2) * 0.3, -1.1],
      [0.1, 0.7, 0.1],
      { tilt: Math.PI / 2, centred: true },
    );
  }
  for (let i = 0; i < 6; i++) {
    part(station, `Pipe ${number} ${i}`, tube, own('pipe'), [-1.6 + i * 0.64, 0.5, 2.5], [0.16, 3.6, 0.16]);
    part(station, `Flange ${number} ${i}`, ring, own('brass'), [-1.6 + i * 0.64, 2.2, 2.5], [0.32, 0.32, 0.5], {
      tilt: Math.PI / 2,
      centred: true,
    });
  }
  part(station, `Gauge ${number}`, rod, own('brass'), [1.1, 1.4, -1.2], [0.5, 0.16, 0.5], {
    tilt: Math.PI / 2,
    centred: true,
  });
  const glass = new MeshPhysicalMaterial({ color: 0xffffff, roughness: 0.05, transmission: 0.9 });
  part(station, `Glass ${number}`, rod, glass, [1.1, 1.4, -1.3], [0.46, 0.03, 0.46], {
    tilt: Math.PI / 2,
    centred: true,
  });
}

function makeGear() {
  const teeth = 16;
  const outline = new Shape();
  for (let i = 0; i < 4 * teeth; i++) {
    const angle = (i / (4 * teeth)) * 2 * Math.PI;
    const radius = i % 4 < 2 ? 1 : 0.84;
    outline[i === 0 ? 'moveTo' : 'lineTo'](radius * Math.cos(angle), radius * Math.sin(angle));
  }
  const geometry = new ExtrudeGeometry(outline, { depth: 0.4, bevelEnabled: false });
  return geometry.translate(0, 0, -0.2);
}

/** All gears turn about their axes, neighbours against each other. */
function turning(gears) {
  const axis = new Vector3(0, 0, 1);
  const steps = 8;
  const times = Array.from({ length: steps + 1 }, (_, i) => (i * TURN) / steps);
  const tracks = gears.map(({ name, direction }) => {
    const values = times.flatMap((_, i) => {
      return new Quaternion().setFromAxisAngle(axis, (direction * 2 * Math.PI * i) / steps).toArray();
    });
    return new QuaternionKeyframeTrack(`${name}.quaternion`, times, values);
  });
  return new AnimationClip('Turning', TURN, tracks);
}
