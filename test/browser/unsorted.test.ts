import { WebGLRenderer } from 'three';
import { afterAll, expect, test } from 'vitest';
import { accelerate, LooseOctree } from '../../src/index.js';
import { differences, readPicture } from '../helpers/pictures.js';
import { CHANGES, type Pile, pile } from '../helpers/pile.js';
import { random } from '../helpers/random.js';

const SIZE = 96;
const renderer = new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);
renderer.sortObjects = false;
afterAll(() => renderer.dispose());

function picture({ scene, camera }: Pile): Uint8Array {
  renderer.render(scene, camera);
  return readPicture(renderer);
}

test.each([1, 2, 3])('pictures of objects that are not sorted are those of plain three, seed %i', (seed) => {
  const run = (isFast: boolean): Uint8Array[] => {
    const made = pile(random(seed));
    const index = isFast ? accelerate(made.scene, { index: new LooseOctree({ capacity: 4 }) }) : null;
    const pictures = CHANGES.map(([, change]) => {
      change(made, index);
      return picture(made);
    });
    index?.dispose();
    return pictures;
  };
  const plain = run(false);
  const fast = run(true);
  CHANGES.forEach(([label], i) => {
    expect(differences(fast[i], plain[i]), `other pixels when ${label}`).toBe(0);
  });
  expect(new Set(plain.map(String)).size, 'pictures').toBeGreaterThan(3);
});

test('the geometry by which the gate learns of it is given back', () => {
  const made = pile(random(4));
  picture(made);
  const { geometries } = renderer.info.memory;
  const index = accelerate(made.scene);
  picture(made);
  index.dispose();
  expect(renderer.info.memory.geometries).toBe(geometries);
});
