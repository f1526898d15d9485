import { CanvasTexture, CompressedTexture, DataTexture, Texture, UnsignedByteType } from 'three';
import { getOrMake } from '../core/arrays.js';

/** Prototypes of textures whose images can be compared: other classes may get their images by themselves. */
const KINDS: readonly object[] = [Texture, DataTexture, CompressedTexture, CanvasTexture].map((one) => one.prototype);

interface Image {
  readonly width?: number;
  readonly height?: number;
  readonly data?: unknown;
}

/**
 * The kind of an image: images of different kinds are never equal. A kind is a size and class of texture; an image that
 * cannot be read, such as a canvas, is the only one of its kind.
 * @returns null for an image that equals no other: drawn on the graphics card, changing by itself, or not there yet.
 */
export function kindOfImage(texture: Texture): string | null {
  const { source, version, isRenderTargetTexture, onUpdate } = texture;
  const at = KINDS.indexOf(Object.getPrototypeOf(texture));
  // Before r162 a source does not tell whether its data is ready.
  const isReady = version > 0 && (source as { dataReady?: boolean }).dataReady !== false;
  if (!isReady || !source.data || at < 0 || isRenderTargetTexture || onUpdate !== null) return null;
  const { width, height } = source.data as Image;
  const sizes = piecesOf(texture)?.map((part) => `${part.constructor.name} ${(part as ArrayBufferView).byteLength}`);
  return `${at} ${width} ${height} ${sizes ?? source.uuid}`;
}

/**
 * Identity of an image: images of one kind and identity are equal. It is the object that is uploaded, or the address of
 * an element; or the texture if it has mipmaps of its own, which no single object stands for.
 */
export function identityOfImage(texture: Texture): unknown {
  const { source, mipmaps } = texture;
  const data: unknown = source.data;
  if (mipmaps.length > 0) return texture;
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

/** All parts that renderers upload of a texture; null if some of them cannot be read. */
function piecesOf({ source, mipmaps, type }: Texture): readonly object[] | null {
  const data: unknown = source.data;
  const isWhole = isBitmap(data) ? data.width > 0 && type === UnsignedByteType : isElement(data) && data.complete;
  if (isWhole) return mipmaps.length === 0 ? [data as object] : null;
  const arrays = [data as Image, ...(mipmaps as Image[])].map((image) => image.data).filter(Boolean);
  return arrays.length > 0 && arrays.every(ArrayBuffer.isView) ? arrays : null;
}

/** Numbers, or pixels, that are read at a time. */
const PIXEL_PIECE = 2 ** 16;
/** The least number of a pixel without transparency, as a whole number of 32 bits. */
const OPAQUE_PIXEL = 0xff000000;

export interface Pieces {
  readonly count: number;
  /** @throws Error for pixels that are not read exactly. */
  read(piece: number): ArrayLike<number>;
}

/** Canvases to read images from, by their width. */
export type Canvases = Map<number, OffscreenCanvasRenderingContext2D>;

/**
 * Opens an image of a kind that can be read. Pixels of an element are converted when they are read, so that different
 * elements may look equal. So elements are compared by their files, if the browser has these at hand.
 */
export async function openImage(texture: Texture, canvases: Canvases): Promise<Pieces> {
  const parts = piecesOf(texture) ?? [];
  const [first] = parts;
  if (isBitmap(first)) return piecesOfBitmap(first, getOrMake(canvases, first.width, openCanvas));
  if (!isElement(first)) return piecesOfArrays(parts as ArrayBufferView[]);
  const isHeld = /^(blob|data):/.test(first.currentSrc);
  const file = await fetch(first.currentSrc, isHeld ? {} : { cache: 'only-if-cached', mode: 'same-origin' });
  return piecesOfArrays([new Uint8Array(await file.arrayBuffer())]);
}

function piecesOfArrays(arrays: readonly ArrayBufferView[]): Pieces {
  const pieces = arrays.flatMap(({ buffer, byteOffset, byteLength }) => {
    const starts = Array.from({ length: Math.ceil(byteLength / PIXEL_PIECE) }, (_, i) => i * PIXEL_PIECE);
    return starts.map((at) => new Uint8Array(buffer, byteOffset + at, Math.min(PIXEL_PIECE, byteLength - at)));
  });
  return { count: pieces.length, read: (piece) => pieces[piece] };
}

/** @throws Error if canvases do not return exact colours, as in browsers that guard against being recognised. */
function openCanvas(width: number): OffscreenCanvasRenderingContext2D {
  const canvas = new OffscreenCanvas(width, Math.max(1, Math.floor(PIXEL_PIECE / width)));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('images cannot be read');
  context.globalCompositeOperation = 'copy';
  context.imageSmoothingEnabled = false;
  context.fillStyle = '#123456';
  context.fillRect(0, 0, width, 1);
  if (readRows(context, 1).some((pixel) => pixel !== 0xff563412)) throw new Error('images are not read exactly');
  return context;
}

function readRows(context: OffscreenCanvasRenderingContext2D, count: number): Uint32Array {
  return new Uint32Array(context.getImageData(0, 0, context.canvas.width, count).data.buffer);
}

/** Reads a bitmap by a 2D canvas, which keeps the exact colours of opaque pixels alone. */
function piecesOfBitmap(image: ImageBitmap, context: OffscreenCanvasRenderingContext2D): Pieces {
  const { width, height: rows } = context.canvas;
  const read = (piece: number): Uint32Array => {
    const count = Math.min(rows, image.height - piece * rows);
    context.drawImage(image, 0, piece * rows, width, count, 0, 0, width, count);
    const pixels = readRows(context, count);
    let least = OPAQUE_PIXEL;
    for (let i = 0; i < pixels.length; i++) if (pixels[i] < least) least = pixels[i];
    if (least < OPAQUE_PIXEL) throw new Error('transparent pixels are not read exactly');
    return pixels;
  };
  return { count: Math.ceil(image.height / rows), read };
}
