import { Raycaster, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { accelerate, LooseOctree } from '../../src/index.js';
import { mainPass } from '../helpers/passes.js';
import { CHANGES, type Pile, pile } from '../helpers/pile.js';
import { random } from '../helpers/random.js';

const drawn = ({ scene, camera }: Pile): string[] =>
  mainPass(scene, camera, false).drawn.map(({ object }) => object.name);

it.each([1, 2, 3, 4])('a renderer that does not sort draws in the order of the scene, seed %i', (seed) => {
  const plain = pile(random(seed));
  const fast = pile(random(seed));
  const index = accelerate(fast.scene, { index: new LooseOctree({ capacity: 4 }) });
  for (const [label, change] of CHANGES) {
    change(plain, null);
    change(fast, index);
    const expected = drawn(plain);
    expect(expected.length).toBeGreaterThan(20);
    expect(expected.length).toBeLessThan(64);
    for (let i = 0; i < 2; i++) expect(drawn(fast), label).toEqual(expected);
    // Picks number the scene anew, for ties.
    new Raycaster(new Vector3(0, 0, 50), new Vector3(0, 0, -1)).intersectObject(fast.scene);
    expect(drawn(fast), label).toEqual(expected);
    mainPass(fast.scene, fast.camera);
    expect(drawn(fast), label).toEqual(expected);
  }
  index.dispose();
});
