import type { BuiltInWorld, WorldValues } from '../state/catalogue.js';
import type { World } from './contract/World.js';
import { fetchSample, type Sample } from './model/samples.js';

export { SAMPLES } from './model/samples.js';

/** Called with the share that is loaded, 0 to 1. */
type Progress = (share: number) => void;

type Loaders = { [N in BuiltInWorld]: (values: WorldValues<N>, onProgress: Progress) => Promise<World> };

/** Each import is a file of its own in the build: the page fetches only the world it shows. */
const LOADERS: Loaders = {
  town: async (values) => (await import('./town/townWorld.js')).townWorld(values),
  cities: async (_, onProgress) => (await import('./cities/citiesWorld.js')).citiesWorld(onProgress),
  million: async (values) => new (await import('./million/Million.js')).Million(values),
  collisions: async (values) => (await import('./collisions/Collisions.js')).collisionsWorld(values),
  street: async (values) => new (await import('./street/StreetWorld.js')).StreetWorld(values),
  museum: async (values) => (await import('./museum/MuseumWorld.js')).museumWorld(values),
  range: async (values) => new (await import('./range/RangeWorld.js')).RangeWorld(values),
};

/** Loads a world. It keeps `values`, and reads them again when one changes. */
export function loadWorld<N extends BuiltInWorld>(
  name: N,
  values: WorldValues<N>,
  onProgress: Progress,
): Promise<World> {
  return LOADERS[name](values, onProgress);
}

/** Loads and measures a model of the user's, or a sample. */
export async function loadModel(
  given: readonly File[] | Sample,
  onProgress: Progress,
  signal: AbortSignal,
): Promise<World> {
  const files = 'url' in given ? [await fetchSample(given)] : given;
  return (await import('./model/droppedWorld.js')).droppedWorld(files, onProgress, signal);
}
