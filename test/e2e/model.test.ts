import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, inject, it, vi } from 'vitest';
import * as demo from './acts.js';
import { counts, describeDemo, drop, messages, page, readCanvas, settled, world } from './acts.js';
import { corners, dracoGlb, kitPiece, makeGlb, meshoptGlb, PNG, packGlb } from './glbs.js';

const LONG = 900_000;
vi.setConfig({ testTimeout: LONG });

interface Gltf {
  nodes: { mesh?: number }[];
  meshes: { primitives: { attributes: { POSITION: number }; indices?: number; mode?: number }[] }[];
  accessors: { count: number }[];
  materials: object[];
}

const sample = (name: string) => readFileSync(new URL(`../../assets/samples/${name}.glb`, import.meta.url));

/** What a file says of itself: objects, triangles, materials. */
function contentsOf(glb: Buffer): number[] {
  const json: Gltf = JSON.parse(glb.toString('utf8', 20, 20 + glb.readUInt32LE(12)));
  const shapes = json.nodes.flatMap(({ mesh }) => (mesh === undefined ? [] : json.meshes[mesh]!.primitives));
  const solid = shapes.filter(({ mode = 4 }) => mode === 4);
  const corners = solid.map(({ indices, attributes }) => json.accessors[indices ?? attributes.POSITION]!.count);
  return [shapes.length, corners.reduce((sum, count) => sum + count, 0) / 3, json.materials.length];
}

/** Waits for the report on a file: some hundred frames, which take minutes where software draws them on a busy machine. */
const reported = (name: string) => page.locator('#modelReport h2', { hasText: name }).waitFor({ timeout: LONG / 3 });

/** Waits for the report on a file, and copies it as a visitor does. */
async function reportOn(name: string): Promise<string> {
  await reported(name);
  await page.locator('#modelReport [data-act=copy]').click();
  await page.getByText('Copied.').waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** The cells of the lines of a report, or of the table in it that begins with these words. */
const rowsOf = (report: string, head = '') =>
  (head ? report.slice(report.indexOf(head)).split('\n\n')[0]! : report)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));

const number = (text: string) => Number.parseFloat(text.replaceAll(',', ''));

/** The counts of a report: objects, triangles, materials. */
const countsIn = (report: string) => rowsOf(report, '| Objects | Triangles')[2]!.slice(0, 3).map(number);

const openDialog = () => page.locator('#worlds [data-world=model]').click();
const openSample = (title: string) => page.locator('#modelDialog').getByRole('button', { name: title }).click();

