import { afterEach, beforeAll, expect, inject, it } from 'vitest';
import { describeDemo, distinctColours, enter, messages, page, settled, world } from './acts.js';
import { makeGlb } from './makeGlb.js';

const HOSTILE = '<img src=x onerror="document.title=1">';

/** Drops files as a user does; their names and bytes. */
const drop = (files: { name: string; bytes: number[] }[]) =>
  page.evaluate((given) => {
    const transfer = new DataTransfer();
    for (const { name, bytes } of given) transfer.items.add(new File([new Uint8Array(bytes)], name));
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
  }, files);

const gltf = (name: string, json: object) => ({ name, bytes: [...Buffer.from(JSON.stringify(json))] });

const notice = () => page.locator('#notice').textContent();

// A small page, and a world that is soon drawn.
const SMALL = { search: 'world=range&t=0', width: 480, height: 360 };

describeDemo('the demo, safe from what is dropped on it', SMALL, () => {
  const requests: string[] = [];

  beforeAll(async () => {
    page.on('request', (request) => requests.push(request.url()));
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { __violations: seen });
      addEventListener('securitypolicyviolation', (event) => {
        seen.push(`${event.effectiveDirective}: ${event.blockedURI}`);
      });
    });
  });
  afterEach(() => {
    requests.length = 0;
  });

  const violations = () => page.evaluate(() => (window as unknown as { __violations: string[] }).__violations);

  it('shows names of files and nodes as text', async () => {
    await drop([{ name: `${HOSTILE}.glb`, bytes: [1, 2, 3] }]);
    await page.locator('#notice[data-kind=error]').waitFor();
    expect(await notice()).toContain(`${HOSTILE}.glb is not a glTF file`);
    await drop([{ name: `${HOSTILE}.glb`, bytes: [...makeGlb(HOSTILE)] }]);
    await page.waitForFunction(() => window.__demo.world === 'model');
    await settled();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).not.toBe('1');
    await enter('range');
  });

  it.each([
    'https://example.com/a.bin',
    '//example.com/a.bin',
    'index.html',
    '../a.bin',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https%3A%2F%2Fexample.com%2Fa.bin',
  ])('fetches nothing that a model names: %s', async (uri) => {
    for (const wanted of [{ buffers: [{ uri, byteLength: 4 }] }, { images: [{ uri }] }]) {
      await drop([gltf('far.gltf', { asset: { version: '2.0' }, ...wanted })]);
      await page.locator('#notice[data-kind=error]', { hasText: 'far.gltf needs the file' }).waitFor();
      // The notice of the one before must not do.
      await page.evaluate(() => document.querySelector('#notice')!.removeAttribute('data-kind'));
    }
    expect(requests.filter((url) => !url.startsWith(inject('demoUrl')))).toEqual([]);
    expect(requests.filter((url) => /index\.html|a\.bin|passwd/.test(url))).toEqual([]);
    expect(await world()).toBe('range');
  });

  it('reads what is in the file, or among the files, over no network', async () => {
    const uri = `data:application/octet-stream;base64,${Buffer.from(new Float32Array(9).fill(1, 4).buffer).toString('base64')}`;
    const model = (buffer: string) => ({
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] }],
      bufferViews: [{ buffer: 0, byteLength: 36 }],
      buffers: [{ uri: buffer, byteLength: 36 }],
    });
    const bin = [...new Uint8Array(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 1]).buffer)];
    for (const files of [
      [gltf('near.gltf', model(uri))],
      [gltf('both.gltf', model('some/folder/a%20b.bin')), { name: 'a b.bin', bytes: bin }],
    ]) {
      await drop(files);
      await page.waitForFunction(() => window.__demo.world === 'model');
      await settled();
      await enter('range');
    }
    expect(requests.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(inject('demoUrl')))).toEqual([]);
  });

  it('takes no more than 100 MB', async () => {
    await page.evaluate(() => {
      const chunk = new Uint8Array(1e6);
      const transfer = new DataTransfer();
      transfer.items.add(new File([...new Array(100).fill(chunk), new Uint8Array(1)], 'large.glb'));
      document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
    });
    await page.locator('#notice[data-kind=error]', { hasText: 'large.glb: more than 100 MB' }).waitFor();
    expect(await world()).toBe('range');
  });

  it('cancels reading by Escape, and what comes after that changes nothing', async () => {
    await page.evaluate(() => {
      const { arrayBuffer } = Blob.prototype;
      // Files that arrive when they are told to.
      Blob.prototype.arrayBuffer = async function (this: Blob) {
        await new Promise<void>((resolve) => Object.assign(window, { __arrive: resolve }));
        Blob.prototype.arrayBuffer = arrayBuffer;
        return arrayBuffer.call(this);
      };
    });
    await drop([{ name: 'slow.glb', bytes: [...makeGlb('slow')] }]);
    await page.locator('#notice', { hasText: 'Reading and measuring the model' }).waitFor();
    await page.waitForFunction(() => '__arrive' in window);
    await page.locator('#player').focus();
    await page.keyboard.press('Escape');
    expect(await notice()).toBe('Loading cancelled.');
    await page.evaluate(() => (window as unknown as { __arrive: () => void }).__arrive());
    await settled();
    await settled();
    expect(await world()).toBe('range');
    expect(await notice()).toBe('Loading cancelled.');
    await drop([{ name: 'next.glb', bytes: [...makeGlb('next')] }]);
    await page.waitForFunction(() => window.__demo.world === 'model');
    await enter('range');
  });

  it('did all this without a warning, or a violation of its policy', async () => {
    expect(messages).toEqual([]);
    expect(await violations()).toEqual([]);
  });

  it('has a policy that is in force', async () => {
    await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "inline"';
      document.body.append(script);
      await fetch('https://example.com/').catch(() => {});
    });
    // What it refuses, the browser tells.
    messages.length = 0;
    expect(await page.title()).not.toBe('inline');
    expect(await violations()).toEqual(['script-src-elem: inline', 'connect-src: https://example.com/']);
  });
});

