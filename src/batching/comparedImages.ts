import { CanvasTexture, CompressedTexture, DataTexture, Texture, UnsignedByteType } from 'three';
import type { Pauses } from '../core/pauses.js';

/** A part of an image, which can be compared exactly. */
type ReadablePart = ArrayBufferView | ImageBitmap;

type Image = Partial<Record<'width' | 'height', number>> & { readonly data?: unknown };

/** By their prototypes, as others may be given images by themselves. */
const KINDS: readonly object[] = [Texture, DataTexture, CompressedTexture, CanvasTexture].map(
  ({ prototype }) => prototype,
);

/** Numbers, or pixels, that are compared at once. */
const PIECE = 2 ** 16;
/** Rows, or bytes, by which images are told apart before all of both is compared. */
const SAMPLED_ROWS = 8;
const SAMPLED_BYTES = 1024;

/**
 * Images of different kinds are never equal. Of one kind are those of one size and class of texture, and of an image that
 * cannot be read, as a canvas, its own alone.
 * @returns null for what nothing equals: what is drawn on the graphics card, changes by itself, or is not there yet.
 */
export function kindOfImage(texture: Texture): string | null {
  const { source, version, isRenderTargetTexture, onUpdate } = texture;
  const at = KINDS.indexOf(Object.getPrototypeOf(texture));
  // Before r162 no source tells whether it is there.
  const isReady = version > 0 && (source as { dataReady?: boolean }).dataReady !== false;
  if (!isReady || !source.data || at < 0 || isRenderTargetTexture || onUpdate !== null) return null;
  const { width, height } = source.data as Image;
  const parts = partsOf(texture);
  const sizes = parts?.map((part) => `${part.constructor.name} ${(part as Partial<ArrayBufferView>).byteLength}`);
  return `${at} ${width} ${height} ${sizes ?? source.uuid}`;
}

/** Images of one kind with one identity are equal: the object that is uploaded, or the address of an element. */
export function identityOfImage(texture: Texture): unknown {
  const { source } = texture;
  const data: unknown = source.data;
  if (isElement(data)) return data.currentSrc;
  const isWhole = isBitmap(data) || Object.getPrototypeOf(texture) === DataTexture.prototype;
  return isWhole ? ((data as Image | null)?.data ?? data) : source;
}

/** True for an image that is never edited in place. */
export function isFixed({ source: { data } }: Texture): boolean {
  return isBitmap(data) || isElement(data);
}

function isElement(data: unknown): data is HTMLImageElement {
  return typeof HTMLImageElement !== 'undefined' && data instanceof HTMLImageElement;
}

function isBitmap(data: unknown): data is ImageBitmap {
  return typeof ImageBitmap !== 'undefined' && data instanceof ImageBitmap;
}

/** All that renderers upload of a texture; null where some of it cannot be read. */
function partsOf({ source, mipmaps, type }: Texture): readonly (ReadablePart | HTMLImageElement)[] | null {
  const data: unknown = source.data;
  if (isBitmap(data)) return data.width > 0 && type === UnsignedByteType && mipmaps.length === 0 ? [data] : null;
  if (isElement(data)) return data.complete && data.naturalWidth > 0 && mipmaps.length === 0 ? [data] : null;
  const base = (data as Image | null)?.data;
  const parts = [...(base ? [base] : []), ...(mipmaps as { data?: unknown }[]).map((mipmap) => mipmap.data)];
  return parts.length > 0 && parts.every((part) => ArrayBuffer.isView(part)) ? (parts as ArrayBufferView[]) : null;
}

/**
 * What can be compared of a texture's image. Pixels of an element are converted when they are read, so that different
 * ones may look equal: of elements the files are compared, where the browser has them at hand.
 */
export async function readableParts(texture: Texture): Promise<readonly ReadablePart[] | null> {
  const parts = partsOf(texture);
  if (parts === null || !isElement(parts[0])) return parts as readonly ReadablePart[] | null;
  const { currentSrc } = parts[0];
  const isHeld = /^(blob|data):/.test(currentSrc);
  try {
    const file = await fetch(currentSrc, isHeld ? {} : { cache: 'only-if-cached', mode: 'same-origin' });
    return file.ok ? [new Uint8Array(await file.arrayBuffer())] : null;
  } catch {
    return null;
  }
}

