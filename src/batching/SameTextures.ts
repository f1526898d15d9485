import { Texture } from 'three';
import { getOrMake } from '../core/arrays.js';
import { inWords } from '../core/options.js';
import { Pauses } from '../core/pauses.js';
import { copyOf, isEqual, wordFor } from '../scene/facts/MaterialTraits.js';
import { areImagesEqual, identityOfImage, isFixed, kindOfImage, readableParts, sampleImage } from './comparedImages.js';

/** An image, which equal textures share. */
interface SameImage {
  readonly number: number;
  /** How many share it. */
  users: number;
  /** See `sampleImage`; null where the image cannot be read, undefined where it has not been. */
  sample: number | null | undefined;
}

/** Milliseconds for which an edited texture has to rest before it is compared with others again. */
const REST = 250;

/** Of no account to a sampler, or compared with the image. The matrix counts where it is not made of the rest. */
const IGNORED =
  /^(uuid|name|source|version|userData|mipmaps|updateRanges|onUpdate|renderTarget|pmrem.*|matrix|is[A-Z].*)$/;

let declared: readonly string[] | null = null;

/** Names of all that a sampler sees, besides the image. */
export function settingsOf({ matrixAutoUpdate }: Texture): readonly string[] {
  declared ??= Object.keys(new Texture()).filter((name) => !IGNORED.test(name));
  return matrixAutoUpdate ? declared : [...declared, 'matrix'];
}

/** A texture in use, as it was in its present version. */
class KnownTexture {
  readonly texture: Texture;
  users = 0;
  version = -1;
  /** See `kindOfImage`; null as well for one that has changed without a new version, which is like no other from then on. */
  kind: string | null = null;
  identity: unknown = null;
  image: SameImage = { ...newImage(), users: 1 };
  changedAt = Number.NEGATIVE_INFINITY;
  /** Whether its image was compared with all others of the kind that had been compared. */
  isCompared = false;
  #settings: readonly (readonly [name: string, value: unknown])[] = [];
  #words = '';

  constructor(texture: Texture) {
    this.texture = texture;
  }

  /** The same for textures that draw the same, and for no others. One whose image no other has is known by that alone. */
  get word(): string {
    const { number, users } = this.image;
    return users === 1 ? `${number}` : `${number} ${this.#words}`;
  }

  /** Reads it anew. */
  read(): void {
    const { texture } = this;
    this.version = texture.version;
    this.kind = kindOfImage(texture);
    this.identity = identityOfImage(texture);
    const names = settingsOf(texture);
    this.#settings = names.map((name) => [name, copyOf(texture[name as never])]);
    this.#words = names.map((name) => wordFor(texture[name as never])).join();
  }

  /** True while it is as it was when it was read. */
  get isAsRead(): boolean {
    const { texture } = this;
    if (texture.version !== this.version || identityOfImage(texture) !== this.identity) return false;
    // A bitmap that was closed has no size.
    if (isFixed(texture) && kindOfImage(texture) !== this.kind) return false;
    for (const [name, value] of this.#settings) {
      const now: unknown = texture[name as never];
      if (now !== value && !isEqual(value, now)) return false;
    }
    return true;
  }
}

export function isTexture(value: unknown): value is Texture {
  return (value as Partial<Texture> | null | undefined)?.isTexture === true;
}

let images = 0;

function newImage(): SameImage {
  return { number: ++images, users: 0, sample: undefined };
}

/**
 * Finds textures that draw the same: with the same settings, and of equal images. Files that are loaded one by one have an
 * image each of the palette or atlas that they share. Pixels are compared in the pauses between pictures, each image once
 * with one of each other image of its kind.
 *
 * A texture that gets a new version is compared anew; one that changes in any other way is like no other until it does.
 */
export class SameTextures {
  readonly #known = new Map<Texture, KnownTexture>();
  readonly #byKind = new Map<string, Set<KnownTexture>>();
  readonly #waiting = new Set<KnownTexture>();
  #isBusy = false;
  /** Textures have turned out to be equal, or have changed. */
  #hasChanged = false;
  readonly #onEqual: () => void;

  /** @param onEqual Called in a pause, when textures have turned out to be equal. */
  constructor(onEqual: () => void) {
    this.#onEqual = onEqual;
  }