describeDemo('the demo, drawing again', 't=0', () => {
  let before: { left: number; right: number };
  beforeAll(async () => {
    before = await distinctColours();
  });

  const frames = () => page.evaluate(() => window.__demo.frames);
  /** Some frames of the browser, drawn or not. */
  const wait = () =>
    page.evaluate(async () => {
      for (let i = 0; i < 5; i++) {
        dispatchEvent(new Event('resize'));
        await new Promise(requestAnimationFrame);
      }
    });

  it('after its graphics context was lost and came back', async () => {
    await page.evaluate(() => {
      const context = document.querySelector('canvas')!.getContext('webgl2')!;
      const extension = context.getExtension('WEBGL_lose_context')!;
      Object.assign(window, { __restore: () => extension.restoreContext() });
      extension.loseContext();
    });
    await page.getByText('The graphics context was lost').waitFor();
    const stood = await frames();
    await wait();
    expect(await frames()).toBe(stood);
    await page.evaluate(() => (window as unknown as { __restore: () => void }).__restore());
    await page.waitForFunction(() => document.querySelector('#notice')!.textContent === '');
    await settled();
    expect(await distinctColours()).toEqual(before);
    expect(messages).toEqual([]);
  });

  it.each(['width: 0', 'height: 0', 'display: none'])('after its canvas was of no size: %s', async (style) => {
    await page.evaluate((text) => {
      const [name, value] = text.split(': ') as [string, string];
      document.querySelector<HTMLElement>('#canvas')!.style.setProperty(name, value);
    }, style);
    const stood = await frames();
    await wait();
    expect(await frames()).toBe(stood);
    await page.evaluate(() => document.querySelector('#canvas')!.removeAttribute('style'));
    await settled();
    expect(await distinctColours()).toEqual(before);
    expect(messages).toEqual([]);
  });
});
