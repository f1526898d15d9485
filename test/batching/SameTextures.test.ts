import * as THREE from 'three';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BatchMaterial, MaterialGeometryCache } from '../../src/batching/MaterialGeometryCache.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const bytes = (change = 0): Uint8Array<ArrayBuffer> => new Uint8Array(64).fill(200).fill(200 + change, 63);
const uploaded = <T extends THREE.Texture>(texture: T, change: object = {}): T =>
  Object.assign(texture, { needsUpdate: true }, change);
const data = (change?: object, pixels: THREE.TypedArray = bytes()) =>
  uploaded(new THREE.DataTexture(pixels, 4, 4), change);

/** Materials that differ in nothing but their textures, as batches draw with them. */
class Drawn {
  equal = 0;
  readonly cache = new MaterialGeometryCache(true, () => this.equal++);
  readonly known: BatchMaterial[];

  constructor(...maps: (THREE.Texture | null)[]) {
    this.known = maps.map((map) => this.cache.material(new THREE.MeshStandardMaterial({ map })));
    for (const one of this.known) {
      one.retain();
      one.draws++;
    }
  }

  /** By material, the first of those that are drawn as one with it in the next picture. */
  get now(): number[] {
    this.cache.nextFrame({ isWebGLRenderer: true });
    const drawn = this.known.map(({ material }) => this.cache.material(material).drawn);
    return drawn.map((material) => drawn.indexOf(material));
  }

  /** The same after there was time to compare images. */
  async later(): Promise<number[]> {
    void this.now;
    await vi.advanceTimersByTimeAsync(2000);
    return this.now;
  }

  /** The map with which a material is drawn. */
  mapOf(i: number): THREE.Texture | null {
    return (this.known[i].drawn as THREE.MeshStandardMaterial).map;
  }
}

/** Another value of each setting of a texture, and of the texture transform. */
const SETTINGS: Record<string, unknown> = {
  mapping: THREE.EquirectangularReflectionMapping,
  channel: 1,
  wrapS: THREE.RepeatWrapping,
  wrapT: THREE.MirroredRepeatWrapping,
  magFilter: THREE.LinearFilter,
  minFilter: THREE.LinearFilter,
  anisotropy: 4,
  format: THREE.RGBAIntegerFormat,
  internalFormat: 'RGBA8',
  type: THREE.ByteType,
  offset: new THREE.Vector2(0.5, 0),
  repeat: new THREE.Vector2(1, 2),
  center: new THREE.Vector2(0.5, 0.5),
  rotation: 1,
  matrixAutoUpdate: false,
  generateMipmaps: true,
  mipmapsAutoUpdate: false,
  premultiplyAlpha: true,
  flipY: true,
  unpackAlignment: 4,
  colorSpace: THREE.SRGBColorSpace,
  normalized: true,
};
const NO_SETTING =
  /^(uuid|name|source|mipmaps|matrix|userData|updateRanges|version|onUpdate|renderTarget|pmremV.*|is.*)$/;

describe('textures with equal pixels', () => {
  it('are drawn as one once these were compared, which no picture waits for', async () => {
    const drawn = new Drawn(data(), data(), data({}, bytes(1)), data());
    expect(drawn.now).toEqual([0, 1, 2, 3]);
    expect(drawn.now).toEqual([0, 1, 2, 3]);
    expect(await drawn.later()).toEqual([0, 0, 2, 0]);
    expect(drawn.equal).toBe(1);
    expect(drawn.mapOf(3)).toBe((drawn.known[0].material as THREE.MeshStandardMaterial).map);
  });

  it.each(Object.keys(new THREE.Texture()).filter((name) => !NO_SETTING.test(name)))(
    'are not drawn as one where their %s differs, from the start or from then on',
    async (name) => {
      const value: unknown = data()[name as never];
      const other = SETTINGS[name];
      expect(other).not.toBe(value);
      const change = (): object => ({ [name]: (other as THREE.Vector2).clone?.() ?? other });
      const [a, b, c] = [data(), data(), data(change())];
      const drawn = new Drawn(a, b, c);
      expect(await drawn.later()).toEqual([0, 0, 2]);
      if (value instanceof THREE.Vector2) value.copy(other as THREE.Vector2);
      Object.assign(b, change());
      expect(drawn.now).toEqual([0, 1, 2]);
      // It may have been uploaded as it was: only a new version says that it is as the third.
      expect(await drawn.later()).toEqual([0, 1, 2]);
      b.needsUpdate = true;
      expect(await drawn.later()).toEqual([0, 1, 1]);
    },
  );

  it('are drawn as one whatever else they have', async () => {
    const change = { name: 'palette', userData: { file: 2 }, uuid: 'mine', own: 1 };
    expect(await new Drawn(data(), data(change)).later()).toEqual([0, 0]);
    const [a, b] = [data({ matrixAutoUpdate: false }), data({ matrixAutoUpdate: false })];
    b.matrix.elements[0] = 2;
    expect(await new Drawn(a, b).later()).toEqual([0, 1]);
    const turned = data();
    turned.matrix.elements[0] = 2;
    expect(await new Drawn(data(), turned).later()).toEqual([0, 0]);
  });
});

