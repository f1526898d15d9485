import { Texture } from 'three';
import { getOrMake } from '../core/arrays.js';
import { inWords } from '../core/options.js';
import { EDIT_REST_MS, Pauses } from '../core/pauses.js';
import { copyOf, isEqualValue, wordFor } from '../three/MaterialTraits.js';
import { type Canvases, identityOfImage, isFixed, kindOfImage, openImage } from './comparedImages.js';

/** Properties without effect on a sampler, or compared with the image. The matrix counts if it is set by hand. */
const IGNORED_OF_TEXTURES =
  /^(uuid|name|source|version|userData|mipmaps|updateRanges|onUpdate|renderTarget|pmrem.*|matrix|is[A-Z].*)$/;

let declared: readonly string[] | null = null;

/** Names of all properties that a sampler sees, besides the image. */
export function settingsOf({ matrixAutoUpdate }: Texture): readonly string[] {
  declared ??= Object.keys(new Texture()).filter((name) => !IGNORED_OF_TEXTURES.test(name));
  return matrixAutoUpdate ? declared : [...declared, 'matrix'];
}

export function isTexture(value: unknown): value is Texture {
  return (value as Partial<Texture> | null | undefined)?.isTexture === true;
}

let images = 0;

/** The textures whose images are known to be equal, at first a single one. */
class SameImage {
  readonly number: number = ++images;
  readonly users: Set<KnownTexture> = new Set();
  /** A hash of some pixels; null for an unreadable image, undefined before it is computed. */
  sample: number | null | undefined;
}

/** A texture in use, as it was when it was last read. */
class KnownTexture {
  readonly texture: Texture;
  materials = 0;
  version = -1;
  /** See `kindOfImage`; also null after a change without a new version: the texture is like no other from then on. */
  kind: string | null = null;
  identity: unknown = null;
  image: SameImage = new SameImage();
  /** When the texture got a new version, in milliseconds. */
  changedAt = Number.NEGATIVE_INFINITY;
  #settings: readonly (readonly [name: string, value: unknown])[] = [];

  constructor(texture: Texture) {
    this.texture = texture;
    this.image.users.add(this);
  }

  /** The same word for textures that draw the same, and for no others. An unshared image alone suffices. */
  get word(): string {
    const { number, users } = this.image;
    return users.size === 1 ? `${number}` : `${number} ${this.#settings.map(([, value]) => wordFor(value))}`;
  }

  read(): void {
    const { texture } = this;
    this.version = texture.version;
    this.kind = kindOfImage(texture);
    this.identity = identityOfImage(texture);
    this.#settings = settingsOf(texture).map((name) => [name, copyOf(texture[name as never])]);
  }

  get isAsRead(): boolean {
    const { texture } = this;
    if (texture.version !== this.version || identityOfImage(texture) !== this.identity) return false;
    // A bitmap that was closed has no size.
    if (isFixed(texture) && kindOfImage(texture) !== this.kind) return false;
    for (const [name, value] of this.#settings) {
      const now: unknown = texture[name as never];
      if (now !== value && !isEqualValue(value, now)) return false;
    }
    return true;
  }
}

/**
 * Finds textures that draw the same: with the same settings, and of equal images. Files that are loaded one by one each
 * have an image of a shared palette or atlas. Pixels are compared in the pauses between pictures, each image once with
 * each other of its kind.
 * A texture that gets a new version is compared anew; after any other change it is like no other until then.
 */
export class SameTextures {
  readonly #known = new Map<Texture, KnownTexture>();
  /** Images that were compared with each other, by kind. */
  readonly #images = new Map<string, Set<SameImage>>();
  readonly #waiting = new Set<KnownTexture>();
  #isBusy = false;
  /** Whether textures became equal or unequal since `takeChanges`; `#hasMerged`: whether this run found equal ones. */
  #hasChanged = false;
  #hasMerged = false;
  readonly #onEqual: () => void;

  /** @param onEqual Called in a pause, when textures have turned out to be equal. */
  constructor(onEqual: () => void) {
    this.#onEqual = onEqual;
  }

