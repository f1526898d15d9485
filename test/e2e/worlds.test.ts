import { expect, it } from 'vitest';
import { counts, describeDemo, distinctColours, enter, messages, page, report } from './acts.js';

// Of what the demo does, the least; `npm run test:demo` tries the rest of it as well.
describeDemo('the demo', 'world=forest&trees=1000&t=12', () => {
  it('starts with a picture', async () => {
    expect((await distinctColours()).left).toBeGreaterThan(50);
  });

  it('opens worlds, draws them, and says nothing against it', async () => {
    const buttons = await page.locator('#worlds button').all();
    const names = await Promise.all(buttons.map((button) => button.getAttribute('data-world')));
    expect(names).toHaveLength(9);
    // A model of one's own comes by a dialog, and the address names fewer than a million, see below.
    const others = names.filter((name) => name !== 'model' && name !== 'million') as string[];
    for (const name of process.env.DEMO ? others : ['collisions', 'street', 'town']) {
      await enter(name);
      expect((await distinctColours()).left, name).toBeGreaterThan(5);
      expect(messages, name).toEqual([]);
      if (name === 'town') expect((await counts()).visible).toBeGreaterThan(0);
    }
  });
});

describeDemo('the demo of a galaxy', { search: 'world=million&instances=5000&t=0', width: 480, height: 360 }, () => {
  it('has as many boxes as its address names', async () => {
    expect((await report()).total).toBe('5,000');
    expect((await distinctColours()).left).toBeGreaterThan(5);
  });
});