describeDemo('the demo, a model of one’s own', { search: 't=0', width: 1280, height: 720 }, () => {
  const requests: string[] = [];
  beforeAll(async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    page.on('request', (request) => requests.push(request.url()));
  });

  it('asks for a file or a sample, and says that nothing leaves the page', async () => {
    await openDialog();
    expect(await page.locator('#modelDialog').innerText()).toMatch(/Nothing leaves this page/);
    const chooser = page.waitForEvent('filechooser');
    await page.locator('#modelDialog').getByRole('button', { name: 'Choose files' }).click();
    await chooser;
    await page.keyboard.press('Escape');
    expect(await world()).toBe('town');
  });

  it.each([
    ['Office', 'side: DoubleSide'],
    ['Machine', 'transmission: 0.9'],
  ])('reports on the sample %s what is in its file', async (title, why) => {
    const name = title.toLowerCase();
    await openDialog();
    await openSample(title);
    const report = await reportOn(`${name}.glb`);
    expect(await world()).toBe('model');
    expect(countsIn(report)).toEqual(contentsOf(sample(name)));
    const [objects] = countsIn(report) as [number];
    expect((await counts()).total).toBe(objects);
    // A time and a spread for each mode, and fewer calls in batches.
    const rows = new Map(rowsOf(report).map(([mode, ...cells]) => [mode!, cells]));
    const [three, index, batches, levels] = [
      'Plain three',
      'With the index',
      'In batches',
      'In batches, with levels',
    ].map((mode) => rows.get(mode)!) as [string[], string[], string[], string[]];
    for (const row of [three, index, batches, levels]) expect(row[2]).toMatch(/^[\d.]+ ms \([\d.]+–[\d.]+ ms\)$/);
    expect(number(batches[0]!)).toBeLessThan(number(three[0]!) / 2);
    expect(number(index[0]!)).toBeLessThanOrEqual(1.01 * number(three[0]!));
    expect(number(levels[1]!)).toBeLessThanOrEqual(number(batches[1]!));
    // Every object is in a batch, or in the table of those that are not.
    const batched = number(/([\d,]+) of [\d,]+ objects are drawn in/.exec(report)![1]!);
    const alone = rowsOf(report, '| Objects | Why').slice(2);
    expect(batched + alone.reduce((sum, [count]) => sum + number(count!), 0)).toBe(objects);
    expect(report).toContain(why);
    // What one sees is what one copies.
    const shown = await page.locator('#modelReport').innerText();
    for (const cell of [...three, ...alone.flat()].filter(Boolean)) expect(shown).toContain(cell.replaceAll('\\', ''));
  });

  demo.itIsAccessible();

  it.each([
    ['Draco', dracoGlb],
    ['meshopt', meshoptGlb],
  ])('reads what is compressed with %s', async (name, make) => {
    await drop([`${name}.glb`, make()]);
    expect(countsIn(await reportOn(`${name}.glb`))).toEqual([1, 1, 1]);
  });

  const gltf = (more: object) => Buffer.from(JSON.stringify({ asset: { version: '2.0' }, ...more }));
  const bare = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{}] };
  it.each<[string, Uint8Array, RegExp]>([
    ['notes.txt', Buffer.from('x'), /^There is no \.glb or \.gltf file among these\.$/],
    ['bad.glb', Buffer.from('no model at all'), /^bad\.glb is not a glTF file, or it is damaged\.$/],
    ['empty.glb', Buffer.alloc(0), /^empty\.glb is not a glTF file/],
    ['cut.glb', makeGlb('a').subarray(0, 100), /^cut\.glb is not a glTF file, or it is damaged\.$/],
    ['head.glb', makeGlb('a').subarray(0, 12), /^head\.glb is not a glTF file/],
    ['old.gltf', gltf({ asset: { version: '1.0' } }), /^old\.gltf could not be read: .*>=2\.0 are supported/],
    [
      'part.gltf',
      gltf({ buffers: [{ uri: 'b.bin', byteLength: 4 }] }),
      /^part\.gltf needs the file “b\.bin”: drop both/,
    ],
    ['ktx.glb', packGlb({ ...bare, extensionsRequired: ['KHR_texture_basisu'] }), /^ktx\.glb has KTX2 textures, which/],
    ['none.glb', packGlb({ asset: { version: '2.0' } }), /^There is nothing to draw in none\.glb\.$/],
    ['bare.glb', packGlb(bare), /^There is nothing to draw in bare\.glb\.$/],
  ])('says what is wrong with %s, and keeps the model before', async (name, bytes, message) => {
    await page.evaluate(() => document.querySelector('#notice')!.removeAttribute('data-kind'));
    await page.setInputFiles('#files', { name, mimeType: '', buffer: Buffer.from(bytes) });
    await page.locator('#notice[data-kind=error]').waitFor();
    expect(await page.locator('#notice').textContent()).toMatch(message);
    expect(await page.locator('#modelReport h2').textContent()).toBe('meshopt.glb');
  });

  /** Drops a folder as a hand does: with a path for each file. */
  async function dropFolder(files: Readonly<Record<string, Uint8Array>>): Promise<void> {
    const folder = join(mkdtempSync(join(tmpdir(), 'kit-')), 'kit');
    for (const [name, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    const debug = await page.context().newCDPSession(page);
    const data = { items: [], files: [folder], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await debug.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
    await reported('kit');
    rmSync(dirname(folder), { recursive: true });
  }

  const piece = (buffer: object, uri: string) => Buffer.from(JSON.stringify(kitPiece(buffer, uri)));

  it('places the pieces of a folder many times, and leaves out what cannot be read', async () => {
    await dropFolder({
      'a/one.glb': packGlb(kitPiece({}, '../Textures/map.png'), corners),
      'a/two.gltf': piece({ uri: 'same.bin' }, '../Textures/map.png'),
      'a/same.bin': corners,
      // The folder says which of two files of one name is meant.
      'b/three.gltf': piece({ uri: 'same.bin' }, 'map.png'),
      'b/same.bin': corners,
      'b/broken.glb': Buffer.from('no model'),
      'b/part.gltf': piece({ uri: 'lost.bin' }, 'map.png'),
      'b/blind.glb': packGlb(kitPiece({}, 'lost.png'), corners),
      'Textures/map.png': PNG,
      'readme.txt': Buffer.from('x'),
    });
    const report = await reportOn('kit');
    const [plain, , batches] = rowsOf(report, '| Mode | Draw calls')
      .slice(2)
      .map(([, calls]) => calls);
    expect(report.split('\n\n')[1]).toBe(
      `4 pieces from 7 files in 228 placements: a frame takes ${plain} draw calls in plain three and ${batches} in batches.`,
    );
    // Pieces have a texture each, but for one.
    expect([number(plain!) > 20, number(batches!) <= 6]).toEqual([true, true]);
    expect([countsIn(report), (await counts()).total]).toEqual([[228, 228, 4], 228]);
    expect(rowsOf(report, '| Objects | Triangles')[2]!.slice(3).map(number)).toEqual([4, 3]);
    const shown = await page.locator('#modelReport').innerText();
    expect(shown).toContain('Missing files: blind.glb is shown without “lost.png”.');
    expect(shown).toContain(
      'Left out: broken.glb is not a glTF file, or it is damaged. part.gltf needs the file “lost.bin”: drop both together.',
    );
  });

  it('shows a model whose picture is missing without it, and names the file', async () => {
    await drop(['bare.gltf', piece({ uri: 'data:;base64,'.concat(corners.toString('base64')) }, 'maps/my%20wall.png')]);
    const report = await reportOn('bare.gltf');
    expect(countsIn(report)).toEqual([1, 1, 1]);
    expect(report).toContain('Missing files: bare.gltf is shown without “maps/my wall.png”.');
  });

  it('shows the only model that can be read as one, and none where none can', async () => {
    await drop(['bad.glb', Buffer.from('no')], ['good.glb', makeGlb('good')]);
    const report = await reportOn('good.glb');
    expect(countsIn(report)).toEqual([1, 1, 1]);
    expect(report).toContain('Left out: bad.glb is not a glTF file');
    await drop(['bad.glb', Buffer.from('no')], ['worse.glb', Buffer.from('no')]);
    await page.getByText('None of these models could be read. bad.glb is not a glTF file, or it is damaged.').waitFor();
    expect(await page.locator('#modelReport h2').textContent()).toBe('good.glb');
  });

  it('leaves nothing behind when others follow', async () => {
    const debug = await page.context().newCDPSession(page);
    const alive = async (type: string): Promise<number> => {
      const { result } = await debug.send('Runtime.evaluate', { expression: `${type}.prototype` });
      const { objects } = await debug.send('Runtime.queryObjects', { prototypeObjectId: result.objectId! });
      const { result: count } = await debug.send('Runtime.callFunctionOn', {
        objectId: objects.objectId!,
        functionDeclaration: 'function () { return this.length; }',
      });
      await debug.send('Runtime.releaseObject', { objectId: objects.objectId! });
      return count.value as number;
    };
    const dropped = async (name: string): Promise<[contexts: number, reports: number, arrays: number]> => {
      await drop([name, sample('office')]);
      await reported(name);
      await settled();
      return [await alive('WebGL2RenderingContext'), await alive('HTMLDetailsElement'), await alive('Float32Array')];
    };
    // The first may leave caches behind.
    const before = await dropped('one.glb');
    await dropped('two.glb');
    const [contexts, reports, arrays] = await dropped('three.glb');
    expect(contexts).toBe(before[0]);
    // A report that has gone may wait for its turn to be collected.
    expect(reports).toBeLessThanOrEqual(before[1] + 1);
    expect(arrays).toBeLessThan(1.02 * before[2] + 100);
    await demo.enter('town');
    expect(await page.locator('#modelReport').count()).toBe(0);
  });

  it('asks nobody but the page itself', () => {
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(inject('demoUrl')))).toEqual([]);
    expect(messages).toEqual([]);
  });
});

// A large page: what moves in a small one is a few pixels.
const ANIMATED = { search: 'autopilot=0&animate=1', width: 1280, height: 720 };

describeDemo('the demo, an animated model', ANIMATED, () => {
  it('plays it, and holds it where the page is paused', async () => {
    await openDialog();
    await openSample('Machine');
    await page.locator('#modelReport h2', { hasText: 'machine.glb' }).waitFor();
    expect(await page.locator('#autopilot').getAttribute('aria-pressed')).toBe('false');
    /** The largest share that differs from the first of a few pictures. */
    const others = async () => {
      const { all } = await readCanvas();
      const shares: number[] = [];
      for (let turn = 0; turn < 4; turn++) shares.push(demo.shareOfOthers(all, (await readCanvas()).all));
      return Math.max(...shares);
    };
    // Now and then a picture is drawn in another way, with a few pixels that differ; what moves changes many more.
    expect(await others()).toBeGreaterThan(0.001);
    await demo.press('k');
    expect(await others()).toBeLessThanOrEqual(0.001);
  });
});
