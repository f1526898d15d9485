import { ModelError } from './ModelError.js';

/** Limit of all files together; a larger model would block the page for long. */
const MAX_MEGABYTES = 100;

/** The files that a visitor chose or dropped. Models find theirs among them, by address. */
export class GivenFiles {
  readonly #files: readonly File[];
  readonly #urls = new Map<File, string>();
  #bytes = 0;

  constructor(files: readonly File[]) {
    this.#files = files;
  }

  /** Models in the order of their paths, because a folder gives its files in any order. */
  get models(): File[] {
    const models = this.#files.filter(({ name }) => /\.(glb|gltf)$/i.test(name));
    return models.sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
  }

  /** The file at an address beside the model. If folders are lost, the file whose path ends most like the address. */
  find(uri: string, model: File): File | undefined {
    const name = decoded(uri);
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(name)) return undefined;
    const wanted = [...pathOf(model).split('/').slice(0, -1), ...name.split(/[\\/]/)].reduce(step, []);
    let [best, most] = [undefined as File | undefined, 0];
    for (const file of this.#files) {
      const alike = sharedEnd(pathOf(file).split('/'), wanted);
      if (alike > most) [best, most] = [file, alike];
    }
    return best;
  }

  /** The address of a file, the same for all models, as a server gives it. Throws once all together are too much. */
  take(file: File, model: string): string {
    const known = this.#urls.get(file);
    if (known) return known;
    if (this.#bytes + file.size > MAX_MEGABYTES * 1e6) {
      throw new ModelError(`${model}: more than ${MAX_MEGABYTES} MB are too much for this page.`);
    }
    this.#bytes += file.size;
    const url = URL.createObjectURL(file);
    this.#urls.set(file, url);
    return url;
  }

  release(): void {
    for (const url of this.#urls.values()) URL.revokeObjectURL(url);
  }
}

/** The path from the folder that was chosen or dropped. */
export function pathOf(file: File): string {
  return file.webkitRelativePath || file.name;
}

export function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    // Not encoded: taken as it is.
    return uri;
  }
}

function step(path: string[], to: string): string[] {
  if (to === '..') return path.slice(0, -1);
  return to === '.' ? path : [...path, to];
}

/** The number of equal names at the end of two paths. */
function sharedEnd(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && count < other.length && one.at(-1 - count) === other.at(-1 - count)) count++;
  return count;
}
