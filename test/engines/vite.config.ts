import { defineBrowserProvider } from '@vitest/browser';
import { defineConfig } from 'vitest/config';
import type { BrowserProvider } from 'vitest/node';
import { BROWSER_DEPENDENCIES, PACKAGE, PATIENT } from '../../vite.config.js';
import type { Engine } from './Engine.js';
import { EXCEPTIONS } from './exceptions.js';
import { Firefox } from './Firefox.js';
import { WebKit } from './WebKit.js';

/**
 * Tests of pictures and picks in other engines than Chromium: `npm run engines`, with ENGINE=webkit in WebKitGTK. Further
 * words name files of tests.
 */
const ENGINES: Record<string, () => Engine> = { firefox: () => new Firefox(), webkit: () => new WebKit() };
const { ENGINE = 'firefox' } = process.env;

const provider = defineBrowserProvider({
  name: ENGINE,
  providerFactory(): BrowserProvider {
    const engine = ENGINES[ENGINE]();
    return {
      name: ENGINE,
      supportsParallelism: false,
      getCommandsContext: () => ({}),
      openPage: (_session, url) => engine.open(url),
      close: () => engine.close(),
    };
  },
});

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  resolve: { alias: PACKAGE },
  define: { 'process.env.FULL': JSON.stringify(process.env.FULL ?? '') },
  optimizeDeps: { include: BROWSER_DEPENDENCIES },
  test: {
    name: ENGINE,
    ...PATIENT,
    setupFiles: ['test/noFailures.ts', 'test/engines/countBatches.ts', 'test/engines/roundPixels.ts'],
    include: [
      'test/browser/**/*.test.ts',
      'test/scene/ask/{bentMatrices,oddRays,picks}.test.ts',
      'test/render/*.test.ts',
    ],
    // They count objects on the heap of Node, or use its modules.
    exclude: ['test/render/{accelerate,casters,cullOutlines,nested,shadowFilter}.test.ts'],
    testNamePattern: new RegExp(`^(?!.*(${EXCEPTIONS.join('|')}))`),
    browser: {
      enabled: true,
      headless: false,
      screenshotFailures: false,
      instances: [{ browser: ENGINE as 'firefox' }],
      provider,
    },
  },
});