/** A number that equal images have in common, and few others; null for an image that cannot be read exactly. */
export async function sampleImage(parts: readonly ReadablePart[], pauses: Pauses): Promise<number | null> {
  let hash = 0;
  const add = (number: number): void => {
    hash = Math.imul(hash ^ number, 0x5bd1e995) ^ (hash >>> 13);
  };
  for (const part of parts) {
    await pauses.next();
    if (isBitmap(part)) {
      const rows = rowsOf(part, 1);
      for (let i = 0; i < SAMPLED_ROWS; i++) {
        for (const pixel of rows(Math.floor(((i + 0.5) * part.height) / SAMPLED_ROWS), 1)) {
          if (pixel < OPAQUE) return null;
          add(pixel);
        }
      }
    } else {
      const bytes = bytesOf(part);
      for (let i = 0; i < bytes.length; i += Math.ceil(bytes.length / SAMPLED_BYTES)) add(bytes[i]);
    }
  }
  return hash;
}

/**
 * True for equal images of one kind.
 * @throws Error where both cannot be read exactly.
 */
export async function areImagesEqual(
  a: readonly ReadablePart[],
  b: readonly ReadablePart[],
  pauses: Pauses,
): Promise<boolean> {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    const [one, other] = [a[i], b[i]];
    const areBitmaps = isBitmap(one) && isBitmap(other);
    const areEqual = areBitmaps
      ? arePixelsEqual(one, other, pauses)
      : areBytesEqual(bytesOf(one as ArrayBufferView), bytesOf(other as ArrayBufferView), pauses);
    if (!(await areEqual)) return false;
  }
  return true;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

async function areBytesEqual(a: Uint8Array, b: Uint8Array, pauses: Pauses): Promise<boolean> {
  if (a.length !== b.length) return false;
  for (let start = 0; start < a.length; start += PIECE) {
    await pauses.next();
    const end = Math.min(a.length, start + PIECE);
    for (let i = start; i < end; i++) if (a[i] !== b[i]) return false;
  }
  return true;
}

/** The least number that a pixel without transparency has, as one of 32 bits. */
const OPAQUE = 0xff000000;

/** A 2D canvas keeps the colours of pixels without transparency as they are, but loses those of others. */
async function arePixelsEqual(a: ImageBitmap, b: ImageBitmap, pauses: Pauses): Promise<boolean> {
  const { width, height } = a;
  const most = Math.max(1, Math.floor(PIECE / width));
  const [rowsOfA, rowsOfB] = [rowsOf(a, most), rowsOf(b, most)];
  for (let y = 0; y < height; y += most) {
    const count = Math.min(most, height - y);
    await pauses.next();
    const one = rowsOfA(y, count);
    await pauses.next();
    const other = rowsOfB(y, count);
    for (let i = 0; i < one.length; i++) {
      if (one[i] !== other[i]) return false;
      if (one[i] < OPAQUE) throw new Error('transparent pixels are not read exactly');
    }
  }
  return true;
}

/** Reads rows of an image, the four bytes of a pixel as one number. */
function rowsOf(image: ImageBitmap, most: number): (y: number, count: number) => Uint32Array {
  const { width } = image;
  const context = new OffscreenCanvas(width, most).getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('images cannot be read');
  const read = (count: number): Uint32Array => new Uint32Array(context.getImageData(0, 0, width, count).data.buffer);
  context.globalCompositeOperation = 'copy';
  context.imageSmoothingEnabled = false;
  // Browsers that guard against being recognised tell other colours than were drawn.
  context.fillStyle = '#123456';
  context.fillRect(0, 0, width, most);
  if (read(1).some((pixel) => pixel !== 0xff563412)) throw new Error('images are not read exactly');
  return (y, count) => {
    context.drawImage(image, 0, y, width, count, 0, 0, width, count);
    return read(count);
  };
}
