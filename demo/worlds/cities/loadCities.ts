import citiesUrl from '../../../assets/cities.bin?url';
import { type Cities, readCities } from './readCities.js';

export async function loadCities(): Promise<Cities> {
  const response = await fetch(citiesUrl);
  if (!response.ok) throw new Error(`The places could not be loaded (HTTP ${response.status}).`);
  return readCities(await response.arrayBuffer());
}
