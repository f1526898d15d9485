import type { ThrelteContext } from '@threlte/core';
import { mount, tick, unmount } from 'svelte';
import type { WebGLRenderer } from 'three';
import type { AcceleratedScene } from 'three-scene-index';
import { expect, test } from 'vitest';
import { checkRecipe } from '../checkRecipe.js';
import Page from './Page.svelte';
import { reactive } from './reactive.svelte.js';

test('a scene of Threlte is accelerated while the component is mounted', async () => {
  const indices: AcceleratedScene[] = [];
  let context: ThrelteContext<WebGLRenderer> | null = null;
  const props = reactive({
    isAccelerated: false,
    batch: false,
    onindex: (index: AcceleratedScene) => indices.push(index),
    onready: (ready: unknown) => {
      context = ready as ThrelteContext<WebGLRenderer>;
    },
  });
  const target = document.body.appendChild(document.createElement('div'));
  const page = mount(Page, { target, props });
  await expect.poll(() => context).not.toBeNull();
  const { scene, renderer } = context as unknown as ThrelteContext<WebGLRenderer>;
  await checkRecipe({
    indices,
    scene,
    renderer,
    show: async (next) => {
      Object.assign(props, { batch: false, ...next });
      await tick();
    },
    close: async () => {
      await unmount(page);
      target.remove();
    },
  });
});
