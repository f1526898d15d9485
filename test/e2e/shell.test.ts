import { expect, it } from 'vitest';
import * as demo from './acts.js';

const phone = { search: 'world=range&t=0', width: 390, height: 844, touch: true };

demo.describeDemo('the demo on a phone', phone, () => {
  it('has one row of buttons, with the chosen world in view', async () => {
    expect((await demo.page.locator('.bar').boundingBox())!.height).toBeLessThan(60);
    for (const name of ['range', 'town']) {
      if (name !== (await demo.world())) await demo.enter(name);
      const { x, width } = (await demo.page.locator(`[data-world=${name}]`).boundingBox())!;
      expect(x, name).toBeGreaterThanOrEqual(0);
      expect(x + width, name).toBeLessThanOrEqual(390);
    }
  });

  it('has a help about gestures, and not about keys', async () => {
    await demo.click('#help');
    const text = await demo.page.locator('#guide').innerText();
    expect(text).toContain('Two fingers');
    expect(text).not.toContain('W A S D');
    await demo.click('#guide button');
  });

  it('offers on the panel only the ways to draw that make a difference', async () => {
    const offered = () =>
      demo
        .control('Drawn by')
        .locator('option')
        .evaluateAll((all) => all.filter((one) => !(one as HTMLOptionElement).disabled).map((one) => one.textContent));
    await demo.onPanel(async () => expect(await offered()).toEqual(['Index', 'Batched', 'Plain three']));
    await demo.enter('range');
    await demo.onPanel(async () => expect(await offered()).toEqual(['Index', 'Plain three']));
  });

  demo.itIsAccessible();
});
