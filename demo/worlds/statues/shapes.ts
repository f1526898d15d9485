import {
  BufferGeometry,
  Float32BufferAttribute,
  MathUtils,
  TorusKnotGeometry,
  Vector3 as Vector,
  type Vector3,
} from 'three';

/** Quads around each shape, and from its foot to its top. */
const AROUND = 128;
const UP = 96;
const TURN = 2 * Math.PI;

/** Sets a point of a surface: `angle` around it, and `up` from 0 to 1. */
type Surface = (point: Vector3, angle: number, up: number) => Vector3;

/** What stands in the park, each of about a metre, from its foot at the origin upwards: carved finer than one needs from afar. */
export function statues(): readonly (readonly [name: string, geometry: BufferGeometry])[] {
  return [
    ['Vase', carve(vase)],
    ['Pillar', carve(pillar)],
    ['Coral', carve(coral)],
    ['Flame', carve(flame)],
    ['Knot', new TorusKnotGeometry(0.32, 0.1, 360, 32).translate(0, 0.52, 0)],
  ];
}

/** A closed surface of quads, smooth all around. */
function carve(surface: Surface): BufferGeometry {
  const point = new Vector();
  const places: number[] = [];
  for (let row = 0; row <= UP; row++) {
    for (let k = 0; k < AROUND; k++) surface(point, (TURN * k) / AROUND, row / UP).toArray(places, places.length);
  }
  const triangles: number[] = [];
  for (let row = 0; row < UP; row++) {
    for (let k = 0; k < AROUND; k++) {
      const a = AROUND * row + k;
      const b = AROUND * row + ((k + 1) % AROUND);
      triangles.push(a, a + AROUND, b, b, a + AROUND, b + AROUND);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(places, 3)).setIndex(triangles);
  geometry.computeVertexNormals();
  return geometry;
}

/** A point at a distance from the axis. */
function ring(point: Vector3, angle: number, radius: number, height: number): Vector3 {
  return point.set(radius * Math.cos(angle), height, radius * Math.sin(angle));
}

/** Zero at both ends of the way up, where a shape is closed. */
function closed(up: number): number {
  return Math.min(1, 24 * up) * Math.min(1, 24 * (1 - up));
}

const vase: Surface = (point, angle, up) => {
  const belly = 0.1 + 0.26 * Math.sin(Math.PI * Math.min(1, 1.25 * up)) ** 2 + 0.1 * MathUtils.smoothstep(up, 0.8, 1);
  const flutes =
    1 + 0.07 * Math.cos(20 * angle) * MathUtils.smoothstep(up, 0.1, 0.3) * (1 - MathUtils.smoothstep(up, 0.6, 0.8));
  return ring(point, angle, belly * flutes * closed(up), up);
};

const pillar: Surface = (point, angle, up) => {
  const turned = angle + 4 * up;
  const corners = (Math.abs(Math.cos(turned)) ** 3 + Math.abs(Math.sin(turned)) ** 3) ** (-1 / 3);
  const swell = 1 + 0.14 * Math.sin(9 * Math.PI * up) ** 2;
  return ring(point, angle, 0.2 * corners * swell * closed(up), up);
};

const coral: Surface = (point, angle, up) => {
  const bumps = Math.sin(7 * angle) * Math.sin(9 * Math.PI * up) + 0.5 * Math.sin(13 * angle + 20 * up);
  return ring(
    point,
    angle,
    0.4 * Math.sin(Math.PI * up) ** 0.6 * (1 + 0.16 * bumps * Math.sin(Math.PI * up)),
    0.9 * up,
  );
};

const flame: Surface = (point, angle, up) => {
  const tongues = 1 + 0.3 * Math.cos(5 * angle + 6 * up) * up;
  ring(point, angle, 0.36 * (1 - up) ** 0.7 * tongues * closed(up), 1.1 * up);
  point.x += 0.12 * Math.sin(5 * up);
  return point;
};
