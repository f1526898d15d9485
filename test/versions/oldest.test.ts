import { REVISION, Scene } from 'three';
import { expect, it } from 'vitest';
import pkg from '../../package.json' with { type: 'json' };
import { accelerate, SceneIndex, SceneIndexHelper } from '../../src/index.js';
import { random } from '../helpers/random.js';
import { mixedScene } from '../helpers/scene.js';

it('is the oldest three that the package allows', () => {
  expect(pkg.peerDependencies.three).toBe(`>=0.${REVISION}.0`);
});

it('cannot be accelerated, which is said, and leaves the scene as it is', () => {
  const scene = new Scene();
  const keys = Object.keys(scene);
  expect(() => accelerate(scene)).toThrow(
    `accelerate: needs three r186 or newer, this is r${REVISION}; SceneIndex alone works with r168`,
  );
  expect(Object.keys(scene)).toEqual(keys);
});

it('has helpers that are disposed of', () => {
  const scene = mixedScene(random(2), 30);
  const helper = new SceneIndexHelper(new SceneIndex(scene));
  scene.add(helper);
  helper.dispose();
  expect(helper.parent).toBe(null);
});