  retain(texture: Texture): void {
    const known = getOrMake(this.#known, texture, () => new KnownTexture(texture));
    known.materials++;
    if (known.version < 0) this.#enter(known);
  }

  /** Releases a texture, which the next {@link takeChanges} forgets: until then its material may come back. */
  release(texture: Texture): void {
    (this.#known.get(texture) as KnownTexture).materials--;
  }

  /** The same word for textures in use that draw the same, and for no others. */
  wordOf(texture: Texture): string {
    return this.#known.get(texture)?.word ?? '';
  }

  /** How many textures in use draw the same as a texture, itself included. */
  twinsOf(texture: Texture): number {
    const known = this.#known.get(texture);
    return [...(known?.image.users ?? [])].filter((other) => other.word === known?.word).length;
  }

  /** The same word for textures whose images are equal, or have the same name and size but cannot be compared. */
  imageOf(texture: Texture): string {
    const { name, source, uuid } = texture;
    const { kind, image } = this.#known.get(texture) ?? {};
    if (image !== undefined && image.sample !== null && kind?.includes(source.uuid) === false) return `${image.number}`;
    const { width, height } = (source.data ?? {}) as Partial<HTMLImageElement>;
    return name && width ? `${inWords(name)} ${width} ${height}` : uuid;
  }

  /** Compares textures in use, once a frame; true when any has begun, or ceased, to draw the same as another. */
  takeChanges(): boolean {
    const now = performance.now();
    for (const known of this.#known.values()) {
      if (known.materials === 0) {
        this.#leave(known);
        this.#known.delete(known.texture);
        continue;
      }
      const isNew = known.texture.version !== known.version;
      // Only a texture that shares its image with other textures is compared with its last state.
      if (!isNew && (known.image.users.size === 1 || known.isAsRead)) continue;
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
    const { identity } = known;
    known.read();
    if (known.kind === null) return;
    const isEdited = identity === known.identity && !isFixed(known.texture);
    for (const twin of this.#known.values()) {
      if (twin === known || twin.kind !== known.kind || twin.identity !== known.identity) continue;
      // Twins with an older version have uploaded the pixels that the image had until it was edited in place.
      if (isEdited && twin.changedAt < known.changedAt) this.#leave(twin);
      else if (twin.image !== known.image) this.#share(known, twin.image);
    }
    this.#wait(known);
  }

  /** Makes a texture like no other until it has a new version. */
  #leave(known: KnownTexture): void {
    const { image, kind } = known;
    known.kind = null;
    if (image.users.size > 1) {
      this.#share(known, new SameImage());
      return;
    }
    image.sample = undefined;
    const others = kind === null ? undefined : this.#images.get(kind);
    others?.delete(image);
    if (others?.size === 0) this.#images.delete(kind as string);
  }

  #share(known: KnownTexture, image: SameImage): void {
    share(known, image);
    this.#hasChanged = true;
  }

  #wait(known: KnownTexture): void {
    this.#waiting.add(known);
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const pauses = new Pauses();
    const canvases: Canvases = new Map();
    for (const known of this.#waiting) {
      await pauses.next();
      this.#waiting.delete(known);
      const rest = known.changedAt + EDIT_REST_MS - performance.now();
      if (rest <= 0) await this.#compare(known, pauses, canvases);
      else setTimeout(() => this.#wait(known), rest);
    }
    this.#isBusy = false;
    this.#hasChanged ||= this.#hasMerged;
    if (this.#hasMerged) this.#onEqual();
    this.#hasMerged = false;
  }

  /** Compares the image of a texture with images of its kind that have been compared. */
  async #compare(known: KnownTexture, pauses: Pauses, canvases: Canvases): Promise<void> {
    const { image, kind, version } = known;
    if (kind === null) return;
    for (const other of this.#images.get(kind) ?? []) {
      if (other === image) return;
      const [twin] = other.users;
      const { version: twins } = twin;
      const isEqual = await compareImages(known, twin, pauses, canvases);
      // There was time for changes; the next `takeChanges` finds those without a new version.
      if (known.kind !== kind || known.version !== version) return;
      if (!isEqual || twin.image !== other || twin.version !== twins) continue;
      for (const one of image.users) share(one, other);
      this.#hasMerged = true;
      return;
    }
    getOrMake(this.#images, kind, () => new Set()).add(image);
  }
}

function share(known: KnownTexture, image: SameImage): void {
  known.image.users.delete(known);
  image.users.add(known);
  known.image = image;
}

/** Resolves with true for textures of equal images. Unreadable images equal none. */
async function compareImages(a: KnownTexture, b: KnownTexture, pauses: Pauses, canvases: Canvases): Promise<boolean> {
  try {
    for (const one of [a, b]) if (one.image.sample === undefined) await sample(one, pauses, canvases);
    if (a.image.sample === null || a.image.sample !== b.image.sample) return false;
    const [one, other] = [await openImage(a.texture, canvases), await openImage(b.texture, canvases)];
    for (let piece = 0; piece < one.count; piece++) {
      await pauses.next();
      const here = one.read(piece);
      await pauses.next();
      const there = other.read(piece);
      for (let i = 0; i < here.length; i++) if (here[i] !== there[i]) return false;
    }
    return one.count === other.count;
  } catch {
    return false;
  }
}

/** Sets the sample of an image: a hash of its middle piece. */
async function sample({ image, texture }: KnownTexture, pauses: Pauses, canvases: Canvases): Promise<void> {
  image.sample = null;
  const { count, read } = await openImage(texture, canvases);
  await pauses.next();
  const numbers = read(count >> 1);
  let hash = numbers.length;
  for (let i = 0; i < numbers.length; i++) hash = Math.imul(hash ^ numbers[i], 0x5bd1e995) ^ (hash >>> 13);
  image.sample = hash;
}
