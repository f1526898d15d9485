import { CanvasTexture, MathUtils, RepeatWrapping, SRGBColorSpace } from 'three';

/** Windows along each side of a texture, and pixels of each with the wall around it. */
export const TILE = 4;
const PIXELS = 64;

/** Colours of a wall with windows, to be tinted, and the light of those behind which somebody is at home. */
export interface Facade {
  readonly map: CanvasTexture;
  readonly light: CanvasTexture;
}

type Draw = (colour: CanvasRenderingContext2D, light: CanvasRenderingContext2D, x: number, y: number) => void;

/** Floors of flats: sash windows with a frame of stone. */
export const flats = (): Facade => facade(drawWindow);

/** Shops: panes between pillars. */
export const shops = (): Facade => facade(drawShop);

function facade(draw: Draw): Facade {
  const [colour, light] = [paper('#f4f0e8'), paper('#000000')];
  MathUtils.seededRandom(41);
  for (let y = 0; y < TILE; y++) for (let x = 0; x < TILE; x++) draw(colour, light, PIXELS * x, PIXELS * y);
  return { map: textureOf(colour), light: textureOf(light) };
}

function drawWindow(colour: CanvasRenderingContext2D, light: CanvasRenderingContext2D, x: number, y: number): void {
  const chance = MathUtils.seededRandom;
  const [left, top, width, height] = [x + 20, y + 13, 24, 38];
  fill(colour, '#fffdf6', left - 4, top - 4, width + 8, height + 8);
  fill(colour, '#cfc8ba', left - 6, top + height + 4, width + 12, 3);
  glass(colour, left, top, width, height);
  // A curtain, or a blind.
  if (chance() < 0.35) fill(colour, '#b9b2a4', left, top, width, height * (0.2 + 0.3 * chance()));
  const isLit = chance() < 0.42;
  if (isLit) fill(light, ['#ffc878', '#ffdba0', '#ffb25e'][Math.floor(3 * chance())]!, left, top, width, height);
  for (const context of [colour, light]) {
    const frame = context === colour ? '#f6f3ea' : '#000000';
    fill(context, frame, left + width / 2 - 1, top, 2, height);
    fill(context, frame, left, top + 13, width, 2);
  }
  // The line between two floors.
  fill(colour, '#d9d3c6', x, y + PIXELS - 3, PIXELS, 3);
}

function drawShop(colour: CanvasRenderingContext2D, light: CanvasRenderingContext2D, x: number, y: number): void {
  const chance = MathUtils.seededRandom;
  fill(colour, '#8d867b', x, y, PIXELS, 12);
  fill(colour, '#a79f92', x, y + 56, PIXELS, 8);
  fill(colour, '#b7ae9f', x, y, 6, PIXELS);
  glass(colour, x + 8, y + 15, 54, 40);
  if (chance() < 0.75) fill(light, '#e0ab66', x + 8, y + 15, 54, 40);
}

/** Dark glass that reflects some sky in its upper part. */
function glass(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  const gradient = context.createLinearGradient(0, y, 0, y + height);
  gradient.addColorStop(0, '#7f98a8');
  gradient.addColorStop(0.55, '#4e6473');
  gradient.addColorStop(1, '#394a57');
  context.fillStyle = gradient;
  context.fillRect(x, y, width, height);
}

function fill(context: CanvasRenderingContext2D, style: string, x: number, y: number, w: number, h: number): void {
  context.fillStyle = style;
  context.fillRect(x, y, w, h);
}

function paper(style: string): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = PIXELS * TILE;
  const context = canvas.getContext('2d')!;
  fill(context, style, 0, 0, canvas.width, canvas.height);
  return context;
}

function textureOf({ canvas }: CanvasRenderingContext2D): CanvasTexture {
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}
