import citiesUrl from '../../../assets/cities.bin?url';

export interface Cities {
  count: number;
  longitude: Float32Array;
  latitude: Float32Array;
  population: Uint32Array;
  country(place: number): string;
  nameOf(place: number): string;
}

export async function loadCities(): Promise<Cities> {
  const response = await fetch(citiesUrl);
  if (!response.ok) throw new Error(`The places could not be loaded (HTTP ${response.status}).`);
  return readCities(await response.arrayBuffer());
}

/** Reads the format that assets/README.md describes. Places are sorted by population, largest first. */
function readCities(buffer: ArrayBuffer): Cities {
  const view = new DataView(buffer);
  if (view.getUint32(0) !== 0x43495459) throw new Error('This is not a file of places.');
  const count = view.getUint32(8, true);
  const codes = new Uint8Array(buffer, 12 + 12 * count, 2 * count);
  const namesAt = Math.ceil((12 + 14 * count) / 4) * 4;
  const bytes = new Uint8Array(buffer, namesAt + 4, view.getUint32(namesAt, true));
  const names = new TextDecoder().decode(bytes).split('\n');
  const countries = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });
  return {
    count,
    longitude: new Float32Array(buffer, 12, count),
    latitude: new Float32Array(buffer, 12 + 4 * count, count),
    population: new Uint32Array(buffer, 12 + 8 * count, count),
    country(place) {
      const code = String.fromCharCode(codes[2 * place]!, codes[2 * place + 1]!);
      try {
        return countries.of(code) ?? code;
      } catch {
        return code;
      }
    },
    nameOf: (place) => names[place]!,
  };
}
