import { readFileSync } from 'node:fs';
import { beforeAll, expect, inject, it, vi } from 'vitest';
import {
  counts,
  describeDemo,
  enter,
  itIsAccessible,
  messages,
  page,
  press,
  readCanvas,
  settled,
  shareOfOthers,
  world,
} from './acts.js';
import { dracoGlb, meshoptGlb } from './compressedGlbs.js';
import { makeGlb, packGlb } from './makeGlb.js';

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

/** Gives files to the input, as the dialog of the system does. */
const choose = (...files: [name: string, bytes: Uint8Array][]) =>
  page.setInputFiles(
    '#files',
    files.map(([name, bytes]) => ({ name, mimeType: '', buffer: Buffer.from(bytes) })),
  );

/** Drops files anywhere on the page. */
const drop = (name: string, bytes: Uint8Array) =>
  page.evaluate(
    ([file, base64]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(base64!), (c) => c.charCodeAt(0))], file!));
      document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
    },
    [name, Buffer.from(bytes).toString('base64')],
  );

/** Waits for the report on a file: some hundred frames, which take minutes where software draws them on a busy machine. */
const reported = (name: string) => page.locator('#modelReport h2', { hasText: name }).waitFor({ timeout: LONG / 3 });

/** Waits for the report on a file, and copies it as a visitor does. */
async function reportOn(name: string): Promise<string> {
  await reported(name);
  await page.locator('#modelReport [data-act=copy]').click();
  await page.getByText('Copied.').waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** The cells of the lines of a report that begin with a word. */
const cells = (report: string, first: string) =>
  report
    .split('\n')
    .filter((line) => line.startsWith(`| ${first}`))
    .map((line) => line.slice(2, -2).split(' | '));

const number = (text: string) => Number.parseFloat(text.replaceAll(',', ''));

/** The counts of a report: objects, triangles, materials. */
function countsIn(report: string): number[] {
  const lines = report.split('\n');
  return lines[lines.findIndex((line) => line.startsWith('| Objects | Triangles'))! + 2]!.slice(2)
    .split(' | ')
    .slice(0, 3)
    .map(number);
}

async function openSample(title: string): Promise<void> {
  await page.locator('#worlds [data-world=model]').click();
  await page.locator('#modelDialog').getByRole('button', { name: title }).click();
}

describeDemo('the demo, a model of one’s own', { search: 't=0', width: 1280, height: 720 }, () => {
  const requests: string[] = [];
  beforeAll(async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    page.on('request', (request) => requests.push(request.url()));
  });

  it('asks for a file or a sample, says that nothing leaves the page, and is closed by Escape', async () => {
    await page.locator('#worlds [data-world=model]').click();
    const dialog = page.locator('#modelDialog');
    expect(await dialog.innerText()).toMatch(/Nothing leaves this page/);
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Choose a file' }).click();
    expect((await chooser).isMultiple()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await world()).toBe('town');
  });

  it.each(['Office', 'Machine'])('reports on the sample %s what is in its file', async (title) => {
    const name = title.toLowerCase();
    await openSample(title);
    const report = await reportOn(`${name}.glb`);
    expect(await world()).toBe('model');
    const contents = contentsOf(sample(name));
    expect(countsIn(report)).toEqual(contents);
    const [objects] = contents as [number];
    expect((await counts()).total).toBe(objects);
    // Fewer calls in batches, a time and a spread for each mode.
    const [three, index, batches, levels] = [
      'Plain three',
      'With the index',
      'In batches',
      'In batches, with levels',
    ].map((mode) => cells(report, mode)[0]!);
    for (const row of [three!, index!, batches!, levels!]) expect(row[3]).toMatch(/^[\d.]+ ms \([\d.]+–[\d.]+ ms\)$/);
    expect(number(batches![1]!)).toBeLessThan(number(three![1]!) / 2);
    expect(number(index![1]!)).toBeLessThanOrEqual(1.01 * number(three![1]!));
    expect(number(levels![2]!)).toBeLessThanOrEqual(number(batches![2]!));
    // Culling shows: three draws some of the objects only.
    const { inside, intersecting, culled } = await counts();
    expect(inside + intersecting).toBeGreaterThan(0.02 * objects);
    expect(culled).toBeGreaterThan(0.2 * objects);
    // Every object is in a batch, or in the table of those that are not.
    const batched = number(/([\d,]+) of [\d,]+ objects are drawn in/.exec(report)![1]!);
    const table = report.split('| Objects | Why | What to do |')[1]!.split('\n\n')[0]!.split('\n').slice(2);
    const alone = table.map((line) => line.slice(2, -2).split(' | '));
    expect(batched + alone.reduce((sum, [count]) => sum + number(count!), 0)).toBe(objects);
    for (const [, reason, advice] of alone)
      expect([reason, advice]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\.$/)]);
    expect(report).toContain(title === 'Office' ? 'side: DoubleSide' : 'transmission: 0.9');
    expect(report).toMatch(/\| Geometries \| \d+ kB \|/);
    // What one sees is what one copies.
    const shown = await page.locator('#modelReport').innerText();
    for (const cell of [...three!, ...alone.flat()].filter(Boolean)) expect(shown).toContain(cell.replaceAll('\\', ''));
  });

  it('folds the report away, and shows it again', async () => {
    await page.locator('#modelReport summary').click();
    expect(await page.locator('#modelReport article').isVisible()).toBe(false);
    await page.locator('#modelReport summary').click();
    expect(await page.locator('#modelReport article').isVisible()).toBe(true);
  });

  itIsAccessible();

  it.each([
    ['Draco', dracoGlb],
    ['meshopt', meshoptGlb],
  ])('reads what is compressed with %s', async (name, make) => {
    await drop(`${name}.glb`, make());
    expect(countsIn(await reportOn(`${name}.glb`))).toEqual([1, 1, 1]);
  });

  const gltf = (more: object) => Buffer.from(JSON.stringify({ asset: { version: '2.0' }, ...more }));
  it.each<[string, [string, Uint8Array][], RegExp]>([
    ['no model', [['notes.txt', Buffer.from('x')]], /^There is no \.glb or \.gltf file among these\.$/],
    ['no glTF', [['bad.glb', Buffer.from('no model at all')]], /^bad\.glb is not a glTF file, or it is damaged\.$/],
    ['an empty file', [['empty.glb', Buffer.alloc(0)]], /^empty\.glb is not a glTF file/],
    [
      'a cut one',
      [['cut.glb', makeGlb('a').subarray(0, 100)]],
      /^cut\.glb is cut off: it has 100 of at least \d+ bytes\.$/,
    ],
    ['a cut header', [['cut.glb', makeGlb('a').subarray(0, 12)]], /^cut\.glb is cut off: it has 12 of/],
    [
      'an old version',
      [['old.gltf', gltf({ asset: { version: '1.0' } })]],
      /^old\.gltf is glTF 1\.0; this page reads glTF 2\.0\.$/,
    ],
    [
      'a missing buffer',
      [['part.gltf', gltf({ buffers: [{ uri: 'part.bin', byteLength: 4 }] })]],
      /^part\.gltf needs the file “part\.bin”: drop both together\.$/,
    ],
    [
      'KTX2 textures',
      [['ktx.glb', packGlb({ asset: { version: '2.0' }, extensionsRequired: ['KHR_texture_basisu'] })]],
      /^ktx\.glb has KTX2 textures, which this page cannot read\. Export it with/,
    ],
    ['no scene', [['none.glb', packGlb({ asset: { version: '2.0' } })]], /^There is nothing to draw in none\.glb\.$/],
    [
      'an empty scene',
      [['bare.glb', packGlb({ asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{}] })]],
      /^There is nothing to draw in bare\.glb\.$/,
    ],
  ])('says what is wrong with %s, and keeps the model before', async (_label, files, message) => {
    await page.evaluate(() => document.querySelector('#notice')!.removeAttribute('data-kind'));
    await choose(...files);
    await page.locator('#notice[data-kind=error]').waitFor();
    expect(await page.locator('#notice').textContent()).toMatch(message);
    expect(await page.locator('#modelReport h2').textContent()).toBe('meshopt.glb');
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
    const all = async () => {
      await settled();
      const found: number[] = [];
      for (const type of ['WebGL2RenderingContext', 'HTMLDetailsElement', 'Float32Array'])
        found.push(await alive(type));
      return found;
    };
    const office = sample('office');
    const dropped = async (name: string) => {
      await drop(name, office);
      await reported(name);
      return all();
    };
    // The first may leave caches behind.
    const before = await dropped('one.glb');
    await dropped('two.glb');
    const [contexts, reports, arrays] = await dropped('three.glb');
    expect(contexts).toBe(before[0]);
    // A report that has gone may wait for its turn to be collected.
    expect(reports).toBeLessThanOrEqual(before[1]! + 1);
    expect(arrays!).toBeLessThan(1.02 * before[2]! + 100);
    await enter('town');
    expect(await page.locator('#modelReport').count()).toBe(0);
  });

  it('asks nobody but the page itself', () => {
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(inject('demoUrl')))).toEqual([]);
    expect(messages).toEqual([]);
  });
});

describeDemo('the demo, an animated model', 'autopilot=0&animate=1', () => {
  it('plays it, and holds it where the page is paused', async () => {
    await openSample('Machine');
    await page.locator('#modelReport h2', { hasText: 'machine.glb' }).waitFor();
    expect(await page.locator('#autopilot').getAttribute('aria-pressed')).toBe('false');
    const others = async (turns: number) => {
      const first = await readCanvas();
      const shares: number[] = [];
      for (let turn = 0; turn < turns; turn++) shares.push(shareOfOthers(first, await readCanvas()));
      return Math.max(...shares);
    };
    // Now and then a picture is drawn in another way, with a few pixels that differ; what moves changes many more.
    expect(await others(4)).toBeGreaterThan(0.001);
    await press('k');
    expect(await others(4)).toBeLessThanOrEqual(0.001);
  });
});
