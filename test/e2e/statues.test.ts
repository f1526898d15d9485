import { expect, it } from 'vitest';
import * as acts from './acts.js';
import {
  describeDemo,
  distinctColours,
  itIsAccessible,
  onPanel,
  parameter,
  readCanvas,
  reported,
  settled,
} from './acts.js';

/** The pixels of the player's view, which takes the left half. */
async function playersView(): Promise<{ pixels: Int32Array }> {
  const { size, pixels } = await readCanvas();
  const width = Number.parseInt(size, 10);
  return { pixels: pixels.filter((_, i) => i % width < (width >> 1) - 1) };
}

const useLevels = (isOn: boolean) => onPanel(() => acts.control('Levels of detail').locator('input').setChecked(isOn));

describeDemo('the demo, statues', 'world=statues&t=6&statues=100&far=120', () => {
  it('draws far statues with fewer triangles once levels are made, and nearly the same picture', async () => {
    const all = async () => [await reported('Triangles drawn'), await reported('Without levels')] as const;
    // They are made one shape after another.
    while ((await reported('All triangles')) > 0) await settled();
    const [drawn, without] = await all();
    expect(without).toBeGreaterThan(3 * drawn);
    expect((await distinctColours()).left).toBeGreaterThan(50);
    const before = await playersView();
    await useLevels(false);
    expect(parameter('levels')).toBe('0');
    expect(await reported('Triangles drawn')).toBeGreaterThan(0.9 * without);
    expect(acts.shareOfOthers(await playersView(), before)).toBeLessThan(0.25);
    await useLevels(true);
    expect(await reported('Triangles drawn')).toBe(drawn);
  });

  it('shows levels in colour, and the difference', async () => {
    const before = await playersView();
    await acts.choose('Show', 'Levels in colour');
    expect(acts.shareOfOthers(await playersView(), before)).toBeGreaterThan(0.02);
    await acts.choose('Show', 'Stone');
    expect(acts.shareOfOthers(await playersView(), before)).toBe(0);
    await acts.choose('Show', 'The difference');
    expect(acts.shareOfOthers(await playersView(), before)).toBeGreaterThan(0.1);
  });

  itIsAccessible();
});
