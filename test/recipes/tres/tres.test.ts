import type { TresContext } from '@tresjs/core';
import type { Scene, WebGLRenderer } from 'three';
import type { AcceleratedScene } from 'three-scene-index';
import { expect, test } from 'vitest';
import { createApp, h, nextTick, shallowReactive } from 'vue';
import { checkRecipe } from '../checkRecipe.js';
import Page from './Page.vue';

test('a scene of TresJS is accelerated while the component is mounted', async () => {
  const indices: AcceleratedScene[] = [];
  let context: TresContext | null = null;
  const props = shallowReactive<{ isAccelerated: boolean; batch?: boolean }>({ isAccelerated: false });
  const app = createApp(() =>
    h(Page, {
      ...props,
      onIndex: (index: AcceleratedScene) => indices.push(index),
      onReady: (ready: TresContext) => {
        context = ready;
      },
    }),
  );
  const element = document.body.appendChild(document.createElement('div'));
  app.mount(element);
  await expect.poll(() => context).not.toBeNull();
  const { scene, renderer } = context as unknown as TresContext;
  await checkRecipe({
    indices,
    scene: scene.value as unknown as Scene,
    renderer: renderer.instance as WebGLRenderer,
    show: async (next) => {
      Object.assign(props, { batch: false, ...next });
      await nextTick();
    },
    close: async () => {
      app.unmount();
      element.remove();
    },
  });
});
