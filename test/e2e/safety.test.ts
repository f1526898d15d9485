import { afterEach, beforeAll, expect, inject, it } from 'vitest';
import { describeDemo, distinctColours, drop, enter, messages, page, settled, untilIn, world } from './acts.js';
import { corners, makeGlb, triangle } from './glbs.js';

const HOSTILE = '<img src=x onerror="document.title=1">';

const json = (content: object): Buffer => Buffer.from(JSON.stringify(content));
const notice = () => page.locator('#notice').textContent();

// A small page, and a world that is soon drawn.
const SMALL = { search: 'world=range&t=0', width: 480, height: 360 };

describeDemo('the demo, safe from what is dropped on it', SMALL, () => {
  const requests: string[] = [];
  const requestsElsewhere = () =>
    requests.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(inject('demoUrl')));

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
    await drop([`${HOSTILE}.glb`, Buffer.from('no')]);
    await page.locator('#notice[data-kind=error]').waitFor();
    expect(await notice()).toContain(`${HOSTILE}.glb is not a glTF file`);
    await drop([`${HOSTILE}.glb`, makeGlb(HOSTILE)]);
    await untilIn('model');
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
    for (const [wanted, said] of [
      [{ buffers: [{ uri, byteLength: 4 }] }, 'far.gltf needs the file'],
      // A model is shown without its images; this one is nothing else.
      [{ images: [{ uri }], textures: [{ source: 0 }] }, 'There is nothing to draw in far.gltf'],
    ] as const) {
      await drop(['far.gltf', json({ asset: { version: '2.0' }, ...wanted })]);
      await page.locator('#notice[data-kind=error]', { hasText: said }).waitFor();
      // The notice of the one before must not do.
      await page.evaluate(() => document.querySelector('#notice')!.removeAttribute('data-kind'));
    }
    expect(requestsElsewhere()).toEqual([]);
    expect(requests.filter((url) => /index\.html|a\.bin|passwd/.test(url))).toEqual([]);
    expect(await world()).toBe('range');
  });

  it('reads what is in the file, or among the files, over no network', async () => {
    const inside = `data:application/octet-stream;base64,${corners.toString('base64')}`;
    const beside = { uri: 'some/folder/a%20b.bin' };
    await drop(['near.gltf', json(triangle({ uri: inside }))]);
    await untilIn('model');
    await enter('range');
    await drop(['both.gltf', json(triangle(beside))], ['a b.bin', corners]);
    await untilIn('model');
    await enter('range');
    expect(requestsElsewhere()).toEqual([]);
  });

  it('takes no more than 100 MB', async () => {
    await page.evaluate(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(1e8 + 1)], 'large.glb'));
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
    await drop(['slow.glb', makeGlb('slow')]);
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
    await drop(['next.glb', makeGlb('next')]);
    await untilIn('model');
    await enter('range');
  });

  it('did all this without a violation of its policy, which is in force', async () => {
    expect(messages).toEqual([]);
    expect(await violations()).toEqual([]);
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
  const frames = () => page.evaluate(() => window.__demo.frames);
  /** Checks that it stands still for some frames of the browser. */
  async function expectNoFrame(): Promise<void> {
    const stood = await frames();
    await page.evaluate(async () => {
      for (let i = 0; i < 5; i++) {
        dispatchEvent(new Event('resize'));
        await new Promise(requestAnimationFrame);
      }
    });
    expect(await frames()).toBe(stood);
  }

  it('after its graphics context was lost and came back', async () => {
    const before = await distinctColours();
    await page.evaluate(() => {
      const context = document.querySelector('canvas')!.getContext('webgl2')!;
      const extension = context.getExtension('WEBGL_lose_context')!;
      Object.assign(window, { __restore: () => extension.restoreContext() });
      extension.loseContext();
    });
    await page.getByText('The graphics context was lost').waitFor();
    await expectNoFrame();
    await page.evaluate(() => (window as unknown as { __restore: () => void }).__restore());
    await page.waitForFunction(() => document.querySelector('#notice')!.textContent === '');
    await settled();
    expect(await distinctColours()).toEqual(before);
  });

  it.each(['width: 0', 'display: none'])('after its canvas was of no size: %s', async (style) => {
    const before = await distinctColours();
    await page.evaluate((text) => {
      const [name, value] = text.split(': ') as [string, string];
      document.querySelector<HTMLElement>('#canvas')!.style.setProperty(name, value);
    }, style);
    await expectNoFrame();
    await page.evaluate(() => document.querySelector('#canvas')!.removeAttribute('style'));
    await settled();
    expect(await distinctColours()).toEqual(before);
  });
});
