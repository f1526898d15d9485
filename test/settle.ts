import { afterAll, vi } from 'vitest';

/**
 * Code that a test began to load has to arrive before its file ends: files share the library, and what fails to load in
 * one would be missing in those after it.
 */
afterAll(() => vi.dynamicImportSettled());
