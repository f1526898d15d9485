// Textures of scans: small PNGs of sixteen colours.

import { crc32, deflateSync } from 'node:zlib';
import { hash } from './noise.mjs';
import { COLUMNS, ROWS } from './surface.mjs';

const COLOURS = 16;

/**
 * Paints a scan: `tone` says for a point which ramp of colours it has, and how light it is there, 0 to 1. Ramps share the
 * sixteen colours of the palette. Drawings with sharp borders need more pixels: `height` is half their number across.
 */
export function pictureOf({ positions, cavities }, { ramps, tone, height = 256 }) {
  const width = 2 * height;
  const each = COLOURS / ramps.length;
  const rows = [];
  const at = (values, size, axis, x, y) => {
    const [column, row] = [Math.min(COLUMNS - 1, Math.floor(x)), Math.min(ROWS - 1, Math.floor(y))];
    const [u, v] = [x - column, y - row];
    const value = (c, r) => values[size * ((row + r) * (COLUMNS + 1) + column + c) + axis];
    return (1 - v) * ((1 - u) * value(0, 0) + u * value(1, 0)) + v * ((1 - u) * value(0, 1) + u * value(1, 1));
  };
  for (let y = 0; y < height; y++) {
    const line = Buffer.alloc(1 + width / 2);
    for (let x = 0; x < width; x++) {
      const [column, row] = [(COLUMNS * (x + 0.5)) / width, (ROWS * (y + 0.5)) / height];
      const point = [0, 1, 2].map((axis) => at(positions, 3, axis, column, row));
      const [ramp, light] = tone(point, at(cavities, 1, 0, column, row), x / width);
      // Grain hides the steps between colours.
      const step = Math.floor(light * (each - 1) + 0.5 + 0.7 * (hash(x, y, 5) - 0.5));
      const colour = ramp * each + Math.min(each - 1, Math.max(0, step));
      line[1 + (x >> 1)] |= colour << (x & 1 ? 0 : 4);
    }
    rows.push(line);
  }
  const palette = ramps.flatMap((stops) => Array.from({ length: each }, (_, i) => between(stops, i / (each - 1))));
  return png(width, height, Buffer.concat(rows), Buffer.from(palette.flat()));
}

function between(stops, t) {
  const i = Math.min(stops.length - 2, Math.floor(t * (stops.length - 1)));
  const [a, b] = [stops[i], stops[i + 1]].map((hex) => [1, 3, 5].map((o) => Number.parseInt(hex.slice(o, o + 2), 16)));
  const s = t * (stops.length - 1) - i;
  return a.map((value, channel) => Math.round(value + (b[channel] - value) * s));
}

function png(width, height, lines, palette) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Four bits a pixel, by a palette.
  header.set([4, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    part('IHDR', header),
    part('PLTE', palette),
    part('IDAT', deflateSync(lines, { level: 9 })),
    part('IEND', Buffer.alloc(0)),
  ]);
}

function part(name, content) {
  const body = Buffer.concat([Buffer.from(name, 'ascii'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
