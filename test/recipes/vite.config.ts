import { svelte } from '@sveltejs/vite-plugin-svelte';
import { templateCompilerOptions } from '@tresjs/core';
import vue from '@vitejs/plugin-vue';
import { defineProject } from 'vitest/config';
import { inChromium, PACKAGE, PATIENT } from '../../vite.config.js';

/** Recipes for frameworks whose components have to be compiled. */
export default defineProject({
  resolve: { alias: PACKAGE },
  plugins: [vue(templateCompilerOptions), svelte({ configFile: false })],
  define: { 'process.env.FULL': JSON.stringify(process.env.FULL ?? '') },
  optimizeDeps: { include: ['@tresjs/core', '@threlte/core', 'three', 'vue', 'svelte'] },
  test: {
    name: 'recipes',
    ...PATIENT,
    sequence: { groupOrder: 1 },
    include: ['**/*.test.ts'],
    browser: inChromium(),
  },
});