const compressed = (change: number, type = THREE.UnsignedByteType) => {
  const mipmaps = [bytes(), bytes(change).slice(48)].map((pixels, i) => ({
    data: pixels,
    width: 8 >> i,
    height: 8 >> i,
  }));
  return uploaded(new THREE.CompressedTexture(mipmaps as never, 8, 8, THREE.RGBA_S3TC_DXT5_Format, type));
};
const canvas = { width: 4, height: 4, getContext: () => null };
const shared = bytes();
const leveled = (change: number): THREE.Texture =>
  data({ mipmaps: [{ data: bytes(change), width: 2, height: 2 }] }, shared);
const source = data();

/** Four pieces, of which not all are looked at when images are told apart quickly. */
const many = (change: number) => {
  const pixels = new Uint8Array(4 * 256 * 256);
  pixels[4097] = change;
  return uploaded(new THREE.DataTexture(pixels, 256, 256));
};

/** Has each piece of work take most of a pause. */
function slowDown(): void {
  let time = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (time += 3));
}

const PAIRS: [what: string, a: THREE.Texture, b: THREE.Texture, areEqual: boolean][] = [
  ['the same source', source, source.clone(), true],
  ['the same array', data({}, shared), data({}, shared), true],
  ['equal floats', data({}, new Float32Array(64).fill(0.1)), data({}, new Float32Array(64).fill(0.1)), true],
  ['zeros of both signs', data({}, new Float32Array(64)), data({}, new Float32Array(64).fill(-0)), false],
  ['arrays of two kinds', data({}, bytes()), data({}, new Int8Array(bytes().buffer)), false],
  [
    'sides that are exchanged',
    uploaded(new THREE.DataTexture(bytes(), 8, 2)),
    uploaded(new THREE.DataTexture(bytes(), 2, 8)),
    false,
  ],
  ['many equal bytes', many(1), many(1), true],
  ['one byte of many that differs', many(0), many(1), false],
  ['equal compressed levels', compressed(0), compressed(0), true],
  ['the same array, but levels that differ', leveled(0), leveled(1), false],
  ['equal levels', leveled(1), leveled(1), true],
  ['a compressed level that differs', compressed(0), compressed(1), false],
  ['one that is compressed', data(), compressed(0), false],
  [
    'a canvas each',
    uploaded(new THREE.CanvasTexture({ ...canvas } as never)),
    uploaded(new THREE.CanvasTexture({ ...canvas } as never)),
    false,
  ],
  [
    'one canvas',
    uploaded(new THREE.CanvasTexture(canvas as never)),
    uploaded(new THREE.CanvasTexture(canvas as never)),
    false,
  ],
  ['one that was never uploaded', data(), new THREE.DataTexture(bytes(), 4, 4), false],
  ['one that tells when it is uploaded', data(), data({ onUpdate() {} }), false],
  ['one of a render target', data(), data({ isRenderTargetTexture: true }), false],
  ['one of another class', data(), uploaded(new (class extends THREE.DataTexture {})(bytes(), 4, 4)), false],
  ['one without an image', uploaded(new THREE.Texture()), uploaded(new THREE.Texture()), false],
];

it.each(PAIRS)('textures with %s', async (_, a, b, areEqual) => {
  expect(await new Drawn(a, b).later()).toEqual(areEqual ? [0, 0] : [0, 1]);
});