  retain(texture: Texture): void {
    const known = getOrMake(this.#known, texture, () => new KnownTexture(texture));
    if (known.users++ === 0) this.#enter(known);
  }

  release(texture: Texture): void {
    const known = this.#known.get(texture);
    if (known === undefined || --known.users > 0) return;
    this.#leave(known);
    this.#known.delete(texture);
  }

  /** The same for textures in use that draw the same, and for no others. */
  wordOf(texture: Texture): string {
    return this.#known.get(texture)?.word ?? '';
  }

  /** True for textures in use whose images are equal, whatever their settings. */
  haveSameImage(a: Texture, b: Texture): boolean {
    const image = this.#known.get(a)?.image;
    return image !== undefined && image === this.#known.get(b)?.image;
  }

  /** The same word for textures whose images are equal, or have the same name and size but cannot be compared. */
  imageOf(texture: Texture): string {
    const { name, source, uuid } = texture;
    const { kind, image } = this.#known.get(texture) ?? {};
    if (image !== undefined && image.sample !== null && kind?.includes(source.uuid) === false) return `${image.number}`;
    const { width, height } = (source.data ?? {}) as Partial<HTMLImageElement>;
    return name && width ? `${inWords(name)} ${width} ${height}` : uuid;
  }

  /** Looks at all textures in use, once a frame; true when any of them draws as others do from now on, or ceases to. */
  takeChanges(): boolean {
    const now = performance.now();
    for (const known of this.#known.values()) {
      const isNew = known.texture.version !== known.version;
      // Whether it draws as others do is asked only of one that does.
      if (!isNew && (known.image.users === 1 || known.isAsRead)) continue;
      this.#leave(known);
      if (!isNew) continue;
      known.changedAt = now;
      this.#enter(known);
    }
    const hasChanged = this.#hasChanged;
    this.#hasChanged = false;
    return hasChanged;
  }

  /** Reads a texture that is new, or has a new version. */
  #enter(known: KnownTexture): void {
    const { identity, texture } = known;
    known.read();
    if (known.kind === null) return;
    const others = getOrMake(this.#byKind, known.kind, () => new Set());
    const isEdited = identity === known.identity && !isFixed(texture);
    known.isCompared = false;
    for (const twin of others) {
      if (twin.identity !== known.identity) continue;
      // Twins have uploaded what was there before the image was edited in place.
      if (isEdited && twin.changedAt < known.changedAt) this.#leave(twin);
      else if (twin.image !== known.image) {
        this.#share(known, twin.image);
        known.isCompared = twin.isCompared;
      }
    }
    others.add(known);
    if (!known.isCompared) this.#wait(known);
  }

  #wait(known: KnownTexture): void {
    this.#waiting.add(known);
    void this.#run();
  }

  /** Has a texture be like no other until it has a new version. */
  #leave(known: KnownTexture): void {
    const { kind } = known;
    const others = kind === null ? undefined : this.#byKind.get(kind);
    others?.delete(known);
    if (others?.size === 0) this.#byKind.delete(kind as string);
    known.kind = null;
    if (known.image.users > 1) this.#share(known, newImage());
    else known.image.sample = undefined;
  }

  #share(known: KnownTexture, image: SameImage): void {
    known.image.users--;
    image.users++;
    known.image = image;
    this.#hasChanged = true;
  }

  async #run(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const pauses = new Pauses();
    for (const known of this.#waiting) {
      this.#waiting.delete(known);
      const rest = known.changedAt + REST - performance.now();
      if (rest <= 0) await this.#compare(known, pauses);
      else setTimeout(() => this.#wait(known), rest);
    }
    this.#isBusy = false;
    if (this.#hasChanged) this.#onEqual();
  }

  /** Compares the image of a texture with the others of its kind. */
  async #compare(known: KnownTexture, pauses: Pauses): Promise<void> {
    const tried = new Set([known.image]);
    known.isCompared = true;
    for (let other = this.#untried(known, tried); other !== null; other = this.#untried(known, tried)) {
      const { image } = other;
      tried.add(image);
      // Silent changes were of no account so far; and there is time for more while pixels are compared.
      if (!this.#leaveChanged(known, other) || !(await compareImages(known, other, pauses))) continue;
      if (!known.isCompared || !this.#leaveChanged(known, other) || other.image !== image) continue;
      this.#merge(known, other);
      return;
    }
  }

  /** True where two textures are as they were read; else what has changed since is like no other. */
  #leaveChanged(...both: readonly KnownTexture[]): boolean {
    const changed = both.filter(({ isAsRead }) => !isAsRead);
    for (const one of changed) this.#leave(one);
    return changed.length === 0;
  }

  /** Gives textures of two equal images the one that more of them have. */
  #merge(a: KnownTexture, b: KnownTexture): void {
    const [{ image: few, kind }, { image: more }] = a.image.users > b.image.users ? [b, a] : [a, b];
    for (const one of this.#byKind.get(kind as string) ?? []) if (one.image === few) this.#share(one, more);
  }

  /** One of the kind with an image that is yet to be compared with that of a texture; null for none. */
  #untried({ kind, isCompared }: KnownTexture, tried: ReadonlySet<SameImage>): KnownTexture | null {
    const others = isCompared && kind !== null ? this.#byKind.get(kind) : undefined;
    for (const other of others ?? []) if (other.isCompared && !tried.has(other.image)) return other;
    return null;
  }
}

/** Resolved with true for equal images. What cannot be read equals nothing. */
async function compareImages(known: KnownTexture, other: KnownTexture, pauses: Pauses): Promise<boolean> {
  try {
    const sample = await sampleOf(known, pauses);
    if (sample === null || sample !== (await sampleOf(other, pauses))) return false;
    const [a, b] = [await readableParts(known.texture), await readableParts(other.texture)];
    return a !== null && b !== null && (await areImagesEqual(a, b, pauses));
  } catch {
    known.image.sample = other.image.sample = null;
    return false;
  }
}

async function sampleOf({ image, texture }: KnownTexture, pauses: Pauses): Promise<number | null> {
  if (image.sample !== undefined) return image.sample;
  // Unless it can be read.
  image.sample = null;
  const parts = await readableParts(texture);
  if (parts !== null) image.sample = await sampleImage(parts, pauses);
  return image.sample;
}
