import { expect, it } from 'vitest';
import { counts, describeDemo, distinctColours, enter, messages, page } from './acts.js';

// Of what the demo does, the least; `npm run test:demo` tries the rest of it as well. Numbers are small, as pictures are
// made by software.
const search = 'world=million&instances=5000&t=12';

describeDemo('the demo', search, () => {
  it('starts with a picture, of as many boxes as its address names', async () => {
    expect(await page.locator('#report').innerText()).toContain('of 5,000 instances');
    expect((await distinctColours()).left).toBeGreaterThan(5);
  });

  it('opens worlds, draws them, and says nothing against it', async () => {
    const buttons = await page.locator('#worlds button').all();
    const names = await Promise.all(buttons.map((button) => button.getAttribute('data-world')));
    expect(names).toHaveLength(8);
    // A model of one's own comes by a dialog.
    const others = names.filter((name) => name !== 'model' && name !== 'million') as string[];
    for (const name of process.env.DEMO ? others : ['collisions', 'street', 'town']) {
      await enter(name);
      expect((await distinctColours()).left, name).toBeGreaterThan(5);
      expect(messages, name).toEqual([]);
      if (name === 'town') expect((await counts()).visible).toBeGreaterThan(0);
    }
  });
});