describe('a texture that changes', () => {
  it('is drawn by itself at once, and as one with others when its new pixels are equal again', async () => {
    const [a, b] = [data(), data()];
    const drawn = new Drawn(a, b);
    expect(await drawn.later()).toEqual([0, 0]);
    (b.image.data as Uint8Array)[5] = 1;
    b.needsUpdate = true;
    expect(drawn.now).toEqual([0, 1]);
    expect(drawn.mapOf(1)).toBe(b);
    expect(await drawn.later()).toEqual([0, 1]);
    (b.image.data as Uint8Array)[5] = 200;
    b.needsUpdate = true;
    expect(drawn.now).toEqual([0, 1]);
    await vi.advanceTimersByTimeAsync(200);
    // It may be edited again.
    expect(drawn.now).toEqual([0, 1]);
    expect(await drawn.later()).toEqual([0, 0]);
  });

  it.each([0, 1])('is compared anew though number %i was like no other', async (edited) => {
    const maps = [0, 1].map((i) => data({}, bytes(Number(i === edited))));
    const drawn = new Drawn(...maps);
    expect(await drawn.later()).toEqual([0, 1]);
    (maps[edited].image.data as Uint8Array).set(bytes());
    maps[edited].needsUpdate = true;
    expect(await drawn.later()).toEqual([0, 0]);
  });

  it('is drawn by itself with another image', async () => {
    const [a, b] = [data(), data()];
    const drawn = new Drawn(a, b);
    await drawn.later();
    b.image = { data: bytes(), width: 4, height: 4 };
    // Without a new version nobody uploads it.
    expect(await drawn.later()).toEqual([0, 1]);
    b.needsUpdate = true;
    expect(await drawn.later()).toEqual([0, 0]);
  });

  it.each([2, 3])(
    'leaves what others have uploaded, where %i share an array that is edited in place',
    async (count) => {
      const array = bytes();
      const maps = Array.from({ length: count }, () => data({}, array));
      const drawn = new Drawn(...maps, data());
      expect(await drawn.later()).toEqual(Array(count + 1).fill(0));
      array[3] = 7;
      maps[0].needsUpdate = true;
      const alone = Array.from({ length: count + 1 }, (__, i) => i);
      expect(await drawn.later()).toEqual(alone);
      for (const map of maps) map.needsUpdate = true;
      expect(await drawn.later()).toEqual([...Array(count).fill(0), count]);
    },
  );

  it('is not drawn for others once its material is out of use', async () => {
    const drawn = new Drawn(data(), data(), data());
    await drawn.later();
    expect(drawn.mapOf(2)).toBe((drawn.known[0].material as THREE.MeshStandardMaterial).map);
    drawn.known[0].release();
    const [, second] = drawn.known;
    expect(drawn.mapOf(2)).toBe((second.material as THREE.MeshStandardMaterial).map);
    drawn.known[1].material.setValues({ map: data({}, bytes(1)) } as never);
    expect(drawn.now.slice(1)).toEqual([1, 2]);
    expect(drawn.mapOf(2)).toBe((drawn.known[2].material as THREE.MeshStandardMaterial).map);
  });

  it('is drawn for others as it was, while nobody sees that its material has another', async () => {
    const [a, b, c] = [data(), data(), data()];
    const drawn = new Drawn(a, b, c);
    await drawn.later();
    const [first, , third] = drawn.known;
    first.material.setValues({ map: data({}, bytes(1)) } as never);
    third.release();
    expect(drawn.mapOf(1)).toBe(a);
  });

  it('is drawn by itself if it changed silently, before it was compared or while it is', async () => {
    const [a, b, c, d] = [data(), data(), many(0), many(0)];
    const drawn = new Drawn(a, b, c, d);
    slowDown();
    void drawn.now;
    b.rotation = 1;
    for (let pauses = 0; pauses < 4; pauses++) await vi.advanceTimersByTimeAsync(16);
    d.rotation = 1;
    expect(await drawn.later()).toEqual([0, 1, 2, 3]);
    vi.restoreAllMocks();
    for (const map of [b, d]) map.rotation = 0;
    expect(await drawn.later()).toEqual([0, 1, 2, 3]);
    for (const map of [b, d]) map.needsUpdate = true;
    expect(await drawn.later()).toEqual([0, 0, 2, 2]);
  });

  it.each([0, 1])('is compared anew where number %i gets other pixels while they are compared', async (edited) => {
    const maps = [many(0), many(0)];
    const drawn = new Drawn(...maps);
    slowDown();
    void drawn.now;
    for (let pauses = 0; pauses < 7; pauses++) await vi.advanceTimersByTimeAsync(16);
    (maps[edited].image.data as Uint8Array)[7] = 9;
    maps[edited].needsUpdate = true;
    expect(drawn.now).toEqual([0, 1]);
    expect(await drawn.later()).toEqual([0, 1]);
    vi.restoreAllMocks();
    (maps[1 - edited].image.data as Uint8Array)[7] = 9;
    maps[1 - edited].needsUpdate = true;
    // Both were like no other by then.
    expect(await drawn.later()).toEqual([0, 0]);
  });

  it('stays by itself after a silent change though another material comes with it', async () => {
    const [a, b, c] = [data(), data(), data({ rotation: 1 })];
    const drawn = new Drawn(a, b, c, null);
    expect(await drawn.later()).toEqual([0, 0, 2, 3]);
    b.rotation = 1;
    drawn.known[3].material.setValues({ map: b } as never);
    void drawn.now;
    expect(await drawn.later()).toEqual([0, 1, 2, 1]);
  });

  it('that is like no other is one with itself', async () => {
    const map = data();
    const drawn = new Drawn(map, null);
    await drawn.later();
    map.wrapS = THREE.RepeatWrapping;
    map.needsUpdate = true;
    void drawn.now;
    drawn.known[1].material.setValues({ map } as never);
    void drawn.now;
    expect(drawn.now).toEqual([0, 0]);
  });

  it('is known while its material is out of use within a picture', async () => {
    const drawn = new Drawn(data(), data());
    expect(await drawn.later()).toEqual([0, 0]);
    for (const one of drawn.known) {
      one.release();
      one.retain();
      expect(drawn.now).toEqual([0, 0]);
    }
  });

  it('may be exchanged for an equal one', async () => {
    const [a, b, c] = [data(), data(), data()];
    const drawn = new Drawn(a, b, c);
    await drawn.later();
    const { material } = drawn.known[0];
    material.setValues({ map: c } as never);
    expect(drawn.now).toEqual([0, 0, 0]);
    expect(drawn.mapOf(1)).toBe(c);
    // The first is out of use.
    void drawn.now;
    expect([a, b].map((map) => drawn.cache.families?.textures.wordOf(map) === '')).toEqual([true, false]);
  });
});
